/*
 * The part of a report that shows what queues did: timelines with a filter over them and their tables. What is filtered and
 * which preemption is chosen stand in the address, so that a view can be sent to somebody.
 */

import { instantRead, instantText, made } from "./elements.js";
import { linkOf, untilText, viewOf, wholeView } from "./link.js";
import { drawTimeline } from "./timeline.js";
import { drawnForm, eventColumns, eventFilter, fateColumns, jobColumns, jobFilter, jobsOf, recordsOf, stopColumns, stopFilter } from "./records.js";
import { bigTable } from "./table.js";

const AROUND = 0.02;
const LEAST = 1_800_000;
const KINDS = ["cross-share", "in-share", "not known"];
const KIND_LABELS = { kind: "Kind", state: "Became", what: "What" };

function picker(name, label, choices, onChange) {
  const select = made("select", { id: name, onchange: onChange }, ...choices.map(([value, text]) => made("option", { value }, text)));
  return { select, element: made("label", { for: name }, `${label} `, select) };
}

function field(name, label, given) {
  const input = made("input", { id: name, type: "text", autocomplete: "off", spellcheck: false, ...given });
  return { input, element: made("label", { for: name }, `${label} `, input) };
}

/** Pictures and tables of the report's timelines: what comes first is drawn into `target`, the long tables into another. */
export function drawHistory(target, recordsTarget, timelines) {
  const every = timelines.map(recordsOf);
  const forms = every.map(drawnForm);
  const allJobs = jobsOf(every);
  const start = Math.min(...timelines.map((t) => t.start));
  const end = Math.max(...timelines.map((t) => t.end));
  const several = timelines.length > 1;
  const anyStops = every.some(({ stops }) => stops.at.length > 0);
  const offered = {
    start,
    end,
    shares: [...new Set(timelines.flatMap((t) => t.shares))],
    units: [...new Set(timelines.flatMap((t) => t.units))],
    kinds: {
      ...(anyStops ? { kind: KINDS } : {}),
      ...(several ? {} : { state: every[0].jobs.states, what: every[0].happened.kinds }),
    },
    labels: timelines.map((t) => t.label),
    stops: every.map(({ stops }) => stops.at.length),
  };
  let { filter, kinds, chosen } = wholeView(offered);
  let chosenBefore = chosen;
  let views = [];
  let drawnFor = "";
  let waiting = 0;

  const share = picker("share", "Share", [["", "all"], ...offered.shares.map((s) => [s, s])], () => change({ share: share.select.value }));
  const unit = picker("unit", "Unit", [["", "all"], ...offered.units.map((u) => [u, u])], () => change({ unit: unit.select.value }));
  const text = field("text", "Job", { oninput: () => change({ text: text.input.value }), placeholder: "part of its name" });
  const from = field("from", timelines[0].time === "ms" ? "From (UTC)" : "From", { onchange: () => timed("from", from.input), size: 23 });
  const to = field("to", timelines[0].time === "ms" ? "To (UTC)" : "To", { onchange: () => timed("to", to.input), size: 23 });
  const button = (label, act) => made("button", { type: "button", onclick: act }, label);
  const fields = [share, unit, text, from, to].map((one) => one.element);
  const bar = made("div", { className: "filters", role: "group", "aria-label": "Filter" }, ...fields, button("Everything", reset));
  const told = made("div", { className: "told", role: "status", tabIndex: -1 });
  const pictures = timelines.map(() => made("div", { className: "timeline" }));
  const drawn = timelines.map((timeline, k) => made("figure", {}, ...(several ? [made("figcaption", {}, timeline.label)] : []), pictures[k]));

  const kindPickers = Object.fromEntries(Object.entries(offered.kinds).map(([name, values]) => [name, picker(name, KIND_LABELS[name], [["", "all"], ...values.map((v) => [v, v])], () => {
    kinds = { ...kinds, [name]: kindPickers[name].select.value };
    changed();
  })]));
  const pickerOf = (name) => (kindPickers[name] ? [kindPickers[name].element] : []);
  const stops = every.map((records, k) => bigTable({
    name: several ? `Preemptions: ${timelines[k].label}` : "Preemptions",
    thing: "preemption",
    columns: stopColumns(records),
    total: records.stops.at.length,
    lines: 3,
    onPick: (row) => choose(k, row, true),
    hint: "A click on a row shows all of it, and where it is in the timeline.",
    more: several ? [] : pickerOf("kind"),
  }));
  const fates = every.flatMap((_, k) => fateColumns(allJobs, k, several ? timelines[k].label : ""));
  const jobs = bigTable({ name: "Jobs", thing: "job", columns: [...jobColumns(allJobs), ...fates], total: allJobs.total, lines: 2, more: pickerOf("state") });
  const events = several ? null : bigTable({ name: "What was seen", thing: "event", columns: eventColumns(every[0]), total: every[0].happened.at.length, more: pickerOf("what") });

  /** A time was typed: it is taken, or it stays as it stands with what is wrong with it. */
  function timed(name, input) {
    const typed = input.value.trim();
    const at = typed === "" ? { from: start, to: end }[name] : instantRead(typed, name === "to");
    const wanted = { from: filter.from, to: filter.to, [name]: Math.min(Math.max(at, start), end) };
    let wrong = "";
    if (Number.isNaN(at)) wrong = `This is no time. One is written ${instantText(start)}.`;
    else if (at < start && name === "to") wrong = `Nothing was seen before ${instantText(start)}.`;
    else if (at > end && name === "from") wrong = `Nothing was seen after ${instantText(end)}.`;
    else if (wanted.from >= wanted.to) wrong = `From ${instantText(wanted.from)} to ${instantText(wanted.to)} is no time: choose an earlier From or a later To.`;
    input.setAttribute("aria-invalid", String(wrong !== ""));
    if (wrong) told.textContent = wrong;
    else change(wanted);
  }

  function range(first, last) {
    if (first === filter.from && last === filter.to) return;
    filter = { ...filter, from: Math.round(Math.max(start, first)), to: Math.round(Math.min(end, last)) };
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      changed();
    });
  }

  function reset() {
    ({ filter, kinds, chosen } = wholeView(offered));
    stops.forEach((each) => each.show(-1));
    changed();
  }

  function change(more) {
    filter = { ...filter, ...more };
    changed();
  }

  function changed() {
    show();
    remember();
  }

  /** Puts what is filtered and chosen into controls, tables and pictures. */
  function show() {
    share.select.value = filter.share;
    unit.select.value = filter.unit;
    for (const [name, { select }] of Object.entries(kindPickers)) select.value = kinds[name];
    if (text.input.value !== filter.text) text.input.value = filter.text;
    from.input.value = instantText(filter.from);
    to.input.value = untilText(filter.to, end);
    for (const one of [from, to]) one.input.setAttribute("aria-invalid", "false");
    every.forEach((records, k) => stops[k].filter(stopFilter(records, filter, kinds.kind)));
    jobs.filter(jobFilter(allJobs, filter, kinds.state));
    events?.filter(eventFilter(every[0], filter, kinds.what));
    picture();
    tell();
  }

  /** Whether a stop is one of those that are asked for, whenever it was. */
  function asked(k) {
    return stopFilter(every[k], { ...filter, from: start, to: end }, kinds.kind);
  }

  function picture() {
    const key = JSON.stringify([filter.share, filter.unit, innerWidth]);
    if (key !== drawnFor) {
      drawnFor = key;
      views = forms.map((form, k) => timelinesOf(form, k));
    }
    views.forEach((each, k) => each.forEach((view) => {
      view.show(filter.from, filter.to);
      view.ask(asked(k));
      if (chosen.row !== chosenBefore.row || chosen.table !== chosenBefore.table) view.pick(chosen.table === k && chosen.row >= 0 ? chosen.row : null);
    }));
    chosenBefore = chosen;
  }

  function timelinesOf(form, k) {
    const shownUnits = form.units.filter((u) => !filter.unit || u === filter.unit);
    const parts = shownUnits.map(() => made("div"));
    pictures[k].replaceChildren(...parts);
    const shown = { shares: filter.share ? [filter.share] : null, from: filter.from, to: filter.to };
    const acts = { passes: asked(k), onPick: (row) => choose(k, row, false), onRange: range };
    return shownUnits.map((u, n) => drawTimeline(parts[n], form, { unit: u, ...shown, ...acts, picked: chosen.table === k && chosen.row >= 0 ? chosen.row : null }));
  }

  /** A preemption is chosen: in the table (then the picture is shown around it) or in the picture (then its row is). */
  function choose(table, row, near) {
    chosen = { table, row };
    stops.forEach((each, k) => each.show(k === table ? row : -1));
    if (near) {
      const at = every[table].stops.at[row];
      const half = Math.max(Math.min(filter.to - filter.from, (end - start) * AROUND) / 2, LEAST);
      if (at - half > start || at + half < end) filter = { ...filter, from: Math.round(Math.max(start, at - half)), to: Math.round(Math.min(end, at + half)) };
      changed();
      stops[table].show(row);
      reveal();
      told.focus({ preventScroll: true });
    } else {
      picture();
      tell();
      remember();
      stops[table].element.scrollIntoView({ block: "nearest" });
    }
  }

  function tell() {
    const { table, row } = chosen;
    if (row < 0) {
      told.replaceChildren();
      return;
    }
    const columns = stopColumns(every[table]);
    const lines = columns.map((column) => [column.heading, column.text(row)]).filter(([, value]) => value !== "");
    const inside = stopFilter(every[table], filter, kinds.kind)(row);
    const back = button(inside ? "To its row in the table" : "Clear the filter, which leaves it out, and go to its row in the table", () => {
      if (!inside) {
        ({ filter, kinds } = wholeView(offered));
        changed();
      }
      stops[table].show(row);
      stops[table].element.scrollIntoView({ block: "center" });
    });
    told.replaceChildren(made("dl", {}, ...lines.flatMap(([heading, value]) => [made("dt", {}, heading), made("dd", {}, value)])), back);
  }

  /** What is told is scrolled to, below the filter, which stays where it is. */
  function reveal() {
    told.style.scrollMarginTop = `${bar.offsetHeight}px`;
    told.scrollIntoView({ block: "start" });
  }

  function remember() {
    const hash = linkOf({ filter, kinds, chosen }, offered);
    history.replaceState(null, "", hash ? `#${hash}` : location.href.split("#")[0]);
  }

  /** The address leads to a view, or to a part of everything; it stays as it is until something is changed. */
  function recall() {
    const link = location.hash.slice(1);
    const place = document.getElementById(link);
    const { unread, ...view } = viewOf(place ? "" : link, offered, (name) => document.getElementById(name) !== null);
    ({ filter, kinds, chosen } = view);
    stops.forEach((each, k) => each.show(chosen.table === k ? chosen.row : -1));
    show();
    if (chosen.row >= 0) stops[chosen.table].show(chosen.row);
    if (unread.length) told.prepend(made("p", {}, `This report does not have what the link asks for: ${unread.join("; ")}.`));
    if (place) place.scrollIntoView();
    else if (told.hasChildNodes() || linkOf(view, offered)) reveal();
  }

  const part = (id, heading, ...inside) => made("section", { id }, made("h2", {}, heading), ...inside);
  const tables = every.flatMap((records, k) => {
    if (!several) return [stops[k].element];
    const heading = made("h3", {}, timelines[k].label);
    return records.stops.at.length ? [heading, stops[k].element] : [heading, made("p", {}, "Nothing was stopped.")];
  });
  target.replaceChildren(
    part("timeline", "Timeline", bar, told, made("div", { className: several ? "beside" : "" }, ...drawn)),
    part("preemptions", "Preemptions", ...(several ? pickerOf("kind") : []), ...tables),
  );
  recordsTarget.replaceChildren(
    part("jobs", "Jobs", jobs.element),
    ...(events ? [part("events", "What was seen", events.element)] : []),
  );
  addEventListener("hashchange", recall);
  addEventListener("resize", picture);
  recall();
}
