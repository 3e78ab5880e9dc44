/*
 * A timeline as shapes: its rows at the resolution of the picture, the marks of stops, gaps, the axis. No DOM.
 */

import { box, filled, group, label, lines } from "./shapes.js";
import { hatchPath, stripePath } from "./paint.js";
import { shownText, textWidth } from "./letters.js";
import { peak, spans, stepAt, ticks, timeText, valueAt } from "./steps.js";

const NARROW = 520;
const MANY = 8;
const BIN = 9;
const NONE = [[], []];
const WAITING = 11;
const tops = new WeakMap();

function topOf(series) {
  if (!tops.has(series)) tops.set(series, Math.max(1, peak(series.used), peak(series.limit)));
  return tops.get(series);
}

function rowsOf(timeline, { unit, shares }) {
  const environment = timeline.capacity
    .filter((c) => c.unit === unit)
    .map((c) => ({ name: "environment", series: c, named: { used: c.used, limit: c.capacity }, environment: true }));
  const rows = timeline.shares.filter((s) => s.unit === unit && (!shares || shares.includes(s.name)));
  return [
    ...environment.map((row) => ({ ...row, series: { ...row.named, draining: NONE, waiting: NONE } })),
    ...rows.map((s) => ({ name: s.name, series: s, named: { used: s.used, limit: s.limit, most: s.most, draining: s.draining, waiting: s.waiting } })),
  ];
}

/** Where everything is: rows with their spans, marks of stops put together where they would cover each other. */
export function plotted(timeline, view) {
  const narrow = view.width < NARROW;
  const left = narrow ? 8 : Math.min(150, view.width * 0.2);
  const [x, wide] = [left, view.width - left - 10];
  const rows = rowsOf(timeline, view);
  const tall = rows.length <= MANY ? 52 : 26;
  let top = 20;
  const across = (t) => x + ((t - view.from) / (view.to - view.from)) * wide;
  const placed = rows.map((row) => {
    const head = narrow ? 18 : 12;
    const waits = !row.environment && peak(row.series.waiting) > 0 ? WAITING : 0;
    const high = head + tall + waits + 8;
    const found = { ...row, top, high, area: top + head, tall, waits, spans: spans(row.named, view.from, view.to, Math.max(1, Math.round(wide))) };
    top += high;
    return found;
  });
  return { x, wide, narrow, rows: placed, height: Math.ceil(top + 26), marks: marksOf(timeline, view, placed, across), across };
}

function marksOf(timeline, view, rows, across) {
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
    const key = `${stop.share} ${stop.kind} ${Math.round(x / BIN)}`;
    const mark = found.get(key);
    if (mark) mark.count += 1;
    else found.set(key, { index, x, y: row.area - 4, kind: stop.kind, count: 1 });
    if (index === view.picked) Object.assign(found.get(key), { index, x, picked: true });
  }
  return [...found.values()];
}

const MARKS = {
  "cross-share": (x, y) => `M${x - 5} ${y - 5}h10l-5 8z`,
  "in-share": (x, y) => `M${x} ${y - 6}l5 5l-5 5l-5 -5z`,
  "": (x, y) => `M${x - 4} ${y - 4}h8v7h-8z`,
};

const round = (n) => Math.round(n * 10) / 10;

/** The path of a value over the spans; null where it is not known. */
function stepLine(drawn, row, value) {
  let [d, open, before] = ["", false, null];
  for (const span of row.spans) {
    const y = value(span.values);
    if (y === null) open = false;
    else {
      const [a, b] = [round(drawn.across(span.from)), round(drawn.across(span.to))];
      d += open ? (y === before ? `H${b}` : `V${y}H${b}`) : `M${a} ${y}H${b}`;
      [open, before] = [true, y];
    }
  }
  return d;
}

/** The area between two values over the spans. */
function stepArea(drawn, row, low, high) {
  let d = "";
  for (const span of row.spans) {
    const [from, to] = [low(span.values), high(span.values)];
    if (!(to > from)) continue;
    const [a, b] = [round(drawn.across(span.from)), round(drawn.across(span.to))];
    const scale = row.tall / topOf(row.series);
    const [y, h] = [round(row.area + row.tall - to * scale), round((to - from) * scale)];
    d += `M${a} ${y}H${b}v${h}H${a}z`;
  }
  return d;
}

