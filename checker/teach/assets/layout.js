/*
 * A play's picture as shapes: the units, in each the environment and a row per share, two plays beside each other, a legend.
 *
 * `layout(frame, width, options) -> {width, height, inside}`. No DOM: picture.js draws what this places.
 */

import { box, filled, group, label, lines } from "./shapes.js";
import { PAINT, lockPath } from "./paint.js";
import { fitted, shownText, textWidth } from "./letters.js";
import { environmentTrack, extents, holders, shareTrack } from "./track.js";
import { queueShapes, queued } from "./waiting.js";
import { shareSays } from "./described.js";

const LAYOUT_NARROW = 520;
const ROOMY_ROWS = 24;
const TWO_COLUMNS = 1000;
const SIDES_LEAST = 680;
const SIDES_APART = 28;
const STRATEGY_SHORT = { RESERVE: "R", LEND: "L", LEND_AND_BORROW: "L+B" };

/** What the patterns mean, in the order of the legend. */
const LEGEND = [
  ["own", "own use"],
  ["borrowed", "borrowed"],
  ["lent", "lent out"],
  ["maybe", "lent or idle: not published"],
  ["idle", "idle"],
  ["kept", "kept idle, never lent"],
  ["draining", "being stopped"],
  ["claim", "kept for a job"],
  ["ghost", "may borrow"],
  ["limit", "limit"],
  ["most", "borrow limit"],
  ["now", "just now"],
  ["wrong", "breaks a guarantee"],
  ["↺", "stopped so often before"],
  ["≠", "differs"],
];

const SHORT_NAMES = Object.entries(STRATEGY_SHORT).map(([name, short]) => `${short} ${name}`).join(", ");

function inLegend(frames, compact) {
  const some = (which) => frames.some(which);
  const left = new Set();
  if (!some((f) => f.bars.some((b) => b.lent_most > b.lent_least))) left.add("maybe");
  if (!some((f) => f.line.job && !f.line.broken.length)) left.add("now");
  if (!some((f) => f.line.broken.some((b) => b.job || f.line.job))) left.add("wrong");
  if (!some((f) => f.jobs.some((j) => j.preemptions))) left.add("↺");
  if (frames.length < 2) left.add("≠");
  return [...LEGEND.filter(([part]) => !left.has(part)), ...(compact ? [["", SHORT_NAMES]] : [])];
}

const frameUnits = (frame) => {
  const names = [...frame.units, ...frame.bars].map((u) => u.unit);
  const waiting = frame.jobs.filter((j) => j.place > 0 || j.stage === "FAILED").flatMap((j) => Object.keys(j.size));
  return [...new Set([...names, ...waiting])];
};

const emptyBar = (share, unit) => ({
  share, unit, limit: 0, lendable: 0, borrowable: 0, reachable: 0, own: 0, borrowed: 0, draining: 0, reserved_idle: 0, lent_least: 0,
  lent_most: 0, claimed: 0,
});

function barsOf(frame, unit) {
  const known = frame.bars.filter((b) => b.unit === unit);
  const names = new Set(known.map((b) => b.share));
  const asked = frame.jobs.filter((j) => (j.size[unit] ?? 0) > 0 && !names.has(j.share)).map((j) => j.share);
  return [...known, ...[...new Set(asked)].map((share) => emptyBar(share, unit))];
}

/** Names of the jobs that do not stand where they stand in the other play. */
export function differingJobs(frame, other) {
  if (!other) return new Set();
  const stands = (f) => new Map(f.jobs.map((j) => [j.name, `${j.stage} ${j.place}`]));
  const [mine, theirs] = [stands(frame), stands(other)];
  return new Set([...mine.keys()].filter((name) => mine.get(name) !== theirs.get(name)));
}

function rowDiffers(bar, frame, other) {
  if (!other) return false;
  const theirs = other.bars.find((b) => b.share === bar.share && b.unit === bar.unit);
  const names = (f) => JSON.stringify([holders(f, bar.share, bar.unit), queued(f, bar.share, bar.unit).waiting].map((l) => l.map((j) => j.name)));
  return JSON.stringify(theirs ?? null) !== JSON.stringify(frame.bars.includes(bar) ? bar : null) || names(frame) !== names(other);
}

