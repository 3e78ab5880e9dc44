/*
 * The picture of a history: per share and unit what it used over time, against its limit. Trusts its data to be sorted.
 *
 * A timeline is plain JSON:
 *
 *   { time: "ms" | "since" | "step",   what a t is: milliseconds since 1970 (shown as UTC), milliseconds of a clock
 *                             without dates (shown as days), or the number of an event
 *     start, end,               numbers, start < end
 *     units: [unit],            in the order to draw them
 *     shares: [{ name, unit,    one for each share and unit that has a limit or was used
 *                limit: S,      its limit; 0 where it has none (yet, or any more)
 *                most: S,       limit + borrow limit; null for no maximum
 *                used: S,       instances held, draining ones among them
 *                draining: S,
 *                waiting: S }], jobs of the share that wait and ask for this unit
 *     capacity: [{ unit, capacity: S, used: S }],   the environment; [] where it is not known
 *     stops: [{ t, job, share, by, kind, reason, unit }],   sorted by t; by: the job it makes room for, "" where not known;
 *                               kind: "cross-share", "in-share", or "" where not known; unit: "" for all of its share's
 *     gaps: [{ from, to, why }] }   times of which nothing was seen; sorted, apart from each other
 *
 * S, a series of steps, is [[t...], [n...]]: equally many, t rising; n[i] holds from t[i] until t[i + 1], the last until the
 * end. Before t[0] nothing is drawn. An empty series is [[], []].
 */

import { svgElement, svgOf, hiddenList } from "./picture.js";
import { shownText } from "./letters.js";
import { markShapes, marksOf, plotLegend, plotShapes, plotted } from "./plot.js";
import { peak, valueAt } from "./steps.js";
import { instantText } from "./elements.js";

const ZOOM_BUTTONS = [
  ["◀", "Earlier", (from, to) => [from - (to - from) / 2, to - (to - from) / 2]],
  ["▶", "Later", (from, to) => [from + (to - from) / 2, to + (to - from) / 2]],
  ["+", "Closer", (from, to) => [from + (to - from) / 4, to - (to - from) / 4]],
  ["−", "Farther", (from, to) => [from - (to - from) / 2, to + (to - from) / 2]],
  ["All", "The whole time", () => [-Infinity, Infinity]],
];
const ZOOM_KEYS = { ArrowLeft: 0, ArrowRight: 1, "+": 2, "=": 2, "-": 3, Home: 4, 0: 4 };

/** A time as the tables write it; of a run without times, the number of a step. */
function whenOf(timeline, t) {
  return timeline.time === "step" ? `step ${Math.round(t)}` : instantText(Math.round(t));
}

/** What a timeline shows, in sentences. */
export function describeTimeline(timeline, unit) {
  const told = [`${unit} from ${whenOf(timeline, timeline.start)} to ${whenOf(timeline, timeline.end)}${timeline.time === "ms" ? " UTC" : ""}.`];
  for (const row of timeline.shares.filter((s) => s.unit === unit)) {
    const stops = timeline.stops.filter((s) => s.share === row.name && (!s.unit || s.unit === unit));
    const cross = stops.filter((s) => s.kind === "cross-share").length;
    const own = stops.filter((s) => s.kind === "in-share").length;
    told.push(
      `${row.name}: at most ${peak(row.used)} in use, limit ${valueAt(row.limit, timeline.end) ?? 0} at the end, at most ${peak(row.waiting)} ` +
        `jobs waiting; ${stops.length} stopped, ${cross} for another share, ${own} for a higher priority of its own.`,
    );
  }
  return told.map(shownText);
}

function limited(timeline, from, to) {
  const whole = timeline.end - timeline.start;
  const least = Math.min(whole, timeline.time !== "step" ? 20 : 2);
  const span = Math.min(whole, Math.max(least, to - from || least));
  const start = Math.min(Math.max(timeline.start, Number.isFinite(from) ? from : timeline.start), timeline.end - span);
  return [start, start + span];
}

/**
 * Draws a timeline into an element and lets it be moved through: buttons, keys, dragging over a part, pinching, wheel with Ctrl.
 *
 * `shares` are the names of those to draw (all where left out), `picked` the index of a stop, `passes(index)` whether a stop is one of those that are
 * asked for: others are pale. `onPick(index, stop)` and `onRange(from, to)` tell what the user chose. Answers `{range(),
 * show(from, to), pick(index), ask(passes)}`.
 */
