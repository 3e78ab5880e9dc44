/*
 * Series of steps at the resolution of a picture: what a value is at a time, and what it is in each column of pixels. No DOM.
 */

/** Index of the last time that is not after t; -1 where there is none. */
export function stepAt(times, t) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value at t; undefined before the first. */
export function valueAt([times, values], t) {
  return values[stepAt(times, t)];
}

function exactTimes(series, from, to, most) {
  const within = series.map(([times]) => [stepAt(times, from) + 1, stepAt(times, to) + 1]);
  if (within.reduce((n, [first, last]) => n + last - first, 0) > most) return null;
  const times = new Set([from]);
  for (const [k, [first, last]] of within.entries()) {
    for (const t of series[k][0].slice(first, last)) if (t < to) times.add(t);
  }
  return [...times].sort((a, b) => a - b);
}

/** Values at the starts of spans, or the largest within each: null (no maximum) above all numbers, undefined below them. */
function within([times, all], starts, to, exact) {
  const found = new Array(starts.length);
  let at = stepAt(times, starts[0]);
  for (let k = 0; k < starts.length; k += 1) {
    const end = k + 1 < starts.length ? starts[k + 1] : to;
    let value = all[at];
    while (at + 1 < times.length && (exact ? times[at + 1] <= starts[k] : times[at + 1] < end)) {
      at += 1;
      const next = all[at];
      if (exact || value === undefined || next === null || (value !== null && next > value)) value = next;
    }
    found[k] = value;
  }
  return found;
}

/**
 * Spans of time in which nothing that can be seen changes: `{count, from: [], to: [], values: {name: []}}`.
 *
 * Exact while there are fewer changes than columns; otherwise one span for each column with the largest value of each series
 * in it, so that a short peak is never lost. `named` is name -> [times, values].
 */
export function spans(named, from, to, columns) {
  const names = Object.keys(named);
  const exact = exactTimes(Object.values(named), from, to, 2 * columns);
  const starts = exact ?? Array.from({ length: columns }, (_, k) => from + ((to - from) * k) / columns);
  const all = names.map((name) => within(named[name], starts, to, exact !== null));
  const kept = starts.map((_, k) => k).filter((k) => k === 0 || all.some((values) => values[k] !== values[k - 1]));
  const at = kept.map((k) => starts[k]);
  return {
    count: kept.length,
    from: at,
    to: [...at.slice(1), to],
    values: Object.fromEntries(names.map((name, n) => [name, kept.map((k) => all[n][k])])),
  };
}

/** Largest number of a series. */
export function peak([, values]) {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

const TICK_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600, 2592000, 7776000, 31536000];

/** Where an axis has its ticks: round times, or round numbers of steps; at most `most`. */
export function ticks(from, to, most, time) {
  const width = (to - from) / Math.max(most, 1);
  let step = 10 ** Math.ceil(Math.log10(Math.max(width, 1e-9)));
  if (time !== "step" && width > 500) step = 1000 * (TICK_SECONDS.find((s) => s * 1000 >= width) ?? TICK_SECONDS[TICK_SECONDS.length - 1] * Math.ceil(width / 31536e6));
  else {
    for (const part of [5, 2]) if (step / part >= width) step /= part;
    if (time !== "ms") step = Math.max(step, 1);
  }
  const found = [];
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) found.push(t);
  return { step, at: found };
}

/** A time in words: UTC, as exact as the step between two of them asks for; or the number of an event. */
export function timeText(t, step, time) {
  if (time === "step") return `${Math.round(t)}`;
  if (time === "since") {
    const whole = Math.floor(t / 86400e3);
    const clock = new Date(t - whole * 86400e3).toISOString().slice(11, step < 1000 ? -1 : step < 60e3 ? -5 : -8);
    return step >= 86400e3 ? `day ${whole + 1}` : clock.startsWith("00:00") && step >= 60e3 ? `day ${whole + 1} ${clock}` : clock;
  }
  const date = new Date(t);
  if (Number.isNaN(date.getTime())) return `${t}`;
  const text = date.toISOString();
  const day = text.slice(0, -14);
  if (step >= 86400e3) return day;
  const clock = text.slice(-13, step < 1000 ? -1 : step < 60e3 ? -5 : -8);
  return clock.startsWith("00:00") && step >= 60e3 ? `${day.slice(-5)} ${clock}` : clock;
}