function shareLabel(bar, share, { x, y, width, compact, narrow, selectedShare }) {
  const used = `${bar.own + bar.borrowed} / ${bar.limit}`;
  const wide = textWidth(used, 12, true);
  const inside = [];
  const flags = [share && !share.enabled ? "disabled" : "", share?.deleting ? "being deleted" : ""].filter(Boolean).join(", ");
  const unlimited = share?.borrow_limit === null || share?.borrow_limit < 0;
  const borrows = share?.strategy === "LEND_AND_BORROW" && bar.limit > 0;
  const most = borrows ? (unlimited ? "no borrow limit" : `borrow limit ${share.borrow_limit} %`) : "";
  const how = bar.limit === 0 && !compact ? "none of this unit" : (compact ? STRATEGY_SHORT[share?.strategy] : share?.strategy) ?? "";
  const size = compact ? 11 : 13;
  const short = flags && compact ? `${how} ${flags}` : how;
  const beside = compact || narrow ? textWidth(short, 10.5) + 8 : 0;
  const room = width - wide - 10 - beside;
  const base = y + (compact ? 15 : 13);
  const name = fitted(bar.share, room, size, true);
  inside.push(label(x, base, name, { size, bold: true }));
  inside.push(label(x + width, base, used, { size: 12, bold: true, anchor: "end" }));
  if (compact || narrow) {
    inside.push(label(x + width - wide - 8, base, short, { size: 10.5, part: flags && compact ? "warn" : "dim", anchor: "end" }));
  } else inside.push(label(x, y + 29, how, { size: 10.5, part: "dim", room: width }));
  let height = narrow ? 18 : compact ? 22 : 34;
  const told = [[most, share?.in_share ? "in-share preemption" : ""], [flags]].map((each) => each.filter(Boolean));
  const stacked = narrow ? told.map((each) => each.join(", ")) : told.flat();
  for (const text of compact ? [] : stacked.filter(Boolean)) {
    inside.push(label(x, y + height + 9, text, { size: 10.5, part: text === flags ? "warn" : "dim", room: width }));
    height += 14;
  }
  if (bar.share === selectedShare) inside.push(box(x - 3, y - 2, width + 6, height + 2, "chosen", 3));
  return { shape: group(inside, { share: bar.share, title: share ? shareSays(share) : shownText(bar.share) }), height };
}

function unitShapes(frame, unit, x, width, options) {
  const { other, selected, selectedShare, differing, compact, measured, units } = options;
  const narrow = width < LAYOUT_NARROW;
  const column = narrow ? 0 : Math.min(compact ? 190 : 215, width * 0.32);
  const [trackX, trackWidth] = [x + column, width - column - 8];
  const most = (of) => Math.max(...[frame, other].filter(Boolean).map((f) => extents(f, unit)[of]));
  const scale = trackWidth / most("shares");
  const whole = Math.min(scale, trackWidth / most("environment"));
  const end = trackX + trackWidth;
  const bars = barsOf(frame, unit);
  const state = frame.units.find((u) => u.unit === unit);
  const limits = bars.reduce((n, b) => n + b.limit, 0);
  const inside = [];
  let y = 16;
  const told = state ? `${state.capacity} exist, limits add up to ${limits}` : "not in the environment";
  const over = !state || limits > state.capacity || state.used > state.capacity;
  const room = width - textWidth(told, 11) - 12;
  const head = fitted(unit, Math.max(room, narrow ? width : 60), 14, true);
  inside.push(label(x, y, head, { size: 14, bold: true }));
  if (textWidth(head, 14, true) > room) y += 16;
  inside.push(label(x + width, y, told, { size: 11, anchor: "end", part: over ? "warn" : "dim", room: width }));
  inside.push(lines(`M${x} ${y + 6}H${x + width}`, "line"));
  y += 14;
  if (state) {
    const used = `${state.used} / ${state.capacity}`;
    const wide = column ? column - 14 : width;
    inside.push(label(x, y + 15, "environment", { size: 12, room: wide - textWidth(used, 12, true) - 6, part: "dim" }));
    inside.push(label(x + wide, y + 15, used, { size: 12, bold: true, anchor: "end", part: state.used > state.capacity ? "warn" : "text" }));
    if (narrow) y += 22;
    inside.push(group(environmentTrack(frame, unit, { x: trackX, y, height: compact ? 16 : 22, scale: whole, end }), { row: `${unit} environment` }));
    y += (compact ? 16 : 22) + (compact ? 12 : 18);
  }
  for (const bar of bars) {
    const share = frame.shares.find((s) => s.name === bar.share);
    const top = y;
    const row = [];
    const height = compact ? 20 : 42;
    const named = shareLabel(bar, share, { x, y: narrow ? y : y + (compact ? 0 : 8), width: column ? column - 14 : width, compact, narrow, selectedShare });
    row.push(named.shape);
    if (narrow) y += named.height + 2;
    const trackY = y + (compact ? 0 : 17);
    row.push(group(shareTrack(bar, frame, { x: trackX, y: trackY, height, scale, end, tall: !compact, selected, differing }), { row: `${unit} ${bar.share}` }));
    y = trackY + height + (compact ? 7 : bar.borrowed > 0 ? 18 : 8);
    const queue = queueShapes(frame, bar.share, unit, { x: narrow ? x : trackX, y, width: narrow ? width : trackWidth, most: compact ? 1 : 3, units, selected, differing });
    row.push(group(queue.inside, { row: `${unit} ${bar.share} queue` }));
    y += queue.height + (compact ? 2 : 8);
    if (!narrow && !compact) y = Math.max(y, top + 12 + named.height);
    const key = JSON.stringify([unit, bar.share]);
    const high = Math.max(y - top, options.heights?.get(key) ?? 0);
    measured.set(key, high);
    y = top + high;
    if (rowDiffers(bar, frame, other)) inside.push(box(x - 6, top - 4, width + 10, y - top - 2, "differs", 3));
    if (bar.share === frame.line.share) inside.push(box(x - 7, top, 3, y - top - 10, frame.line.broken.length ? "wrongBar" : "badge"));
    inside.push(...row);
  }
  return { inside, height: y };
}

