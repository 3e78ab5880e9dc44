// What a report's tables and links say of a history, without a browser: run by test_history_modules.py, which puts the
// modules and timelines beside it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { instantRead, instantText } from "./assets/elements.js";
import { linkOf, untilText, viewOf, wholeView } from "./assets/link.js";
import { eventFilter, fateColumns, jobColumns, jobFilter, jobsOf, recordsOf, stopColumns, stopFilter } from "./assets/records.js";
import { csvText, sortedBy } from "./assets/rows.js";

const { alone, compared, days } = JSON.parse(readFileSync(new URL("./timelines.json", import.meta.url), "utf8"));
const DAY = 86_400_000;
const records = recordsOf(alone);
const { start, end } = alone;
const all = { share: "", unit: "", from: start, to: end, text: "" };
const upTo = (n) => Array.from({ length: n }, (_, row) => row);
const offered = { start, end, shares: ["a", "b"], units: ["u"], kinds: { kind: ["cross-share", "in-share"] }, labels: ["x", "y"], stops: [3, 1] };
const named = (rows, of = records) => rows.map((row) => of.jobs.name[row]);
const column = (columns, heading) => columns.find((one) => one.heading === heading);
const order = (of, heading, down = false) => sortedBy(column([...jobColumns(of), ...fateColumns(of, 0)], heading), upTo(of.total), down);

test("a view that is sent is the view that is opened", () => {
  const ends = [end, end - 1, start + 60_000, start + 59_999, start + 60_999, start + 61_500, start + 1];
  for (const to of ends) {
    for (const from of [start, start + 1]) {
      if (from >= to) continue;
      for (const chosen of [{ table: 0, row: -1 }, { table: 1, row: 0 }, { table: 0, row: 2 }]) {
        const view = { filter: { share: "b", unit: "u", from, to, text: "a&b=c #%+" }, kinds: { kind: "in-share" }, chosen };
        assert.deepEqual(viewOf(linkOf(view, offered), offered), { ...view, unread: [] });
      }
    }
  }
  assert.equal(linkOf(wholeView(offered), offered), "");
  assert.deepEqual(viewOf("", offered), { ...wholeView(offered), unread: [] });
});

test("a link's last minute, second or day is shown to its end, as one that is typed", () => {
  const minute = instantText(start + 600_000).slice(0, -3);
  const { filter, unread } = viewOf(`to=${minute}`, offered);
  assert.equal(filter.to, instantRead(minute, true));
  assert.equal(filter.to % 60_000, 59_999);
  assert.equal(untilText(filter.to, end), `${minute}:59`);
  assert.deepEqual(unread, []);
  assert.equal(untilText(start, end), `${instantText(start)}.000`);
});

test("a link's time range at its edges is cut to what was seen, or named as what is not there", () => {
  const range = (link) => {
    const { filter, unread } = viewOf(link, offered);
    return [filter.from - start, filter.to - start, unread.length];
  };
  const lasts = end - start;
  assert.deepEqual(range(`from=${instantText(start)}&to=${instantText(end)}`), [0, lasts, 0]);
  assert.deepEqual(range("from=1999-12-31&to=2030-01-01"), [0, lasts, 0]);
  assert.deepEqual(range(`to=${instantText(start)}`), [0, 999, 0]);
  assert.deepEqual(range(`to=${instantText(start - 1)}`), [0, lasts, 1]);
  assert.deepEqual(range(`from=${instantText(end)}`), [0, lasts, 1]);
  assert.deepEqual(range(`from=${instantText(end + 1000)}`), [0, lasts, 1]);
  assert.deepEqual(range(`from=${instantText(start + 5000)}&to=${instantText(start + 4000)}`), [0, lasts, 1]);
  for (const none of ["2025-11-31", "2025-13-01", "2025-11-30 24:00", "12:00", "yesterday"]) assert.deepEqual(range(`from=${none}`), [0, lasts, 1], none);
});

test("what of a link a report does not have is named, and the rest is used", () => {
  const { filter, chosen, unread } = viewOf("share=zz&kind=cross-share&shaer=a&play-0=3&policy=x&stop=4&job=j&unit=", offered, (name) => name === "play-0");
  assert.deepEqual(unread, ["share=zz", "shaer=a", "stop=4"]);
  assert.equal(filter.text, "j");
  assert.equal(chosen.row, -1);
  for (const link of ["policy=z&stop=1", "stop=0", "stop=1.5", "stop=-1", "stop=x", "__proto__=1", "constructor=1"]) {
    assert.equal(viewOf(link, offered).unread.length, 1, link);
    assert.equal(viewOf(link, offered).chosen.row, -1);
  }
});

