// Reads the corpus with nothing but JSON: every file that the index names, and the fields that it must have.
"use strict";
const fs = require("fs");
const path = require("path");

const folder = process.argv[2];
const read = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
const fail = (file, why) => { throw new Error(`${file}: ${why}`); };
const VERBS = new Set([
  "submit", "set-priority", "terminate", "advance", "finish", "return", "stopped", "set-limits", "set-sharing",
  "set-in-share", "set-share-state", "create-share", "delete-share", "set-capacity", "set-environment-state",
  "set-queue-state", "settle",
]);

let steps = 0;
const rows = read("index.json").scenarios;
for (const row of rows) {
  const scenario = read(row.file);
  for (const key of ["name", "about", "restsOn", "queue", "steps", "checks"]) {
    if (!(key in scenario)) fail(row.file, `has no ${key}`);
  }
  if (scenario.scenario !== 1) fail(row.file, "is of another version");
  if (scenario.name !== row.name || scenario.about !== row.about) fail(row.file, "is not what the index says");
  if (String(scenario.features ?? []) !== String(row.features)) fail(row.file, "needs something else");
  const shares = new Set(scenario.queue.shares.map((share) => share.name));
  for (const step of scenario.steps) {
    const verbs = Object.keys(step).filter((key) => VERBS.has(key));
    if (verbs.length !== 1) fail(row.file, `a step is not understood: ${JSON.stringify(step)}`);
    if (verbs[0] === "create-share") shares.add(step["create-share"].name);
    if (verbs[0] === "submit" && !step.size) fail(row.file, "a job has no size");
    steps += 1;
  }
  if (shares.size === 0) fail(row.file, "has no shares");
}
console.log(`${rows.length} scenarios, ${steps} steps`);
