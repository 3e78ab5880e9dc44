/*
 * A timeline as shapes: its rows at the resolution of the picture, the marks of stops, gaps, the axis. No DOM.
 */

import { box, filled, group, label, lines } from "./shapes.js";
import { hatchPath, stripePath, tenth } from "./paint.js";
import { shownText, textWidth } from "./letters.js";
import { peak, spans, ticks, timeText, valueAt } from "./steps.js";

const PLOT_NARROW = 520;
const PLOT_ROWS = 8;
const MARK_ROOM = 9;
const NO_SERIES = [[], []];
const WAIT_HIGH = 11;
const rowTops = new WeakMap();

function topOf(series) {
  if (!rowTops.has(series)) rowTops.set(series, Math.max(1, peak(series.used), peak(series.limit)));
  return rowTops.get(series);
}

function rowsOf(timeline, { unit, shares }) {
  const environment = timeline.capacity
    .filter((c) => c.unit === unit)
    .map((c) => ({ name: "environment", series: c, named: { used: c.used, limit: c.capacity }, environment: true }));
  const rows = timeline.shares.filter((s) => s.unit === unit && (!shares || shares.includes(s.name)));
  return [
    ...environment.map((row) => ({ ...row, series: { ...row.named, draining: NO_SERIES, waiting: NO_SERIES } })),
    ...rows.map((s) => ({ name: s.name, series: s, named: { used: s.used, limit: s.limit, most: s.most, draining: s.draining, waiting: s.waiting } })),
  ];
}

/** Where everything is: rows with their spans, marks of stops as marksOf has them. */
export function plotted(timeline, view) {
  const narrow = view.width < PLOT_NARROW;
  const x = narrow ? 8 : Math.round(Math.min(150, view.width * 0.2));
  const wide = Math.floor(view.width - x - 10);
  const rows = rowsOf(timeline, view);
  const tall = rows.length <= PLOT_ROWS ? 52 : 26;
  let top = 20;
  const across = (t) => x + ((t - view.from) / (view.to - view.from)) * wide;
  const placed = rows.map((row) => {
    const head = narrow ? 24 : 12;
    const waits = !row.environment && peak(row.series.waiting) > 0 ? WAIT_HIGH : 0;
    const high = head + tall + waits + 8;
    const found = { ...row, top, high, area: top + head, tall, waits, spans: spans(row.named, view.from, view.to, wide) };
    top += high;
    return found;
  });
  const drawn = { x, wide, narrow, rows: placed, height: Math.ceil(top + 26), across };
  return { ...drawn, marks: marksOf(timeline, view, drawn) };
}

/** Marks of stops, put together where they would cover each other; pale ones, which the view does not ask for, last. */
export function marksOf(timeline, view, { rows, across }) {
  const found = new Map();
  const { stops } = timeline;
  const at = new Map(rows.filter((r) => !r.environment).map((row) => [row.name, row]));
  let low = 0;
  for (let high = stops.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (stops[middle].t < view.from) low = middle + 1;
    else high = middle;
  }
  for (let index = low; index < stops.length && stops[index].t <= view.to; index += 1) {
    const stop = stops[index];
    const row = at.get(stop.share);
    if (!row || (stop.unit && stop.unit !== view.unit)) continue;
    const x = across(stop.t);
    const pale = !view.passes(index);
    const key = `${pale} ${stop.share} ${stop.kind} ${Math.round(x / MARK_ROOM)}`;
    const mark = found.get(key);
    if (mark) mark.count += 1;
    else found.set(key, { index, x, y: row.area - 4, kind: stop.kind, count: 1, pale });
    if (index === view.picked) Object.assign(found.get(key), { index, x, picked: true });
  }
  return [...found.values()].sort((a, b) => a.pale - b.pale);
}

const STOP_SIGNS = {
  "cross-share": (x, y) => `M${x - 5} ${y - 5}h10l-5 8z`,
  "in-share": (x, y) => `M${x} ${y - 6}l5 5l-5 5l-5 -5z`,
  "": (x, y) => `M${x - 4} ${y - 4}h8v7h-8z`,
};

