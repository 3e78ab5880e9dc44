// The conversation with quotaproof: a message a line on standard input, an answer a line on standard output.

import { createInterface } from "node:readline";
import { Queue } from "./queue.mjs";
import { STEPS, platform } from "./world.mjs";

const ENOUGH = 300; // steps of one settle: after so many it goes round

function play(form, steps, Scheduler) {
  const queue = new Queue(form);
  const scheduler = new Scheduler(queue);
  const trace = [];
  for (const step of steps) {
    if (step.settle) {
      let left = ENOUGH;
      for (let done = true; done; ) {
        if (left-- === 0) return { errored: "it does not settle", trace };
        done = scheduler.next();
        if (done) scheduler.apply(done);
        else if (step.settle === "all") done = platform(queue);
        if (done) trace.push(done);
      }
      trace.push({ settled: true });
    } else {
      const [verb] = Object.keys(step).filter((key) => key in STEPS);
      const happened = STEPS[verb](queue, step);
      if (happened) trace.push(happened);
    }
  }
  return { trace };
}

export async function converse(name, Scheduler) {
  const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  let queue;
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.cmd === "start") say({ protocol: 1, name, version: "1.0", claims: true });
    if (message.cmd === "configure") queue = message.queue;
    if (message.cmd === "run") say({ id: message.id, ...play(queue, message.steps, Scheduler) });
    if (message.cmd === "stop") process.exit();
  }
}