export function drawTimeline(target, timeline, { unit = timeline.units[0], shares = null, from = timeline.start, to = timeline.end, picked = null, passes = () => true, width, onPick = null, onRange = null, legend = true } = {}) {
  const view = { unit, shares, picked, passes, width: Math.max(width ?? (target.clientWidth || 640), 240) };
  [view.from, view.to] = limited(timeline, from, to);
  const bar = document.createElement("div");
  bar.className = "qp-bar";
  const frame = document.createElement("div");
  frame.className = "qp-timeline";
  const aria = { tabindex: "0", role: "group", "aria-label": "Timeline: + and − zoom, arrows move, 0 shows all, N and P go to the next or previous stop" };
  for (const [key, value] of Object.entries(aria)) frame.setAttribute(key, value);
  const readout = document.createElement("p");
  readout.className = "qp-readout";
  readout.setAttribute("role", "status");
  let drawn = null;
  let marks = null;
  let pending = 0;

  const redraw = () => {
    pending = 0;
    drawn = plotted(timeline, view);
    const given = { viewBox: `0 0 ${view.width} ${drawn.height}`, width: view.width, height: drawn.height, class: "qp-picture", role: "img" };
    const svg = svgElement("svg", { ...given, "font-family": "system-ui, sans-serif", "aria-label": shownText(`${view.unit} over time`) });
    for (const shape of plotShapes(timeline, view, drawn)) svg.append(svgOf(shape));
    marks = svgOf(markShapes(drawn));
    svg.append(marks);
    frame.replaceChildren(svg);
  };
  const soon = () => {
    pending ||= requestAnimationFrame(redraw);
  };
  const show = (a, b) => {
    const [start, end] = limited(timeline, a, b);
    if (start === view.from && end === view.to) return;
    [view.from, view.to] = [start, end];
    soon();
    onRange?.(start, end);
  };
  const pick = (index) => {
    view.picked = index;
    const stop = timeline.stops[index];
    if (stop && (stop.t < view.from || stop.t > view.to)) {
      const half = (view.to - view.from) / 2;
      show(stop.t - half, stop.t + half);
    }
    if (stop) readout.textContent = stopSays(stop, timeline);
    soon();
  };
  const ask = (passing) => {
    view.passes = passing;
    if (pending) return;
    drawn.marks = marksOf(timeline, view, drawn);
    const before = marks;
    marks = svgOf(markShapes(drawn));
    before.replaceWith(marks);
  };
  const choose = (index) => {
    pick(index);
    onPick?.(index, timeline.stops[index]);
  };
  for (const [sign, name, change] of ZOOM_BUTTONS) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => show(...change(view.from, view.to)));
    bar.append(button);
  }
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = ZOOM_KEYS[event.key];
    const step = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (to !== undefined) show(...ZOOM_BUTTONS[to][2](view.from, view.to));
    else if (!step) return;
    else if (nextStop(timeline, view, step) !== null) choose(nextStop(timeline, view, step));
    event.preventDefault();
    event.stopPropagation();
  });
  steerPointer(frame, { view, show, choose, readout, timeline, drawn: () => drawn });
  redraw();
  const below = legend ? [legendOf(view.width)] : [];
  target.replaceChildren(bar, frame, readout, ...below, hiddenList(describeTimeline(timeline, unit)));
  return { range: () => [view.from, view.to], show, pick, ask };
}

function legendOf(width) {
  const drawn = plotLegend(width);
  const given = { viewBox: `0 0 ${width} ${drawn.height}`, width, height: drawn.height, class: "qp-picture", "aria-hidden": "true" };
  const svg = svgElement("svg", { ...given, "font-family": "system-ui, sans-serif" });
  for (const shape of drawn.inside) svg.append(svgOf(shape));
  return svg;
}

/** The next or previous stop that is drawn and asked for; null where there is none. */
function nextStop(timeline, view, step) {
  const { stops } = timeline;
  const shown = (stop, k) => (!view.shares || view.shares.includes(stop.share)) && (!stop.unit || stop.unit === view.unit) && view.passes(k);
  let k = view.picked ?? (step > 0 ? -1 : stops.length);
  do k += step;
  while (stops[k] && !shown(stops[k], k));
  return stops[k] ? k : null;
}