test("a job is shown from the moment it is submitted to the moment it ends, stops and events at their moment", () => {
  const lived = (from, to) => named(upTo(4).filter(jobFilter(jobsOf([records]), { ...all, from: start + from, to: start + to })));
  assert.deepEqual(alone.jobs.name.slice(0, 4), ["job-1", "job-2", "job-10", "job-3"]); // from 0, 2,000, 2,000, 4,000; to 1,000, 3,000, never, 5,000
  assert.deepEqual(lived(0, 1999), ["job-1"]);
  assert.deepEqual(lived(1000, 2000), ["job-1", "job-2", "job-10"]);
  assert.deepEqual(lived(1001, 1999), []);
  assert.deepEqual(lived(3000, 3999), ["job-2", "job-10"]);
  assert.deepEqual(lived(3001, 4000), ["job-10", "job-3"]);
  const seen = (filter, times, from, to) => upTo(times.length).filter(filter(records, { ...all, from, to })).length;
  for (const [filter, times] of [[stopFilter, records.stops.at], [eventFilter, records.happened.at]]) {
    const [at] = times;
    assert.deepEqual([[at, at], [at + 1, end], [start - 1, at - 1], [start, end]].map(([from, to]) => seen(filter, times, from, to) > 0), [true, times.length > 1, false, true]);
  }
});

test("jobs that are compared are shown where one of the policies has them in that time", () => {
  const every = compared.map(recordsOf);
  const jobs = jobsOf(every);
  const home = (rows) => rows.map((job) => jobs.home(job)).map(([of, row]) => of.jobs.name[row]);
  const within = (from, to) => home(upTo(jobs.total).filter(jobFilter(jobs, { ...all, from, to })));
  assert.deepEqual(home(upTo(jobs.total)), ["early", "before", "long", "only-here"]);
  assert.deepEqual(within(0, 400), ["early"]);
  assert.deepEqual(within(0, 1500), ["early", "before", "long"]);
  assert.deepEqual(within(2500, 3500), ["long"]); // ended at 2,000 in the first
  assert.deepEqual(within(4500, 9000), ["only-here"]);
  const [first, second] = [0, 1].map((k) => column(fateColumns(jobs, k, "p"), "p: became"));
  assert.deepEqual(upTo(4).map(first.text), ["succeeded", "", "succeeded", ""]);
  assert.deepEqual(upTo(4).map(second.text), ["succeeded", "waits", "failed", "waits"]);
});

test("two jobs of one name in one history are two", () => {
  const twice = recordsOf({ ...alone, jobs: { ...alone.jobs, name: alone.jobs.name.map(() => "same") } });
  assert.equal(jobsOf([twice]).total, alone.jobs.name.length);
});

test("columns stand in the order of what they mean, and what is not there comes last both ways", () => {
  const jobs = jobsOf([records]);
  const twelve = recordsOf(days);
  const submitted = column(jobColumns(jobsOf([twelve])), "submitted");
  const texts = sortedBy(submitted, upTo(12), false).map(submitted.text);
  assert.deepEqual(texts, upTo(12).map((k) => `day ${k + 1} 00:00:00`));
  assert.deepEqual(sortedBy(submitted, upTo(12), true).map(submitted.text), [...texts].reverse());
  assert.ok(twelve.jobs.submitted[11] - twelve.jobs.submitted[0] === 11 * DAY);
  assert.deepEqual(named(order(jobs, "job")), ["job-1", "job-2", "job-3", "job-10", "x"]);
  assert.deepEqual(named(order(jobs, "size")), ["job-3", "job-1", "job-2", "job-10", "x"]); // 1 u, 2 u, 10 u, 10 u and 1 v, 1 v
  assert.deepEqual(named(order(jobs, "priority")), ["job-2", "job-1", "job-10", "job-3", "x"]); // 0, 3, 20, none, none
  assert.deepEqual(named(order(jobs, "priority", true)), ["job-10", "job-1", "job-2", "job-3", "x"]);
  assert.deepEqual(named(order(jobs, "ended (UTC)")), ["job-1", "job-2", "job-3", "job-10", "x"]);
  assert.deepEqual(named(order(jobs, "ended (UTC)", true)), ["job-3", "job-2", "job-1", "job-10", "x"]);
  const when = column(stopColumns(twelve), "told to stop");
  assert.deepEqual(sortedBy(when, upTo(2), true).map(when.text), ["day 10 00:00:00", "day 9 00:00:00"]);
});

test("the reason of a stop stands before what can be left out of sight", () => {
  const headings = stopColumns(records).map((one) => one.heading);
  assert.deepEqual(headings.slice(0, 3), ["told to stop (UTC)", "job", "why allowed"]);
});

test("a saved table quotes what would end a cell or a line, and lets no text be a formula", () => {
  const cell = (text) => csvText([{ heading: "h", text: () => text }], [0]);
  const cases = {
    plain: "plain", "a,b": '"a,b"', "a;b": '"a;b"', 'say "x"': '"say ""x"""', "two\nlines": '"two\nlines"', "two\r\nlines": '"two\r\nlines"',
    "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\t=1": "'\t=1", "\r=1": "\"'\r=1\"", "\n=1": "\"'\n=1\"", '=a,"b"': "\"'=a,\"\"b\"\"\"", " =1": " =1", "": "",
  };
  for (const [text, saved] of Object.entries(cases)) assert.equal(cell(text), `h\r\n${saved}\r\n`, JSON.stringify(text));
  assert.equal(csvText([{ heading: "=h", text: () => "1.0", value: () => -1.25 }], [0]), "'=h\r\n-1.25\r\n");
  assert.equal(csvText([{ heading: "h", saved: "h (s)", text: () => "1m04", value: () => 64 }], [0]), "h (s)\r\n64\r\n");
});