function sideShapes(frame, x, width, options) {
  const units = frameUnits(frame);
  const compact = frame.bars.length > ROOMY_ROWS;
  const columns = units.length > 1 && width >= TWO_COLUMNS ? 2 : 1;
  const wide = (width - (columns - 1) * SIDES_APART) / columns;
  const heights = Array(columns).fill(0);
  const inside = [];
  for (const unit of units) {
    const k = heights.indexOf(Math.min(...heights));
    const placed = unitShapes(frame, unit, x + k * (wide + SIDES_APART), wide, { ...options, compact, units });
    inside.push(group(placed.inside, { down: heights[k] }));
    heights[k] += placed.height + 10;
  }
  return { inside, height: Math.max(0, ...heights) };
}

function legendShapes(entries, x, y, width) {
  const inside = [];
  let [left, top] = [x, y];
  for (const [part, meaning] of entries) {
    const wide = 30 + textWidth(meaning, 11) + 10;
    if (left + wide > x + width && left > x) [left, top] = [x, top + 22];
    if (part === "limit" || part === "most") inside.push(lines(`M${left + 12} ${top}v16`, part));
    else if (!PAINT[part]) inside.push(label(left + 12, top + 12, part, { size: 13, bold: true, anchor: "middle" }));
    else inside.push(...filled(left + 1, top, 22, 16, part));
    if (part === "kept") inside.push({ ...box(left + 5, top + 1, 14, 14, part), plate: true }, lines(lockPath(left + 7, top + 2), "lock"));
    inside.push(label(left + 29, top + 12, meaning, { size: 11, room: x + width - left - 29 }));
    left += wide;
  }
  return { inside, height: top + 22 - y };
}

/** The whole picture. */
export function layout(frame, width, { beside = null, selected = null, label: name = "", besideLabel = "", legend = true } = {}) {
  const margin = 8;
  const inner = Math.max(width - 2 * margin, 200);
  const apart = beside && inner >= SIDES_LEAST;
  const wide = apart ? (inner - SIDES_APART) / 2 : inner;
  const job = typeof selected === "string" ? selected : selected?.job ?? null;
  const share = typeof selected === "string" ? null : selected?.share ?? null;
  const sides = beside ? [[frame, beside, name || "this play"], [beside, frame, besideLabel || "beside it"]] : [[frame, null, name]];
  const inside = [];
  const heights = new Map();
  const drawSide = (mine, other, measured) =>
    sideShapes(mine, 0, wide, { other, selected: job, selectedShare: share, differing: differingJobs(mine, other), heights, measured });
  if (apart) {
    for (const [mine, other] of sides) {
      const measured = new Map();
      drawSide(mine, other, measured);
      for (const [key, high] of measured) heights.set(key, Math.max(high, heights.get(key) ?? 0));
    }
  }
  let [bottom, x] = [0, margin];
  for (const [mine, other, title] of sides) {
    const top = apart ? 0 : bottom;
    const head = title ? 26 : 0;
    const drawn = drawSide(mine, other, new Map());
    const heading = title ? [label(0, 16, title, { size: 14, bold: true, room: wide })] : [];
    inside.push(group([...heading, group(drawn.inside, { down: head })], { down: top, right: x, side: shownText(title) }));
    bottom = Math.max(bottom, top + head + drawn.height + 8);
    if (apart) x += wide + SIDES_APART;
  }
  if (legend) {
    const drawn = legendShapes(inLegend(sides.map(([f]) => f), frame.bars.length > ROOMY_ROWS), margin, bottom + 4, inner);
    inside.push(group(drawn.inside, { row: "legend" }));
    bottom += drawn.height + 8;
  }
  return { width, height: Math.ceil(bottom + 4), inside };
}
