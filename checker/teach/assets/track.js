/*
 * One row of a picture: a share's machines of one unit from left to right, or the environment's. No DOM.
 *
 * A share's row: what its jobs use, up to and beyond its limit; then, up to the limit, what is kept idle, what is idle, and
 * what is lent; then what it may borrow still. Which of its machines are the borrowed ones is not published; they are drawn
 * beyond the limit because that is how many there are.
 */

import { filled, box, group, label, lines, outlineOf, plated } from "./shapes.js";
import { lockPath } from "./paint.js";
import { shownText, textWidth } from "./letters.js";
import { fromWhom, idleOf, idleWords, jobSays, keptForClaims } from "./described.js";

const HELD_STAGES = new Set(["SCHEDULED", "STARTING", "RUNNING", "DRAINING"]);
const MOST_CELLS = 60;
const WIDEST = 3;

/** The jobs that hold machines of the unit, as they stand in the row: those that can be stopped for a lender last. */
export function holders(frame, share, unit) {
  const held = frame.jobs.filter((j) => j.share === share && HELD_STAGES.has(j.stage) && (j.size[unit] ?? 0) > 0);
  const rank = (j) => Number((j.borrows[unit] ?? 0) > 0);
  return held.sort((a, b) => rank(a) - rank(b) || b.priority - a.priority);
}

/** How many machines the rows of a unit must have room for: the environment's, and the shares'. */
export function extents(frame, unit) {
  const bars = frame.bars.filter((b) => b.unit === unit);
  const state = frame.units.find((u) => u.unit === unit);
  const used = (b) => b.own + b.borrowed;
  const environment = Math.max(1, state?.capacity ?? 0, bars.reduce((n, b) => n + used(b), 0));
  const base = Math.max(1, ...bars.map((b) => Math.max(b.limit, used(b) + b.claimed)));
  const wide = Math.max(base, Math.min(environment, base * WIDEST));
  const most = bars.map((b) => (b.borrowable === null ? 0 : b.limit + b.borrowable)).filter((n) => n <= wide * 1.5);
  return { environment, shares: Math.max(wide, ...most) };
}

/** The environment's row: whose the machines are that are used, which are kept, and which are free. */
export function environmentTrack(frame, unit, { x, y, height, scale, end }) {
  const state = frame.units.find((u) => u.unit === unit);
  const inside = [];
  let at = 0;
  const part = (count, kind, text, title) => {
    if (count <= 0) return;
    const [left, width] = [x + at * scale, count * scale];
    const told = plated(left, y, width, height, text, kind);
    inside.push(group([...filled(left + 0.5, y, width - 1, height, kind), ...told], { title: shownText(title) }));
    at += count;
  };
  for (const bar of frame.bars.filter((b) => b.unit === unit)) {
    const draining = Math.min(bar.draining, bar.own + bar.borrowed);
    const own = Math.max(0, bar.own - Math.max(0, draining - bar.borrowed));
    part(own, "own", bar.share, `${own} used by ${bar.share} within its limit`);
    const borrowed = Math.max(0, bar.borrowed - draining);
    part(borrowed, "borrowed", bar.share, `${borrowed} borrowed by ${bar.share}`);
    part(draining, "draining", bar.share, `${draining} still held by ${bar.share}: its jobs are stopping`);
  }
  const capacity = state?.capacity ?? 0;
  const kept = Math.min(state?.reserved_idle ?? 0, Math.max(0, capacity - at));
  const keepers = frame.bars.filter((b) => b.unit === unit && b.reserved_idle > 0);
  const keeper = keepers.length === 1 ? ` for ${keepers[0].share}` : "";
  part(kept, "kept", `kept idle${keeper}`, `${kept} kept idle${keeper}: never lent`);
  const claimed = Math.min(state ? keptForClaims(state) : 0, Math.max(0, capacity - at));
  if (claimed > 0) {
    const [left, names] = [at, frame.claims.join(" and ")];
    part(claimed, "idle", [`kept for ${names}`, "kept for a job", "kept"], `${claimed} kept for ${names}`);
    inside.push(box(x + left * scale + 2, y + 2, claimed * scale - 4, height - 4, "claim", 3));
  }
  const free = Math.max(0, capacity - at);
  part(free, "idle", "free", `${free} free`);
  const edge = Math.min(x + capacity * scale, end);
  inside.push(lines(`M${edge} ${y - 4}V${y + height + 4}`, "limit"));
  return inside;
}

