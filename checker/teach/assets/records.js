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

/** What sizes are compared by: those of one unit stand together, the larger ones behind. */
function orderOf(size) {
  return size.map(([unit, n]) => `${unit} ${n}`).sort().join(", ");
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

/**
 * The jobs of timelines that are compared: each once, in the order of submission, with its row in every one (`rows[k][job]`),
 * undefined where it did not live in the time that is drawn. Those of a single timeline are its rows: a name may come twice.
 */
export function jobsOf(every) {
  const places = new Map();
  const homes = [];
  const found = every.map((records, k) => {
    const rows = [];
    records.jobs.name.forEach((name, row) => {
      const key = every.length > 1 ? name : row;
      if (!places.has(key)) {
        places.set(key, homes.length);
        homes.push([every[k], row]);
      }
      rows[places.get(key)] = row;
    });
    return rows;
  });
  const submitted = ([{ jobs }, row]) => jobs.submitted[row];
  const order = homes.map((_, place) => place).sort((a, b) => submitted(homes[a]) - submitted(homes[b]) || a - b);
  const rows = found.map((mine) => order.map((place) => mine[place]));
  return { every, rows, total: order.length, home: (job) => homes[order[job]] };
}

/** Whether a job is to be shown: it lived in that time, in one of the timelines. `state` "" for every. */
export function jobFilter({ every, rows }, filter, state = "") {
  const lived = every.map((records) => {
    const { jobs } = records;
    const passes = jobPasses(records, filter);
    const wanted = jobs.states.indexOf(state);
    return (row) => passes(row) && (wanted < 0 || jobs.state[row] === wanted) && jobs.submitted[row] <= filter.to && (jobs.ended[row] < 0 || jobs.ended[row] >= filter.from);
  });
  return (job) => lived.some((passes, k) => rows[k][job] !== undefined && passes(rows[k][job]));
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

/** A column of times: compared as such, whatever they are written as. */
function times({ timeline }, heading, at) {
  return { heading: timeline.time === "ms" ? `${heading} (UTC)` : heading, text: (row) => instantText(at(row)), key: (row) => (at(row) < 0 ? "" : at(row)) };
}

function waitedFor({ jobs }, job) {
  return jobs.started[job] < 0 ? -1 : jobs.started[job] - jobs.submitted[job];
}

/** A column as it is of rows of another table, `rowOf(row)` being the row that is meant; "" where it is undefined. */
function elsewhere(column, rowOf, heading) {
  const read = (what) => what && ((row) => (rowOf(row) === undefined ? "" : what(rowOf(row))));
  return { ...column, heading, text: read(column.text), value: read(column.value), key: read(column.key) };
}

/** Columns of the table of jobs that are the same wherever a job runs. */
export function jobColumns(every) {
  const of = (what) => (job) => what(...every.home(job));
  const [first] = every.every;
  return [
    { heading: "job", text: of(({ jobs }, row) => jobs.name[row]), wraps: 6 },
    { heading: "share", text: of((records, row) => records.shareOf(row)) },
    { heading: "size", text: of(({ jobs, sizes }, row) => sizes[jobs.size[row]]), key: of(({ jobs }, row) => orderOf(jobs.sizes[jobs.size[row]])), wraps: 7 },
    { heading: "priority", text: of(({ jobs }, row) => (jobs.priority[row] < 0 ? "" : String(jobs.priority[row]))), value: of(({ jobs }, row) => (jobs.priority[row] < 0 ? "" : jobs.priority[row])), right: true },
    { ...times(first, "submitted", of(({ jobs }, row) => jobs.submitted[row])), wraps: 6.5 },
  ];
}

/** Columns that say what became of the jobs in the k-th timeline; `label`: its name, where it is one of several. */
export function fateColumns({ every, rows }, k, label = "") {
  const records = every[k];
  const { jobs } = records;
  const waited = { heading: "waited", saved: "waited (s)", text: (row) => durationText(waitedFor(records, row)), value: (row) => seconds(waitedFor(records, row)), right: true };
  const ran = { heading: "held machines", saved: "held machines (s)", text: (row) => durationText(jobs.ran[row]), value: (row) => seconds(jobs.ran[row]), right: true };
  const borrowed = { heading: "borrowed h", text: (row) => jobs.borrowed[row].toFixed(1), value: (row) => jobs.borrowed[row], right: true };
  const stopped = { heading: "stopped", text: (row) => String(jobs.stops[row]), value: (row) => jobs.stops[row], right: true };
  const ended = { ...times(records, "ended", (row) => jobs.ended[row]), wraps: 6.5 };
  const became = { heading: "became", text: (row) => jobs.states[jobs.state[row]] };
  const told = label ? [waited, stopped, borrowed, became] : [waited, ran, borrowed, stopped, ended, became];
  return told.map((column) => elsewhere(column, (job) => rows[k][job], label ? `${label}: ${column.heading}` : column.heading));
}

function seconds(milliseconds) {
  return milliseconds < 0 ? "" : milliseconds / 1000;
}

/** A column of phrases, where there are any. */
function phrase(heading, { texts }, places, wraps) {
  return places.some((place) => texts[place]) ? [{ heading, text: (row) => texts[places[row]], wraps }] : [];
}

/** Columns of the table of preemptions. */
export function stopColumns(records) {
  const { stops, jobs } = records;
  return [
    { ...times(records, "told to stop", (row) => stops.at[row]), wraps: 6.5 },
    { heading: "job", text: (row) => jobs.name[stops.job[row]], wraps: 6 },
    ...phrase("why allowed", stops, stops.why, 16),
    { heading: "for", text: (row) => stops.texts[stops.whom[row]], wraps: 8 },
    { heading: "share", text: (row) => records.shareOf(stops.job[row]) },
    { heading: "kind", text: (row) => stops.kinds[stops.kind[row]] || "not known" },
    { heading: "drained", saved: "drained (s)", text: (row) => durationText(stops.drained[row]), value: (row) => seconds(stops.drained[row]), right: true },
    ...phrase("could it have been another?", stops, stops.instead, 9),
  ];
}

/** Columns of the table of everything that was seen. */
export function eventColumns(records) {
  const { happened, jobs } = records;
  const job = (row) => happened.job[row];
  return [
    times(records, "when", (row) => happened.at[row]),
    { heading: "what", text: (row) => happened.kinds[happened.kind[row]] },
    { heading: "job", text: (row) => (job(row) < 0 ? "" : jobs.name[job(row)]) },
    { heading: "share", text: (row) => (job(row) < 0 ? "" : records.shareOf(job(row))) },
    { heading: "more", text: (row) => happened.texts[happened.text[row]] },
  ];
}
