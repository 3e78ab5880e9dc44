/*
 * What a report's tables say of a timeline's columns, and which of their rows a filter leaves. Python writes the columns
 * (report/drawn.py); -1 in them is what is not known, has not happened or has no bound.
 *
 * A filter is { share, unit, from, to, text }: "" for every share or unit, times in milliseconds, text as it was typed.
 */

import { durationText, instantText } from "./elements.js";

function sizesOf(timeline) {
  return timeline.jobs.sizes.map((size) => size.map(([unit, n]) => `${n} x ${unit}`).join(", "));
}

/** What is asked of a timeline's jobs again and again, made once. */
export function recordsOf(timeline) {
  const { jobs, stops, happened, shares } = timeline;
  return {
    timeline, jobs, stops, happened, shares,
    sizes: sizesOf(timeline),
    asks: jobs.sizes.map((size) => new Set(size.map(([unit]) => unit))),
    sought: jobs.name.map((name) => name.toLowerCase()),
    shareOf: (job) => shares[jobs.share[job]],
    rowOf: new Map(jobs.name.map((name, row) => [name, row])),
  };
}

/** What timeline.js draws, of a timeline of the report. */
export function drawnForm(records) {
  const { timeline, stops, jobs } = records;
  const marks = stops.at.map((t, row) => ({
    t,
    job: jobs.name[stops.job[row]],
    share: records.shareOf(stops.job[row]),
    by: stops.by[row] < 0 ? "" : jobs.name[stops.by[row]],
    kind: stops.kinds[stops.kind[row]],
    reason: stops.texts[stops.why[row]],
    unit: "",
  }));
  const { time, start, end, units, capacity, gaps } = timeline;
  return { time, start, end, units, shares: timeline.tracks, capacity, stops: marks, gaps };
}

function jobPasses(records, filter) {
  const { jobs, sought, asks } = records;
  const share = filter.share === "" ? -1 : records.shares.indexOf(filter.share);
  const text = filter.text.trim().toLowerCase();
  return (job) => (filter.share === "" || jobs.share[job] === share) && (filter.unit === "" || asks[jobs.size[job]].has(filter.unit)) && (text === "" || sought[job].includes(text));
}

/** Whether a job is to be shown: it lived in that time. `state` "" for every. */
export function jobFilter(records, filter, state = "") {
  const { jobs } = records;
  const passes = jobPasses(records, filter);
  const wanted = jobs.states.indexOf(state);
  return (job) => passes(job) && (wanted < 0 || jobs.state[job] === wanted) && jobs.submitted[job] <= filter.to && (jobs.ended[job] < 0 || jobs.ended[job] >= filter.from);
}

/** Whether a stop is to be shown: the job that was stopped passes, or the one for which. */
export function stopFilter(records, filter, kind = "") {
  const { stops } = records;
  const passes = jobPasses(records, filter);
  const wanted = kind === "not known" ? 0 : stops.kinds.indexOf(kind);
  return (row) => stops.at[row] >= filter.from && stops.at[row] <= filter.to && (kind === "" || stops.kind[row] === wanted) && (passes(stops.job[row]) || (stops.by[row] >= 0 && passes(stops.by[row])));
}

/** Whether something that happened is to be shown; what is no job's, wherever no job is asked for. */
export function eventFilter(records, filter, kind = "") {
  const { happened } = records;
  const passes = jobPasses(records, filter);
  const wanted = happened.kinds.indexOf(kind);
  const any = filter.text.trim() === "" && filter.share === "" && filter.unit === "";
  return (row) => happened.at[row] >= filter.from && happened.at[row] <= filter.to && (kind === "" || happened.kind[row] === wanted) && (happened.job[row] < 0 ? any : passes(happened.job[row]));
}

function timed({ timeline }, heading) {
  return timeline.time === "ms" ? `${heading} (UTC)` : heading;
}

function priorityText(priority) {
  return priority < 0 ? "" : String(priority);
}