function rowShapes(drawn, row, view) {
  const top = topOf(row.series);
  const base = row.area + row.tall;
  const level = (n) => (n === undefined || n === null || n > top ? null : round(base - (n / top) * row.tall));
  const inside = [lines(`M${drawn.x} ${base}h${drawn.wide}`, "line")];
  const used = (v) => v.used ?? 0;
  const limit = (v) => v.limit ?? 0;
  inside.push(lines(stepArea(drawn, row, () => 0, (v) => Math.min(used(v), limit(v))), "ownArea"));
  const over = stepArea(drawn, row, limit, used);
  if (over) inside.push(lines(over, row.environment ? "overArea" : "borrowedArea"), ...(row.environment ? [] : [lines(hatched(drawn, row), "hatch")]));
  const draining = stepArea(drawn, row, (v) => used(v) - Math.min(v.draining ?? 0, used(v)), used);
  if (row.spans.some((s) => s.values.draining > 0)) inside.push(lines(draining, "drainingArea"));
  inside.push(lines(stepLine(drawn, row, (v) => level(v.limit)), "limitLine"));
  if (row.spans.some((s) => s.values.most > s.values.limit)) inside.push(lines(stepLine(drawn, row, (v) => level(v.most)), "mostLine"));
  if (row.waits) {
    const most = peak(row.series.waiting);
    const y = (v) => (v.waiting === undefined ? null : round(base + row.waits - (v.waiting / most) * (row.waits - 3)));
    inside.push(lines(stepLine(drawn, row, y), "waitLine"));
    const wait = `waiting, at most ${most}`;
    if (!drawn.narrow) inside.push(label(8, base + row.waits, wait, { size: 10, part: "dim", room: drawn.x - 14 }));
  }
  const now = valueAt(row.series.limit, view.to);
  const told = `${row.environment ? "has" : "limit"} ${now ?? "?"}`;
  const name = drawn.narrow ? [8, row.top + 14] : [8, row.area + 12];
  const room = drawn.narrow ? drawn.wide - textWidth(told, 10.5) - 8 : drawn.x - 14;
  inside.push(label(...name, row.name, { size: 12, bold: true, room }));
  if (drawn.narrow) inside.push(label(drawn.x + drawn.wide, row.top + 14, told, { size: 10.5, part: "dim", anchor: "end" }));
  else if (row.tall > 30 || !row.waits) inside.push(label(8, row.area + 25, told, { size: 10.5, part: "dim", room }));
  return inside;
}

/** Slanting lines through what is borrowed, cut at its edges column by column. */
function hatched(drawn, row) {
  const scale = row.tall / topOf(row.series);
  let d = "";
  for (const span of row.spans) {
    const { used, limit } = span.values;
    if (!(used > (limit ?? 0))) continue;
    const [a, b] = [drawn.across(span.from), drawn.across(span.to)];
    if (b - a >= 6) d += hatchPath(a, row.area + row.tall - used * scale, b - a, (used - (limit ?? 0)) * scale, 7);
    else if (Math.floor(a / 6) !== Math.floor(b / 6)) d += `M${round(a)} ${round(row.area + row.tall - used * scale)}v${round((used - (limit ?? 0)) * scale)}`;
  }
  return d;
}

/** All that is drawn. */
export function plotShapes(timeline, view, drawn) {
  const inside = [];
  const bottom = drawn.height - 24;
  const { step, at } = ticks(view.from, view.to, Math.max(2, Math.floor(drawn.wide / 110)), timeline.time);
  for (const t of at) {
    const x = round(drawn.across(t));
    inside.push(lines(`M${x} 18V${bottom}`, "line"));
    const told = timeText(t, step, timeline.time);
    const half = textWidth(told, 10.5) / 2;
    inside.push(label(Math.max(half + 2, Math.min(x, view.width - half - 2)), bottom + 15, told, { size: 10.5, part: "dim", anchor: "middle" }));
  }
  const what = timeline.time === "ms" ? `${timeText(view.from, 86400e3, "ms")}, times in UTC` : "number of the event";
  inside.push(label(8, 13, view.unit, { size: 13, bold: true, room: view.width * 0.6 }));
  inside.push(label(view.width - 10, 13, what, { size: 10.5, part: "dim", anchor: "end", room: view.width * 0.38 }));
  for (const row of drawn.rows) inside.push(group(rowShapes(drawn, row, view), { row: shownText(row.name) }));
  for (const gap of timeline.gaps) {
    if (gap.to < view.from || gap.from > view.to) continue;
    const [a, b] = [Math.max(drawn.x, drawn.across(gap.from)), Math.min(drawn.x + drawn.wide, drawn.across(gap.to))];
    const shapes = [box(a, 18, b - a, bottom - 18, "gap"), lines(stripePath(a, 18, b - a, bottom - 18, 10), "line")];
    inside.push(group(shapes, { title: shownText(`Not seen: ${gap.why}`) }));
  }
  for (const mark of drawn.marks) {
    const path = (MARKS[mark.kind] ?? MARKS[""])(round(mark.x), mark.y);
    inside.push(lines(path, mark.kind === "in-share" ? "stopOwn" : "stopCross"));
    if (mark.picked) inside.push(box(mark.x - 9, mark.y - 10, 18, 18, "chosen", 9));
  }
  return inside;
}

/** The marks' meaning, drawn by whoever wants it below a timeline. */
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
  entry((x, y) => [lines(MARKS["cross-share"](x + 11, y + 9), "stopCross")], "stopped for another share");
  entry((x, y) => [lines(MARKS["in-share"](x + 11, y + 9), "stopOwn")], "stopped for a higher priority of its own");
  return { inside, height: top + 24 };
}
