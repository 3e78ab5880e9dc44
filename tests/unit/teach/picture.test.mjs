// What a picture places and says, without a browser: run by test_picture_modules.py, which puts the modules and frames of
// plays beside it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fitted, shownText, textWidth, wrapped } from "./assets/letters.js";
import { PAINT } from "./assets/paint.js";
import { filled } from "./assets/shapes.js";
import { differingJobs, layout } from "./assets/layout.js";
import { describe, fromWhom, idleOf, idleWords, jobSays, keptForClaims } from "./assets/described.js";
import { markShapes, plotShapes, plotted } from "./assets/plot.js";
import { spans, ticks, timeText, valueAt } from "./assets/steps.js";

const plays = JSON.parse(readFileSync(new URL("./frames.json", import.meta.url), "utf8"));
const UNIT = "ml.g5.xlarge";
const borrowing = plays.walkthrough.findLast((f) => !f.jobs.some((j) => j.name === "qs2_job_1"));
const reclaiming = plays.walkthrough.find((f) => f.claims.includes("qs2_job_1"));

/** Every shape, with where it is. */
function* flat(shapes, down = 0, right = 0, above = []) {
  for (const shape of shapes) {
    if (shape.tag === "g") yield* flat(shape.inside, down + (shape.down ?? 0), right + (shape.right ?? 0), [...above, shape]);
    else yield { ...shape, down, right, above };
  }
}

const texts = (shapes) => [...flat(shapes)].filter((s) => s.tag === "text").map((s) => s.text);
const inRow = (drawn, row) => [...flat(drawn.inside)].filter((s) => s.above.some((g) => g.row === row));

/** Row -> its blocks from left to right: the job, where it begins, and where it ends. */
function blocks(drawn) {
  const rows = new Map();
  for (const shape of flat(drawn.inside)) {
    const job = shape.above.find((g) => g.job !== undefined)?.job;
    if (job === undefined || shape.tag !== "rect") continue;
    const { row } = shape.above.find((g) => g.row !== undefined);
    const found = rows.get(row) ?? rows.set(row, new Map()).get(row);
    const [from, to] = found.get(job) ?? [Infinity, -Infinity];
    found.set(job, [Math.min(from, shape.x), Math.max(to, shape.x + shape.width)]);
  }
  return new Map([...rows].map(([row, found]) => [row, [...found].sort((a, b) => a[1][0] - b[1][0])]));
}

test("text that is fitted is never wider than its room, and is the text where it fits", () => {
  for (const text of ["qs1_job_high", "W".repeat(300), "<img src=x onerror=alert(1)>", "שלום עולם", "界".repeat(40), "a\u0301".repeat(50), "👩‍🚀".repeat(9)]) {
    for (const room of [0, 5, 17, 60, 200, 5000]) assert.ok(textWidth(fitted(text, room, 12), 12) <= room, `${text} in ${room}`);
    for (const line of wrapped(text, 120, 12)) assert.ok(textWidth(line, 12) <= 120);
  }
  assert.equal(fitted("qs1_job_high", 200, 12), "qs1_job_high");
  assert.equal(fitted("qs1_job_high", 60, 12), "qs1_job…");
});

test("letters that turn the writing round or that XML cannot hold are shown as what they are not", () => {
  assert.equal(shownText("a\u202eb\u0000c\u2066d\ud800e"), "a\ufffdb\ufffdc\ufffdd\ufffde");
  assert.ok(shownText("x".repeat(10_000)).length < 500);
});

test("the walkthrough's first step says who borrows from whom, what is kept and why the third job waits", () => {
  const told = texts(layout(borrowing, 820).inside);
  for (const text of ["1 borrowed from QS2", "lent to QS1", "kept idle", "kept idle for QS3", "limit 1", "may use 3, can get 2", "2 / 1"]) {
    assert.ok(told.includes(text), `${text} is not among ${told.join(" | ")}`);
  }
  assert.ok(told.some((text) => text.startsWith("qs1_job_low waits")));
});

test("what is called idle is there, and the environment's row adds up to what exists", () => {
  let [idle, kept] = [0, 0];
  for (const [name, frames] of Object.entries(plays)) {
    for (const [k, frame] of frames.entries()) {
      for (const unit of frame.units) {
        const named = frame.bars.filter((b) => b.unit === unit.unit && idleOf(b) > 0 && idleWords(b, frame) === "idle");
        const sum = named.reduce((n, b) => n + idleOf(b), 0);
        assert.ok(sum <= unit.free, `${name} ${k}: ${sum} idle, ${unit.free} free`);
        const claimed = keptForClaims(unit);
        assert.ok(!claimed || frame.claims.length, `${name} ${k}`);
        const told = describe(frame).find((s) => s.startsWith("Environment") && s.includes(` ${unit.unit} `));
        assert.equal(told.includes(`${claimed} kept for `), claimed > 0);
        idle += sum;
        kept += claimed;
      }
    }
  }
  assert.ok(idle > 50 && kept > 0, `${idle} idle, ${kept} kept`);
});

