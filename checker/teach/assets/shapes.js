/*
 * Shapes as plain data: what a layout is made of and what picture.js turns into SVG. `part` names its look (paint.js).
 */

import { dotPath, gridPath, hatchPath, stripePath } from "./paint.js";
import { fitted, shownText, textWidth } from "./letters.js";

const sparse = (x, y, w, h) => dotPath(x, y, w, h, 15);
const TEXTURE = { borrowed: ["hatch", hatchPath], draining: ["stripes", stripePath], lent: ["dots", dotPath], maybe: ["dots", sparse], kept: ["grid", gridPath] };

const SHORTEST = 5;

/** A rectangle. */
export function box(x, y, width, height, part, rx = 0) {
  return { tag: "rect", part, x, y, width: Math.max(width, 0.5), height, rx };
}

/** A path. */
export function lines(d, part) {
  return { tag: "path", part, d };
}

/** Text on its base line, as much as there is room for. */
export function label(x, y, text, { room = Infinity, size = 12, bold = false, part = "text", anchor = "start" } = {}) {
  return { tag: "text", part, x, y, size, bold, anchor, text: fitted(text, room, size, bold) };
}

/** Several shapes that are one thing. `title` is told in full; a `job` or a `share` can be picked. */
export function group(inside, more = {}) {
  return { tag: "g", inside, ...more };
}

/** A part of a row with its pattern. */
export function filled(x, y, width, height, part) {
  const [texture, path] = TEXTURE[part] ?? [];
  const inside = [box(x, y, width, height, part)];
  if (texture && width > 1) inside.push(lines(path(x, y, width, height), texture));
  return inside;
}

/** The outline of a job: picked, or what the last step was about, whether it broke a guarantee or not; "" for any other. */
export function outlineOf(job, frame, selected) {
  if (job.name === selected) return "chosen";
  if (frame.line.broken.some((b) => b.job === job.name)) return "wrong";
  if (job.name !== frame.line.job) return "";
  return frame.line.broken.length ? "wrong" : "now";
}

/**
 * Text in the middle of a part, on a plate of the part's own colour so that its pattern does not run through it: the first
 * of the texts that fits, or as much of the last as does.
 */
export function plated(x, y, width, height, texts, part, { size = 11, bold = false } = {}) {
  const all = [texts].flat();
  const whole = all.map(shownText).find((text) => textWidth(text, size, bold) <= width - 8);
  const told = whole ?? fitted(all[all.length - 1], width - 8, size, bold);
  if (!told || (whole === undefined && told.length < SHORTEST)) return [];
  const wide = Math.min(textWidth(told, size, bold) + 4, width - 4);
  return [
    { ...box(x + (width - wide) / 2, y + height / 2 - size * 0.65, wide, size * 1.3, part, 2), plate: true },
    label(x + width / 2, y + height / 2 + size * 0.36, told, { size, bold, anchor: "middle" }),
  ];
}