function block(job, unit, { left, width, y, height, limitAt, frame, selected, differs, tall }) {
  const [x, wide] = [left + 1, Math.max(width - 2, 0.5)];
  const draining = job.stage === "DRAINING";
  const inside = [];
  const own = Math.max(0, Math.min(wide, limitAt - x));
  const straddles = own > 4 && own < wide - 4;
  const [textX, textWide] = straddles ? (own * 2 >= wide ? [x, own - 3] : [x + own + 3, wide - own - 3]) : [x, wide];
  const free = textWide - (differs ? 16 : 0);
  if (draining) inside.push(...filled(x, y, wide, height, "draining"));
  else {
    if (own > 0) inside.push(...filled(x, y, own, height, "own"));
    if (own < wide) inside.push(...filled(x + own, y, wide - own, height, "borrowed"));
  }
  const base = draining ? "draining" : own * 2 >= wide ? "own" : "borrowed";
  const again = job.preemptions ? `↺${job.preemptions}${job.retries === null ? "" : `/${job.retries}`}` : "";
  const size = job.size[unit] > 1 ? `×${job.size[unit]}` : "";
  const more = [`prio ${job.priority}`, size, again, draining ? "stopping" : ""].filter(Boolean);
  const told = [];
  if (tall) {
    while (more.length > 1 && textWidth(more.join(" "), 11) > textWide - 8) more.pop();
    told.push(...plated(textX, y + 3, free, height / 2 - 2, job.name, base, { size: 12, bold: true }));
    told.push(...plated(textX, y + height / 2, textWide, height / 2 - 3, more.join(" "), base));
  } else if (free > 22) told.push(...plated(textX, y, free, height, [`${job.name} prio ${job.priority}`, job.name], base));
  inside.push(...told);
  const mark = outlineOf(job, frame, selected);
  if (mark) inside.push(box(x, y, wide, height, mark, 2));
  if (mark === "wrong" && wide > 30) {
    inside.push(box(x, y, 14, 14, "wrongBar"), label(x + 7, y + 11, "✕", { size: 11, bold: true, part: "onWrong", anchor: "middle" }));
  }
  if (differs && wide > 16) {
    inside.push(box(x + wide - 14, y, 14, 14, "badge"), label(x + wide - 7, y + 11, "≠", { size: 12, part: "mark", anchor: "middle" }));
  }
  return group(inside, { job: job.name, title: jobSays(job, frame) });
}

function segment(count, part, text, title, { at, x, y, height, scale, half }) {
  const [left, width] = [x + at * scale, count * scale];
  const inside = filled(left + 0.5, y + 0.5, width - 1, height - 1, part);
  if (scale >= 9 && count > 1 && count <= MOST_CELLS) {
    let d = "";
    for (let k = 1; k < count; k += 1) d += `M${(left + k * scale).toFixed(1)} ${y + 1}v${height - 2}`;
    inside.push(lines(d, "cells"));
  }
  const high = half ? height / 2 : height;
  const lock = part === "kept" && width > 18;
  if (lock) inside.push({ ...box(left + 4, y + high / 2 - 8, 14, 16, part, 2), plate: true }, lines(lockPath(left + 6, y + high / 2 - 6), "lock"));
  inside.push(...plated(left + (lock ? 18 : 0), y, width - (lock ? 18 : 0), high, text, part));
  return group(inside, { title: shownText(title) });
}

function marks(bar, { x, y, height, scale, end, tall }) {
  const limitAt = Math.min(x + bar.limit * scale, end);
  const inside = [lines(`M${limitAt} ${y - 4}V${y + height + 4}`, "limit")];
  const most = bar.borrowable === null ? null : bar.limit + bar.borrowable;
  const borrows = most === null || most > bar.limit;
  const mostAt = most === null ? end : Math.min(x + most * scale, end);
  const beyond = most !== null && x + most * scale > end + 0.5;
  if (borrows && most !== null) inside.push(lines(`M${mostAt} ${y - 3}V${y + height + 3}`, "most"));
  if (borrows && (most === null || beyond)) inside.push(lines(`M${end - 6} ${tall ? y - 14 : y + height / 2 - 4}l6 4l-6 4z`, "flag"));
  if (!tall || bar.limit === 0) return inside;
  const told = `limit ${bar.limit}`;
  const wide = textWidth(told, 10.5, true);
  const left = Math.max(x, Math.min(limitAt - wide / 2, end - wide));
  inside.push(label(left, y - 6, told, { size: 10.5, bold: true, room: end - x }));
  if (!borrows) return inside;
  const can = bar.limit + bar.reachable;
  const may = most === null ? "no max" : `may use ${most}`;
  const words = most !== null && can >= most ? may : `${may}, can get ${can}`;
  const room = end - (left + wide + 8) - (most === null || beyond ? 9 : 0);
  const fits = (text) => textWidth(text, 10.5) <= room;
  const short = fits(words) ? words : most !== null ? `max ${most}` : fits(`can get ${can}`) ? `can get ${can}` : "";
  const width = textWidth(short, 10.5);
  const right = end - (most === null || beyond ? 9 : 0);
  const start = Math.max(left + wide + 8, Math.min(mostAt - width / 2, right - width));
  if (short && start + width <= end + 0.5) inside.push(label(start, y - 6, short, { size: 10.5, part: "dim" }));
  return inside;
}