function waitedFor({ jobs }, job) {
  return jobs.started[job] < 0 ? -1 : jobs.started[job] - jobs.submitted[job];
}

/** Columns of the table of jobs that are the same wherever a job runs. */
export function jobColumns(records) {
  const { jobs, sizes } = records;
  return [
    { heading: "job", text: (job) => jobs.name[job] },
    { heading: "share", text: (job) => records.shareOf(job) },
    { heading: "size", text: (job) => sizes[jobs.size[job]] },
    { heading: "priority", text: (job) => priorityText(jobs.priority[job]), value: (job) => (jobs.priority[job] < 0 ? "" : jobs.priority[job]), right: true },
    { heading: timed(records, "submitted"), text: (job) => instantText(jobs.submitted[job]) },
  ];
}

/** Columns that say what became of a job. `rowOf` gives the records' job of a table's row, or undefined. */
export function fateColumns(records, rowOf = (row) => row, label = "") {
  const { jobs } = records;
  const named = (heading) => (label ? `${label}: ${heading}` : heading);
  const column = (heading, text, value, more = {}) => ({
    heading: named(heading),
    text: (row) => (rowOf(row) === undefined ? "" : text(rowOf(row))),
    value: value && ((row) => (rowOf(row) === undefined ? "" : value(rowOf(row)))),
    ...more,
  });
  const waited = column("waited", (job) => durationText(waitedFor(records, job)), (job) => seconds(waitedFor(records, job)), { right: true });
  const stopped = column("stopped", (job) => String(jobs.stops[job]), (job) => jobs.stops[job], { right: true });
  const borrowed = column("borrowed h", (job) => jobs.borrowed[job].toFixed(1), (job) => jobs.borrowed[job], { right: true });
  const ended = column(timed(records, "ended"), (job) => instantText(jobs.ended[job]));
  const became = column("became", (job) => jobs.states[jobs.state[job]]);
  if (label) return [waited, stopped, borrowed, became];
  const ran = column("held machines", (job) => durationText(jobs.ran[job]), (job) => seconds(jobs.ran[job]), { right: true });
  return [waited, ran, borrowed, stopped, ended, became];
}

function seconds(milliseconds) {
  return milliseconds < 0 ? "" : milliseconds / 1000;
}

/** A column of phrases, where there are any. */
function phrase(heading, { texts }, places) {
  return places.some((place) => texts[place]) ? [{ heading, text: (row) => texts[places[row]] }] : [];
}

/** Columns of the table of preemptions. */
export function stopColumns(records) {
  const { stops, jobs } = records;
  return [
    { heading: timed(records, "told to stop"), text: (row) => instantText(stops.at[row]), value: (row) => instantText(stops.at[row]) },
    { heading: "job", text: (row) => jobs.name[stops.job[row]] },
    { heading: "share", text: (row) => records.shareOf(stops.job[row]) },
    { heading: "for", text: (row) => stops.texts[stops.whom[row]] },
    { heading: "kind", text: (row) => stops.kinds[stops.kind[row]] || "not known" },
    { heading: "drained", text: (row) => durationText(stops.drained[row]), value: (row) => seconds(stops.drained[row]), right: true },
    ...phrase("could it have been another?", stops, stops.instead),
    ...phrase("why allowed", stops, stops.why),
  ];
}

/** Columns of the table of everything that was seen. */
export function eventColumns(records) {
  const { happened, jobs } = records;
  const job = (row) => happened.job[row];
  return [
    { heading: timed(records, "when"), text: (row) => instantText(happened.at[row]) },
    { heading: "what", text: (row) => happened.kinds[happened.kind[row]] },
    { heading: "job", text: (row) => (job(row) < 0 ? "" : jobs.name[job(row)]) },
    { heading: "share", text: (row) => (job(row) < 0 ? "" : records.shareOf(job(row))) },
    { heading: "more", text: (row) => happened.texts[happened.text[row]] },
  ];
}
