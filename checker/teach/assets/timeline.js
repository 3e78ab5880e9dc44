/*
 * The picture of a history: per share and unit what it used over time, against its limit. Trusts its data to be sorted.
 *
 * A timeline is plain JSON:
 *
 *   { time: "ms" | "step",      what a t is: milliseconds since 1970 (shown as UTC), or the number of an event
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

export function drawTimeline(target, timeline, { unit = timeline.units[0], from = timeline.start, to = timeline.end } = {}) {
  throw new Error(`${unit} from ${from} to ${to} cannot be drawn in ${target} yet`);
}