/** The row of a share and unit. */
export function shareTrack(bar, frame, { x, y, height, scale, end, tall, selected, differing }) {
  const inside = [];
  const used = bar.own + bar.borrowed;
  const limitAt = x + bar.limit * scale;
  const ghost = Math.min(end, x + (bar.limit + bar.reachable) * scale);
  const from = x + Math.max(used, bar.limit) * scale;
  if (ghost > from + 1) inside.push(box(from + 1, y + 3, ghost - from - 2, height - 6, "ghost", 2));
  const borrowers = frame.bars.filter((b) => b.unit === bar.unit && b.borrowed > 0);
  const to = borrowers.length === 1 ? ` to ${borrowers[0].share}` : "";
  let at = 0;
  const jobs = holders(frame, bar.share, bar.unit);
  for (const job of jobs) {
    const [left, width] = [x + at * scale, job.size[bar.unit] * scale];
    inside.push(block(job, bar.unit, { left, width, y, height, limitAt, frame, selected, differs: differing.has(job.name), tall }));
    at += job.size[bar.unit];
  }
  const segmentAt = (count, part, text, title) => {
    if (count <= 0) return;
    inside.push(segment(count, part, text, title, { at, x, y, height, scale, half: tall && bar.claimed > 0 }));
    at += count;
  };
  segmentAt(used - at, "used", "in use", `${used - at} in use`);
  const some = (n) => (n > 1 ? `${n} ` : "");
  const [idle, words] = [idleOf(bar), idleWords(bar, frame)];
  const state = frame.units.find((u) => u.unit === bar.unit);
  const kept = bar.reserved_idle;
  const gone = kept > 0 && state && state.used + state.reserved_idle > state.capacity;
  const keeps = gone ? [`${some(kept)}kept idle, but no machine is left`, "kept, not there", "not there"] : [`${some(kept)}kept idle`, `${some(kept)}kept`, `${kept}`];
  if (at < bar.limit) {
    segmentAt(kept, "kept", keeps, `${kept} kept idle for ${bar.share}: never lent${gone ? "; but not all of it is there" : ""}`);
    segmentAt(idle, "idle", words === "idle" ? [`${some(idle)}idle`, `${idle}`] : [`${some(idle)}${words}`, `${some(idle)}unused`, `${idle}`], `${idle} ${words}`);
    const range = `${bar.lent_least}–${bar.lent_most}`;
    const open = bar.lent_most - bar.lent_least;
    segmentAt(open, "maybe", [`${range} lent${to}`, `${range} lent`, range], `${range} lent${to}: who lends to whom is not published`);
    const lent = bar.lent_least;
    segmentAt(lent, "lent", [`${some(lent)}lent${to}`, `${some(lent)}lent`, `${lent}`], `${lent} lent${to}`);
  }
  if (bar.claimed > 0) inside.push(claim(bar, frame, { x, y, height, scale, tall, used }));
  inside.push(...marks(bar, { x, y, height, scale, end, tall }));
  if (tall && bar.borrowed > 0) {
    const left = Math.max(x, Math.min(limitAt + 4, end - 130));
    inside.push(label(left, y + height + 13, `${bar.borrowed} borrowed${fromWhom(bar, frame)}`, { size: 10.5, room: end - left }));
  }
  return inside;
}

function claim(bar, frame, { x, y, height, scale, tall, used }) {
  const names = frame.claims.filter((name) => frame.jobs.some((j) => j.name === name && j.share === bar.share && j.size[bar.unit]));
  const told = names.length ? `kept for ${names[0]}${names.length > 1 ? ` +${names.length - 1}` : ""}` : "kept for a job";
  const [left, width] = [x + used * scale + 2, bar.claimed * scale - 4];
  const [top, high] = tall ? [y + height / 2, height / 2 - 2] : [y + 2, height - 4];
  const plate = { ...box(left, top, width, high, "paper", 3), plate: true };
  const text = plated(left, top, width, high, [told, told.slice("kept ".length)], "paper");
  return group([...(tall ? [plate] : []), box(left, top, width, high, "claim", 3), ...(tall ? text : [])], {
    title: shownText(`${bar.claimed} ${told}`),
  });
}