/** The path of a value over the spans, `value` of a span's number; null where it is not known. */
function stepLine(drawn, { spans: { count, from, to } }, value) {
  const found = [];
  let [open, before] = [false, null];
  for (let k = 0; k < count; k += 1) {
    const y = value(k);
    if (y !== null && y === before && open) found[found.length - 1] = `H${tenth(drawn.across(to[k]))}`;
    else if (y !== null) found.push(open ? `V${y}` : `M${tenth(drawn.across(from[k]))} ${y}`, `H${tenth(drawn.across(to[k]))}`);
    [open, before] = [y !== null, y];
  }
  return found.join("");
}

/** The area between two values over the spans: rectangles, side by side ones of one height as one. */
function stepArea(drawn, row, low, high) {
  const { count, from, to } = row.spans;
  const scale = row.tall / topOf(row.series);
  const found = [];
  let [a, b, y, h] = [0, -1, 0, 0];
  for (let k = 0; k < count; k += 1) {
    const [below, above] = [low(k), high(k)];
    if (!(above > below)) continue;
    const [start, top, tall] = [tenth(drawn.across(from[k])), tenth(row.area + row.tall - above * scale), tenth((above - below) * scale)];
    if (start !== b || top !== y || tall !== h) {
      if (b > a) found.push(`M${a} ${y}H${b}v${h}H${a}z`);
      [a, y, h] = [start, top, tall];
    }
    b = tenth(drawn.across(to[k]));
  }
  if (b > a) found.push(`M${a} ${y}H${b}v${h}H${a}z`);
  return found.join("");
}

/** Slanting lines through what is borrowed; upright ones where it is too short for that. */
function hatched(drawn, row, low, high) {
  const { count, from, to } = row.spans;
  const scale = row.tall / topOf(row.series);
  const found = [];
  for (let k = 0; k < count; k += 1) {
    const [below, above] = [low(k), high(k)];
    if (!(above > below)) continue;
    const [a, b] = [drawn.across(from[k]), drawn.across(to[k])];
    const [y, h] = [row.area + row.tall - above * scale, (above - below) * scale];
    if (b - a >= 6) found.push(hatchPath(a, y, b - a, h, 7));
    else if (Math.floor(a / 6) !== Math.floor(b / 6)) found.push(`M${tenth(a)} ${tenth(y)}v${tenth(h)}`);
  }
  return found.join("");
}

function rowShapes(drawn, row, view) {
  const top = topOf(row.series);
  const base = row.area + row.tall;
  const { values } = row.spans;
  const level = (n) => (n === undefined || n === null || n > top ? null : tenth(base - (n / top) * row.tall));
  const inside = [lines(`M${drawn.x} ${base}h${drawn.wide}`, "line")];
  const used = (k) => values.used[k] ?? 0;
  const limit = (k) => values.limit[k] ?? 0;
  inside.push(lines(stepArea(drawn, row, () => 0, (k) => Math.min(used(k), limit(k))), "ownArea"));
  const over = stepArea(drawn, row, limit, used);
  if (over) inside.push(lines(over, row.environment ? "overArea" : "borrowedArea"), lines(hatched(drawn, row, limit, used), "hatch"));
  if (values.draining?.some((n) => n > 0)) {
    const draining = stepArea(drawn, row, (k) => used(k) - Math.min(values.draining[k] ?? 0, used(k)), used);
    inside.push(lines(draining, "drainingArea"));
  }
  inside.push(lines(stepLine(drawn, row, (k) => level(values.limit[k])), "limitLine"));
  if (values.most?.some((n, k) => n > values.limit[k])) inside.push(lines(stepLine(drawn, row, (k) => level(values.most[k])), "mostLine"));
  if (row.waits) {
    const most = peak(row.series.waiting);
    const y = (k) => (values.waiting[k] === undefined ? null : tenth(base + row.waits - (values.waiting[k] / most) * (row.waits - 3)));
    inside.push(lines(stepLine(drawn, row, y), "waitLine"));
    if (!drawn.narrow) inside.push(label(8, base + row.waits, `waiting, at most ${most}`, { size: 10, part: "dim", room: drawn.x - 14 }));
  }
  const told = `${row.environment ? "has" : "limit"} ${valueAt(row.series.limit, view.to) ?? "?"}`;
  const name = drawn.narrow ? [8, row.top + 14] : [8, row.area + 12];
  const beside = drawn.narrow || (row.tall <= 30 && row.waits > 0);
  const room = (drawn.narrow ? drawn.wide : drawn.x - 14) - (beside ? textWidth(told, 10.5) + 8 : 0);
  inside.push(group([label(...name, row.name, { size: 12, bold: true, room })], { title: row.name }));
  if (beside) inside.push(label(drawn.narrow ? drawn.x + drawn.wide : drawn.x - 6, name[1], told, { size: 10.5, part: "dim", anchor: "end" }));
  else inside.push(label(8, row.area + 25, told, { size: 10.5, part: "dim", room }));
  return inside;
}

