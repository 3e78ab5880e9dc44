/*
 * A picture in words: one sentence for each thing in it, for those who hear it and for what the pointer rests on. No DOM.
 */

import { shownText } from "./letters.js";

const machines = (n, unit = "") => `${n} ${unit ? `${unit} ` : ""}${n === 1 ? "machine" : "machines"}`;
const asks = (size) => Object.entries(size).map(([unit, n]) => `${n} × ${unit}`).join(", ") || "nothing";
const STAGE_WORDS = {
  RUNNABLE: "waits",
  SCHEDULED: "is scheduled",
  STARTING: "is starting",
  RUNNING: "runs",
  DRAINING: "is being stopped",
  SUCCEEDED: "has succeeded",
  FAILED: "has failed",
};

/** A job in a sentence. */
export function jobSays(job, frame) {
  const parts = [`${job.name} of ${job.share} ${STAGE_WORDS[job.stage] ?? job.stage}`];
  if (job.place > 0) parts[0] += `, number ${job.place} in its share`;
  if (job.drains_for) parts[0] += `, to make room for ${job.drains_for}`;
  parts.push(`asks ${asks(job.size)}`, `priority ${job.priority}`);
  const borrowed = Object.entries(job.borrows).filter(([, n]) => n > 0);
  if (borrowed.length) {
    const above = borrowed.every(([unit]) => frame.bars.some((b) => b.share === job.share && b.unit === unit && b.borrowed > 0));
    const how = above ? "its share borrows" : "it counts as borrowing";
    parts.push(`can be stopped for a lender: ${how} ${asks(Object.fromEntries(borrowed))}`);
  }
  if (job.preemptions || job.retries !== null) {
    const most = job.retries === null ? "" : `; it fails at number ${job.retries + 1}`;
    parts.push(`stopped ${job.preemptions === 1 ? "once" : `${job.preemptions} times`} before${most}`);
  }
  if (frame.claims.includes(job.name)) parts.push("capacity is kept for it");
  return shownText(`${parts.join("; ")}.`);
}

/** What a share is configured to do, in a few words. */
export function shareSays(share) {
  const borrow = share.borrow_limit === null || share.borrow_limit < 0 ? "no maximum" : `up to ${share.borrow_limit} % of its limit`;
  const how = {
    RESERVE: "keeps what is idle, neither lends nor borrows",
    LEND: "lends what is idle, does not borrow",
    LEND_AND_BORROW: `lends what is idle, borrows ${borrow}`,
  };
  const more = [how[share.strategy] ?? share.strategy];
  if (share.in_share) more.push("a higher priority stops a lower one of its own");
  if (!share.enabled) more.push("disabled");
  if (share.deleting) more.push("being deleted");
  return shownText(`${share.name} (${share.strategy}): ${more.join("; ")}.`);
}

/** Of whom it is what a share borrows, as far as that follows from the numbers; how much is lent where that is less. */
export function fromWhom(bar, frame) {
  const bars = frame.bars.filter((b) => b.unit === bar.unit);
  const borrowed = bars.reduce((n, b) => n + b.borrowed, 0);
  const unowned = frame.units.find((u) => u.unit === bar.unit)?.unowned_lent ?? 0;
  const sources = bars.filter((b) => b.lent_most > 0).map((b) => [b.share, b.lent_most]);
  const lent = sources.reduce((n, [, most]) => n + most, 0);
  if (borrowed > lent + unowned) {
    if (!lent) return ", none lent";
    return borrowed === bar.borrowed ? `, ${lent} lent` : "";
  }
  if (unowned) sources.push(["what no share owns", unowned]);
  if (sources.length > 3) return "";
  const surely = sources.every(([, most]) => bar.borrowed > lent + unowned - most);
  return ` from ${sources.map(([name]) => name).join(surely ? " and " : " or ")}`;
}

/** Of its limit, what nobody uses and nobody keeps. */
export const idleOf = (bar) => bar.limit - bar.own - bar.lent_most - bar.reserved_idle;

/**
 * What to call it: limits are not machines, and where they promise more than there are, all that is unused cannot be idle.
 */
export function idleWords(bar, frame) {
  const free = frame.units.find((u) => u.unit === bar.unit)?.free ?? 0;
  const unused = frame.bars.filter((b) => b.unit === bar.unit).reduce((n, b) => n + Math.max(0, idleOf(b)), 0);
  if (unused <= free) return "idle";
  if (bar.claimed >= idleOf(bar)) return "unused";
  return free ? `unused, ${free} free for all` : "unused: no machine is free";
}

/** What of a unit is neither used nor free nor kept for good: it is kept for claims. */
export const keptForClaims = (state) => Math.max(0, state.capacity - state.used - state.reserved_idle - state.free);

function barSays(bar, frame) {
  const used = bar.own + bar.borrowed;
  const parts = [used <= bar.limit ? `uses ${used} of its limit ${bar.limit}` : `uses ${used}, its limit is ${bar.limit}`];
  if (bar.borrowed > 0) parts.push(`${bar.borrowed} borrowed${fromWhom(bar, frame)}`);
  if (bar.draining > 0) parts.push(`${bar.draining} with jobs that are being stopped`);
  if (bar.lent_most > 0) {
    parts.push(bar.lent_least === bar.lent_most ? `${bar.lent_most} lent` : `${bar.lent_least} to ${bar.lent_most} lent`);
  }
  if (bar.reserved_idle > 0) parts.push(`${bar.reserved_idle} kept idle and never lent`);
  const idle = idleOf(bar);
  if (idle > 0) parts.push(`${idle} ${idleWords(bar, frame)}`);
  if (bar.claimed > 0) parts.push(`${bar.claimed} kept for its claims`);
  const most = bar.borrowable === null ? "no maximum" : `may use ${bar.limit + bar.borrowable}`;
  const can = bar.borrowable === null || bar.reachable < bar.borrowable ? `, can get ${bar.limit + bar.reachable}` : "";
  if (bar.borrowable !== 0) parts.push(`${most}${can}`);
  return `${bar.share}, ${bar.unit}: ${parts.join("; ")}.`;
}

/** What a picture shows, in sentences: the environment, the shares, the jobs. */
export function describe(frame) {
  const told = frame.units.map((u) => {
    const over = frame.bars.filter((b) => b.unit === u.unit).reduce((n, b) => n + b.limit, 0);
    const claimed = keptForClaims(u) ? `, ${keptForClaims(u)} kept for ${frame.claims.join(" and ")}` : "";
    const kept = (u.reserved_idle ? `, ${u.reserved_idle} kept idle` : "") + claimed;
    const more = over > u.capacity ? ` The limits of the shares add up to ${over}.` : "";
    return `Environment: ${u.used} of ${machines(u.capacity, u.unit)} in use${kept}, ${u.free} free.${more}`;
  });
  for (const share of frame.shares) {
    told.push(shareSays(share));
    told.push(...frame.bars.filter((b) => b.share === share.name).map((b) => barSays(b, frame)));
    const jobs = frame.jobs.filter((j) => j.share === share.name);
    const order = [...jobs.filter((j) => !j.place), ...jobs.filter((j) => j.place).sort((a, b) => a.place - b.place)];
    for (const job of order) told.push(jobSays(job, frame) + (job.waits ? ` ${job.waits.sentence}` : ""));
  }
  return told.map(shownText);
}