test("a borrowed machine is drawn beyond the limit, with the borrowed pattern", () => {
  const row = inRow(layout(borrowing, 820), `${UNIT} QS1`);
  const limit = Number(row.find((s) => s.part === "limit").d.match(/^M([\d.]+)/)[1]);
  const borrowed = row.filter((s) => s.part === "borrowed" && !s.plate);
  assert.equal(borrowed.length, 1);
  assert.ok(borrowed[0].x >= limit && row.some((s) => s.part === "hatch"));
  assert.ok(row.filter((s) => s.part === "own" && !s.plate).every((s) => s.x + s.width <= limit));
});

test("a victim drains with stripes for the job that its machine is kept for", () => {
  const drawn = layout(reclaiming, 820);
  assert.ok(inRow(drawn, `${UNIT} QS1`).some((s) => s.part === "stripes"));
  const lender = inRow(drawn, `${UNIT} QS2`);
  assert.ok(lender.some((s) => s.part === "claim") && lender.some((s) => s.text === "kept for qs2_job_1"));
});

test("blocks stand side by side in their row, each as wide as its job is large", () => {
  let jobs = 0;
  for (const [name, frames] of Object.entries(plays)) {
    for (const [k, frame] of frames.entries()) {
      for (const width of [320, 900]) {
        const rows = blocks(layout(frame, width));
        for (const bar of frame.bars) {
          const found = rows.get(`${bar.unit} ${bar.share}`) ?? [];
          const scales = found.map(([job, [from, to]]) => (to - from + 2) / frame.jobs.find((j) => j.name === job).size[bar.unit]);
          for (let n = 0; n < found.length; n += 1) {
            assert.ok(Math.abs(scales[n] - scales[0]) < 0.01, `${name} ${k}: ${found[n][0]}`);
            if (n) assert.ok(Math.abs(found[n][1][0] - found[n - 1][1][1] - 2) < 0.01, `${name} ${k}: ${found[n][0]}`);
            assert.ok(found[n][1][0] >= 0 && found[n][1][1] <= width, `${name} ${k}: ${found[n][0]} leaves its row`);
          }
          const held = frame.jobs.filter((j) => j.share === bar.share && j.size[bar.unit] && ["SCHEDULED", "STARTING", "RUNNING", "DRAINING"].includes(j.stage));
          assert.deepEqual(found.map(([job]) => job).sort(), held.map((j) => j.name).sort());
          jobs += found.length;
        }
      }
    }
  }
  assert.ok(jobs > 200, `${jobs} jobs`);
});

test("whatever waits stands in the queue of each unit it asks, its number before it", () => {
  const frame = plays["jobs-too-large"].at(-1);
  const told = texts(layout(frame, 900).inside);
  for (const job of frame.jobs.filter((j) => j.place > 0)) {
    assert.ok(told.includes(job.name) && told.includes(`${job.place}.`), job.name);
    if (job.waits) assert.ok(told.some((text) => text.includes("can never run")), job.name);
  }
});

test("no two kinds of machines differ by colour alone", () => {
  const kinds = ["own", "borrowed", "lent", "maybe", "idle", "kept", "draining", "claim", "ghost"];
  const looks = kinds.map((part) => {
    const [, pattern] = filled(0, 0, 40, 40, part);
    const white = ["#ffffff", "none"].includes(PAINT[part].fill);
    return JSON.stringify([pattern?.part ?? "", pattern?.d.length ?? 0, PAINT[part]["stroke-dasharray"] ?? "", white]);
  });
  assert.equal(new Set(looks).size, kinds.length);
});

test("in two plays beside each other rows stand level, and jobs that differ are named", () => {
  const drawn = layout(borrowing, 1100, { beside: reclaiming, label: "one", besideLabel: "other" });
  const sides = drawn.inside.filter((g) => g.side).map((side) => [...flat([side])]);
  const rowTops = sides.map((shapes) => shapes.filter((s) => s.part === "limit").map((s) => s.d.match(/^M[\d.]+ ([\d.]+)/)[1]));
  assert.equal(rowTops.length, 2);
  assert.deepEqual(rowTops[0], rowTops[1]);
  assert.deepEqual([...differingJobs(reclaiming, borrowing)].sort(), ["qs1_job_med", "qs2_job_1"]);
  assert.deepEqual([...differingJobs(borrowing, structuredClone(borrowing))], []);
});

