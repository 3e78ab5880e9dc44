/*
 * How the parts of a picture look: colours for light paper, overridden by picture.css, and patterns that need no colour.
 *
 * A pattern is a path of its own, so that a picture is the same in every viewer and needs no names that could clash. No DOM.
 */

const INK = "#14181d";

/** Part -> what its element is given where no style sheet says otherwise. */
export const PAINT = {
  text: { fill: INK },
  dim: { fill: "#474d55" },
  warn: { fill: "#a1180f" },
  mark: { fill: "#ffffff" },
  paper: { fill: "#ffffff" },
  used: { fill: "#d5dae0", stroke: "#4a525c" },
  own: { fill: "#b9d6f2", stroke: "#174a77" },
  borrowed: { fill: "#ffe9d0", stroke: "#8f3f00" },
  draining: { fill: "#e9e9ec", stroke: INK, "stroke-width": 2, "stroke-dasharray": "6 3" },
  lent: { fill: "#e2f4e6", stroke: "#1d6b37" },
  maybe: { fill: "#f3faf4", stroke: "#1d6b37", "stroke-dasharray": "3 3" },
  idle: { fill: "#ffffff", stroke: "#767d87" },
  kept: { fill: "#f1ebf9", stroke: "#5b3f8c" },
  ghost: { fill: "none", stroke: "#8b929b", "stroke-dasharray": "2 4" },
  claim: { fill: "none", stroke: "#9c0059", "stroke-width": 2, "stroke-dasharray": "7 4" },
  chip: { fill: "#ffffff", stroke: "#4a525c" },
  ended: { fill: "#f4f5f6", stroke: "#767d87", "stroke-dasharray": "2 3" },
  cells: { fill: "none", stroke: "#9aa1aa", "stroke-width": 0.75 },
  hatch: { fill: "none", stroke: "#d98436", "stroke-width": 2 },
  stripes: { fill: "none", stroke: "#7d828a", "stroke-width": 2 },
  dots: { fill: "#2f8a4c" },
  grid: { fill: "none", stroke: "#a58cd0", "stroke-width": 1 },
  limit: { fill: "none", stroke: INK, "stroke-width": 3.5 },
  flag: { fill: INK },
  most: { fill: "none", stroke: INK, "stroke-width": 2, "stroke-dasharray": "4 3" },
  now: { fill: "none", stroke: INK, "stroke-width": 3 },
  wrong: { fill: "none", stroke: "#c2180c", "stroke-width": 5 },
  onWrong: { fill: "#ffffff" },
  wrongBar: { fill: "#c2180c" },
  chosen: { fill: "none", stroke: "#005fcc", "stroke-width": 3 },
  differs: { fill: "#fff6bf", stroke: "none" },
  badge: { fill: INK },
  line: { fill: "none", stroke: "#c3c8ce" },
  lock: { fill: "#5b3f8c" },
  ownArea: { fill: "#8fbbe6" },
  borrowedArea: { fill: "#ffd9ae" },
  overArea: { fill: "#f0b4ae" },
  drainingArea: { fill: "#54595f", "fill-opacity": 0.7 },
  limitLine: { fill: "none", stroke: INK, "stroke-width": 2 },
  mostLine: { fill: "none", stroke: INK, "stroke-width": 1.5, "stroke-dasharray": "4 3" },
  waitLine: { fill: "none", stroke: "#9c0059", "stroke-width": 1.2 },
  stopCross: { fill: "#a1180f", stroke: "#ffffff" },
  stopOwn: { fill: "#5b3f8c", stroke: "#ffffff" },
  stopPale: { fill: "none", stroke: "#7d828a" },
  gap: { fill: "#e9e9ec", "fill-opacity": 0.75 },
};

/** To a tenth of a pixel. */
export const tenth = (n) => Math.round(n * 10) / 10;

/** Slanting lines: borrowed. */
export function hatchPath(x, y, w, h, step = 8) {
  let d = "";
  for (let k = step / 2; k < w + h; k += step) {
    const [x1, y1] = k <= w ? [x + k, y] : [x + w, y + k - w];
    const [x2, y2] = k <= h ? [x, y + k] : [x + k - h, y + h];
    d += `M${tenth(x1)} ${tenth(y1)}L${tenth(x2)} ${tenth(y2)}`;
  }
  return d;
}

/** Lines both ways: kept idle. */
export function gridPath(x, y, w, h, step = 8) {
  let d = hatchPath(x, y, w, h, step);
  for (let k = step / 2 - h; k < w; k += step) {
    const [x1, y1] = k >= 0 ? [x + k, y] : [x, y - k];
    const fall = Math.min(h - (y1 - y), w - (x1 - x));
    d += `M${tenth(x1)} ${tenth(y1)}l${tenth(fall)} ${tenth(fall)}`;
  }
  return d;
}

/** Upright stripes: draining. */
export function stripePath(x, y, w, h, step = 7) {
  let d = "";
  for (let k = step / 2; k < w; k += step) d += `M${tenth(x + k)} ${tenth(y)}v${tenth(h)}`;
  return d;
}

/** Dots: lent. */
export function dotPath(x, y, w, h, step = 8) {
  let d = "";
  for (let row = step / 2, odd = 0; row + 1 < h; row += step, odd ^= 1) {
    for (let k = step / 2 + (odd * step) / 2; k + 1 < w; k += step) {
      d += `M${tenth(x + k - 1)} ${tenth(y + row - 1)}h2v2h-2z`;
    }
  }
  return d;
}

/** A padlock, 10 wide and 12 high. */
export function lockPath(x, y) {
  return (
    `M${tenth(x)} ${tenth(y + 5)}h10v7h-10zM${tenth(x + 2)} ${tenth(y + 5)}v-2a3 3 0 0 1 6 0v2h-1.6v-2a1.4 1.4 0 0 0-2.8 0v2z`
  );
}