function stopSays(stop, timeline) {
  const by = stop.by ? ` for ${stop.by}` : "";
  return shownText(`${whenOf(timeline, stop.t)}: ${stop.job} of ${stop.share} is stopped${by}${stop.kind ? ` (${stop.kind})` : ""}. ${stop.reason}`);
}

function steerPointer(frame, { view, show, choose, readout, timeline, drawn }) {
  const down = new Map();
  let brush = null;
  let pinch = null;
  const place = (event) => {
    const edge = frame.firstElementChild.getBoundingClientRect();
    const size = view.width / Math.max(edge.width, 1);
    return [(event.clientX - edge.left) * size, (event.clientY - edge.top) * size];
  };
  const timeAt = (x) => view.from + ((x - drawn().x) / drawn().wide) * (view.to - view.from);
  frame.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    down.set(event.pointerId, place(event));
    if (down.size === 2) pinch = { xs: [...down.values()].map(([x]) => timeAt(x)) };
  });
  frame.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    if (!down.has(event.pointerId)) {
      readout.textContent = readAt(timeline, view, drawn(), x, y, timeAt(x));
      return;
    }
    const [first] = down.get(event.pointerId);
    if (pinch) {
      down.set(event.pointerId, [x, y]);
      const [a, b] = [...down.values()].map(([each]) => each);
      if (Math.abs(a - b) < 8) return;
      const scale = (pinch.xs[0] - pinch.xs[1]) / (a - b);
      const start = pinch.xs[0] - (a - drawn().x) * scale;
      if (scale > 0) show(start, start + drawn().wide * scale);
    } else if (Math.abs(x - first) > 4) {
      frame.setPointerCapture(event.pointerId);
      brush?.remove();
      brush = svgElement("rect", { class: "qp-brush", x: Math.min(x, first), width: Math.abs(x - first), y: 0, height: drawn().height });
      frame.firstElementChild.append(brush);
    }
  });
  const up = (event) => {
    const start = down.get(event.pointerId);
    if (!start) return;
    down.delete(event.pointerId);
    const [x, y] = place(event);
    brush?.remove();
    if (pinch) pinch = down.size ? pinch : null;
    else if (brush && event.type === "pointerup") show(timeAt(Math.min(x, start[0])), timeAt(Math.max(x, start[0])));
    else if (event.type === "pointerup") {
      const near = drawn().marks.filter((m) => Math.hypot(m.x - x, m.y - y) < 14).sort((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))[0];
      if (near) choose(near.index);
    }
    brush = null;
  };
  frame.addEventListener("pointerup", up);
  frame.addEventListener("pointercancel", up);
  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
      event.preventDefault();
      const span = view.to - view.from;
      if (!event.ctrlKey && !event.metaKey) show(view.from + (event.deltaX / drawn().wide) * span, view.to + (event.deltaX / drawn().wide) * span);
      else {
        const scale = Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 100);
        const middle = timeAt(place(event)[0]);
        show(middle - (middle - view.from) * scale, middle + (view.to - middle) * scale);
      }
    },
    { passive: false },
  );
}

function readAt(timeline, view, drawn, x, y, t) {
  const row = drawn.rows.find((r) => y >= r.top && y < r.top + r.high);
  if (!row || t < view.from || t > view.to) return "";
  const when = whenOf(timeline, timeline.time === "step" || view.to - view.from < 1000 ? t : Math.floor(t / 1000) * 1000);
  const stop = drawn.marks.find((m) => Math.hypot(m.x - x, m.y - y) < 9);
  if (stop) return `${stopSays(timeline.stops[stop.index], timeline)}${stop.count > 1 ? ` And ${stop.count - 1} more here.` : ""}${stop.pale ? " The filter leaves it out." : ""}`;
  const told = [`uses ${valueAt(row.series.used, t) ?? "?"} of ${valueAt(row.series.limit, t) ?? "?"}`];
  if (valueAt(row.series.draining, t)) told.push(`${valueAt(row.series.draining, t)} being stopped`);
  if (valueAt(row.series.waiting, t)) told.push(`${valueAt(row.series.waiting, t)} jobs waiting`);
  const gap = timeline.gaps.find((g) => t >= g.from && t <= g.to);
  return shownText(`${when} ${row.name}: ${gap ? `not seen: ${gap.why}` : told.join(", ")}`);
}