test("the words of a picture name every share and job, and what is lent", () => {
  const told = describe(borrowing).join("\n");
  for (const part of ["2 of 3 ml.g5.xlarge machines in use, 1 kept idle", "1 borrowed from QS2", "QS2, ml.g5.xlarge: uses 0 of its limit 1; 1 lent", "kept idle and never lent"]) {
    assert.ok(told.includes(part), `${part} is not in ${told}`);
  }
  for (const { name } of [...borrowing.shares, ...borrowing.jobs]) assert.ok(told.includes(name));
});

test("the job of a step that breaks a guarantee has a cross, and the legend says what that means", () => {
  const frame = structuredClone(borrowing);
  frame.line = { ...frame.line, job: "qs1_job_med", share: "QS1", broken: [{ code: "G2", name: "", sentence: "" }] };
  const shapes = [...flat(layout(frame, 820).inside)];
  assert.deepEqual(shapes.filter((s) => s.text === "✕").map((s) => s.above.find((g) => g.job).job), ["qs1_job_med"]);
  assert.ok(shapes.some((s) => s.text === "breaks a guarantee"));
  assert.ok(!texts(layout({ ...frame, line: { ...frame.line, broken: [] } }, 820).inside).includes("breaks a guarantee"));
});

test("a lender is named only where what is borrowed can be its", () => {
  const taken = structuredClone(borrowing);
  Object.assign(taken.bars[0], { borrowed: 2 });
  Object.assign(taken.units[0], { used: 3, free: 0 });
  const told = texts(layout(taken, 820).inside);
  assert.ok(told.includes("2 borrowed, 1 lent") && told.includes("kept, not there"), told.join(" | "));
  const open = structuredClone(borrowing);
  for (const bar of open.bars.slice(1)) Object.assign(bar, { lent_least: 0, lent_most: 1, reserved_idle: 0 });
  assert.ok(texts(layout(open, 820).inside).includes("1 borrowed from QS2 or QS3"));
  assert.ok(texts(layout(open, 820).inside).includes("0–1 lent to QS1"));
  open.units[0].capacity += 5;
  assert.ok(texts(layout(open, 820).inside).includes("1 borrowed from QS2 or QS3"));
});

test("what is borrowed is somebody's for sure only where nobody else can have lent it", () => {
  const from = (borrowed, lent, unowned = 0) => {
    const frame = structuredClone(borrowing);
    frame.bars.forEach((bar, i) => Object.assign(bar, { borrowed: borrowed[i], lent_most: lent[i] }));
    frame.units[0].unowned_lent = unowned;
    return frame.bars.map((bar) => (bar.borrowed ? fromWhom(bar, frame) : ""));
  };
  assert.deepEqual(from([1, 0, 0], [0, 1, 0]), [" from QS2", "", ""]);
  assert.deepEqual(from([2, 0, 0], [0, 1, 1]), [" from QS2 and QS3", "", ""]);
  assert.deepEqual(from([1, 0, 0], [0, 1, 1]), [" from QS2 or QS3", "", ""]);
  assert.deepEqual(from([2, 0, 0], [0, 1, 0], 1), [" from QS2 and what no share owns", "", ""]);
  assert.deepEqual(from([2, 0, 0], [0, 2, 0], 2), [" from QS2 or what no share owns", "", ""]);
  assert.deepEqual(from([1, 1, 0], [0, 0, 2]), [" from QS3", " from QS3", ""]);
  assert.deepEqual(from([1, 1, 0], [0, 0, 1], 1), [" from QS3 or what no share owns", " from QS3 or what no share owns", ""]);
  assert.deepEqual(from([2, 0, 0], [0, 0, 0]), [", none lent", "", ""]);
  assert.deepEqual(from([2, 1, 0], [0, 0, 1]), ["", "", ""]);
});

test("a job that counts as borrowing of a share that does not borrow is not said to be of one that does", () => {
  const frame = structuredClone(borrowing);
  const job = frame.jobs.find((j) => Object.values(j.borrows).some((n) => n > 0));
  assert.ok(jobSays(job, frame).includes("can be stopped for a lender: its share borrows 1 × ml.g5.xlarge"));
  for (const bar of frame.bars) bar.borrowed = 0;
  assert.ok(jobSays(job, frame).includes("can be stopped for a lender: it counts as borrowing 1 × ml.g5.xlarge"));
});

