/*
 * What of a history is shown, and how the address of a report says it. No DOM.
 *
 * A view is { filter: { share, unit, from, to, text }, kinds: { name: value }, chosen: { table, row } }; row -1 where no
 * preemption is chosen. What there is to choose from, `offered`, is { start, end, shares, units, kinds: { name: [value] },
 * labels: [one for each timeline], stops: [how many each has] }.
 */

import { instantRead, instantText } from "./elements.js";

/** The view of everything. */
export function wholeView(offered) {
  return {
    filter: { share: "", unit: "", from: offered.start, to: offered.end, text: "" },
    kinds: Object.fromEntries(Object.keys(offered.kinds).map((name) => [name, ""])),
    chosen: { table: 0, row: -1 },
  };
}

/** A time up to which something is shown, so that `instantRead(text, true)` gives it back. */
export function untilText(at, end) {
  const rest = at % 1000;
  if (at === end || (rest && rest !== 999)) return instantText(at);
  return rest ? instantText(at - rest) : `${instantText(at)}.000`;
}

/** The view as what stands after the # of an address; "" for everything. */
export function linkOf({ filter, kinds, chosen }, offered) {
  const said = new URLSearchParams();
  for (const [key, value] of Object.entries({ share: filter.share, unit: filter.unit, job: filter.text, ...kinds })) if (value) said.set(key, value);
  if (filter.from !== offered.start) said.set("from", instantText(filter.from));
  if (filter.to !== offered.end) said.set("to", untilText(filter.to, offered.end));
  if (chosen.row >= 0 && offered.labels.length > 1) said.set("policy", offered.labels[chosen.table]);
  if (chosen.row >= 0) said.set("stop", String(chosen.row + 1));
  return said.toString();
}

/**
 * The view that an address leads to, and `unread`: what of it this report does not have. `elsewhere` says of a name whether
 * it is another part's of the page.
 */
export function viewOf(link, offered, elsewhere = () => false) {
  const view = wholeView(offered);
  const { filter, kinds } = view;
  const unread = [];
  let [table, stop] = [0, 0];
  const among = (values, take) => (value) => {
    if (values.includes(value)) take(value);
    return values.includes(value);
  };
  const time = (name) => (value) => {
    const at = instantRead(value, name === "to");
    if (Number.isNaN(at) || (name === "to" ? at < offered.start : at > offered.end)) return false;
    filter[name] = Math.min(Math.max(at, offered.start), offered.end);
    return true;
  };
  const readers = {
    share: among(offered.shares, (value) => { filter.share = value; }),
    unit: among(offered.units, (value) => { filter.unit = value; }),
    job: (value) => { filter.text = value; return true; },
    from: time("from"),
    to: time("to"),
    policy: (value) => { table = offered.labels.indexOf(value); return table >= 0; },
    stop: (value) => { stop = /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 0; return stop > 0; },
  };
  for (const name of Object.keys(offered.kinds)) readers[name] = among(offered.kinds[name], (value) => { kinds[name] = value; });
  for (const [name, value] of new URLSearchParams(link)) {
    const read = Object.hasOwn(readers, name) ? readers[name](value) : elsewhere(name);
    if (value !== "" && !read) unread.push(`${name}=${value}`);
  }
  if (!(filter.from < filter.to)) {
    unread.push(`from=${instantText(filter.from)}, to=${instantText(filter.to)}`);
    [filter.from, filter.to] = [offered.start, offered.end];
  }
  if (stop > (offered.stops[table] ?? stop)) unread.push(`stop=${stop}`);
  else if (stop && table >= 0) view.chosen = { table, row: stop - 1 };
  return { ...view, unread };
}