/** All that is drawn but the marks. */
export function plotShapes(timeline, view, drawn) {
  const inside = [];
  const bottom = drawn.height - 24;
  const { step, at } = ticks(view.from, view.to, Math.max(2, Math.floor(drawn.wide / 110)), timeline.time);
  for (const t of at) {
    const x = tenth(drawn.across(t));
    inside.push(lines(`M${x} 18V${bottom}`, "line"));
    const told = timeText(t, step, timeline.time);
    const half = textWidth(told, 10.5) / 2;
    inside.push(label(Math.max(half + 2, Math.min(x, view.width - half - 2)), bottom + 15, told, { size: 10.5, part: "dim", anchor: "middle" }));
  }
  const what = { ms: `${timeText(view.from, 86400e3, timeline.time)}, times in UTC`, since: timeText(view.from, 86400e3, timeline.time) }[timeline.time] ?? "number of the event";
  inside.push(label(8, 13, view.unit, { size: 13, bold: true, room: view.width * 0.6 }));
  inside.push(label(view.width - 10, 13, what, { size: 10.5, part: "dim", anchor: "end", room: view.width * 0.38 }));
  for (const row of drawn.rows) inside.push(group(rowShapes(drawn, row, view), { row: shownText(row.name) }));
  for (const gap of timeline.gaps) {
    if (gap.to < view.from || gap.from > view.to) continue;
    const [a, b] = [Math.max(drawn.x, drawn.across(gap.from)), Math.min(drawn.x + drawn.wide, drawn.across(gap.to))];
    const shapes = [box(a, 18, b - a, bottom - 18, "gap"), lines(stripePath(a, 18, b - a, bottom - 18, 10), "line")];
    inside.push(group(shapes, { title: shownText(`Not seen: ${gap.why}`) }));
  }
  return inside;
}

/** The marks of stops, as one group that lies over the rest. */
export function markShapes(drawn) {
  const inside = [];
  const signs = { stopPale: "", stopCross: "", stopOwn: "" };
  for (const mark of drawn.marks) {
    const path = (STOP_SIGNS[mark.kind] ?? STOP_SIGNS[""])(tenth(mark.x), mark.y);
    signs[mark.pale ? "stopPale" : mark.kind === "in-share" ? "stopOwn" : "stopCross"] += path;
    if (mark.picked) inside.push(box(mark.x - 9, mark.y - 10, 18, 18, "chosen", 9));
  }
  for (const [part, d] of Object.entries(signs)) if (d) inside.push(lines(d, part));
  return group(inside);
}

/** What areas, lines and marks mean. */
export function plotLegend(width) {
  const inside = [];
  let [left, top] = [8, 4];
  const entry = (shapes, told) => {
    const wide = 30 + textWidth(told, 11) + 12;
    if (left + wide > width && left > 8) [left, top] = [8, top + 22];
    inside.push(...shapes(left, top), label(left + 28, top + 12, told, { size: 11 }));
    left += wide;
  };
  entry((x, y) => filled(x, y, 22, 16, "own"), "own use");
  entry((x, y) => filled(x, y, 22, 16, "borrowed"), "borrowed");
  entry((x, y) => filled(x, y, 22, 16, "draining"), "being stopped");
  entry((x, y) => [lines(`M${x} ${y + 8}h22`, "limitLine")], "limit");
  entry((x, y) => [lines(`M${x} ${y + 8}h22`, "mostLine")], "limit + borrow limit");
  entry((x, y) => [lines(`M${x} ${y + 8}h22`, "waitLine")], "jobs waiting");
  entry((x, y) => [lines(STOP_SIGNS["cross-share"](x + 11, y + 9), "stopCross")], "stopped for another share");
  entry((x, y) => [lines(STOP_SIGNS["in-share"](x + 11, y + 9), "stopOwn")], "stopped for a higher priority of its own");
  return { inside, height: top + 24 };
}