/** Numbers that are the same each time. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * below);
  };
}

function series(next, count, most) {
  const times = [...new Set(Array.from({ length: count }, () => next(10_000)))].sort((a, b) => a - b);
  return [times, times.map(() => next(most))];
}

test("spans are exact while there are fewer changes than columns, and keep every peak when there are more", () => {
  const next = numbers(7);
  for (let round = 0; round < 60; round += 1) {
    const [used, limit] = [series(next, 1 + next(300), 9), series(next, 1 + next(5), 9)];
    const from = next(5_000);
    const to = from + 1 + next(5_000);
    const exact = spans({ used, limit }, from, to, 1_000);
    for (let k = 0; k < exact.count; k += 1) {
      for (const t of [exact.from[k], (exact.from[k] + exact.to[k]) / 2]) {
        assert.equal(exact.values.used[k], valueAt(used, t));
        assert.equal(exact.values.limit[k], valueAt(limit, t));
      }
    }
    const rough = spans({ used }, from, to, 20);
    for (const [k, t] of used[0].entries()) {
      if (t < from || t >= to) continue;
      const at = rough.from.findLastIndex((start) => start <= t);
      assert.ok(rough.values.used[at] >= used[1][k], `the peak at ${t} is lost`);
    }
    for (const found of [exact, rough]) {
      assert.equal(found.from[0], from);
      assert.equal(found.to[found.count - 1], to);
      assert.deepEqual(found.from.slice(1), found.to.slice(0, -1));
    }
  }
});

test("no maximum is more than any number in a column", () => {
  const found = spans({ most: [[0, 1, 2, 3], [4, null, 9, 1]] }, 0, 4, 1);
  assert.deepEqual(found.values.most, [null]);
});

test("ticks are round, few, and told as exactly as they are apart", () => {
  const day = 86_400_000;
  const start = Date.UTC(2026, 10, 2, 9, 30);
  for (const [span, most] of [[20, 5], [60_000, 5], [day, 8], [30 * day, 10], [4_000 * day, 12]]) {
    const { at, step } = ticks(start, start + span, most, "ms");
    assert.ok(at.length >= 1 && at.length <= most + 1, `${at.length} ticks in ${span}`);
    assert.equal(new Set(at.map((t) => timeText(t, step, "ms"))).size, at.length);
  }
  assert.deepEqual(ticks(0, 40, 4, "step").at, [0, 10, 20, 30, 40]);
  assert.equal(timeText(start, 3_600_000, "ms"), "09:30");
  assert.equal(timeText(Date.UTC(2026, 10, 3), 3_600_000, "ms"), "11-03 00:00");
});

test("stops that would cover each other are one mark, and the picked one is always the mark's", () => {
  const stops = Array.from({ length: 500 }, (_, t) => ({ t: 1_000 + t, job: `j${t}`, share: "A", by: "", kind: "cross-share", reason: "", unit: "" }));
  const row = { name: "A", unit: "u", limit: [[0], [2]], most: [[0], [null]], used: [[0, 500], [1, 4]], draining: [[], []], waiting: [[], []] };
  const timeline = { time: "step", start: 0, end: 10_000, units: ["u"], shares: [row], capacity: [], stops, gaps: [{ from: 20, to: 40, why: "off" }] };
  const view = { unit: "u", shares: null, from: 0, to: 10_000, picked: 321, passes: () => true, width: 800 };
  const drawn = plotted(timeline, view);
  assert.ok(drawn.marks.length < 10);
  assert.equal(drawn.marks.reduce((n, mark) => n + mark.count, 0), 500);
  assert.deepEqual(drawn.marks.filter((m) => m.picked).map((m) => m.index), [321]);
  const parts = new Set([...flat([...plotShapes(timeline, view, drawn), markShapes(drawn)])].map((s) => s.part));
  for (const part of ["ownArea", "borrowedArea", "hatch", "limitLine", "stopCross", "chosen", "gap"]) assert.ok(parts.has(part), part);
  const asked = plotted(timeline, { ...view, passes: (k) => k % 2 === 0 });
  assert.equal(asked.marks.filter((m) => !m.pale).reduce((n, mark) => n + mark.count, 0), 250);
  assert.deepEqual(asked.marks.map((m) => m.pale), asked.marks.map((m) => m.pale).sort());
  assert.deepEqual(asked.marks.filter((m) => m.picked).map((m) => [m.index, m.pale]), [[321, true]]);
  assert.deepEqual([...flat([markShapes(asked)])].map((s) => s.part).filter((part) => part !== "chosen"), ["stopPale", "stopCross"]);
});
