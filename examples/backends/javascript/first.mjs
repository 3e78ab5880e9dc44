// The smallest backend: it takes jobs and starts none. Every message of the conversation is here.

import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

function play(queue, steps) {
  const trace = [];
  for (const step of steps) {
    if (step.submit && queue.shares.some((share) => share.name === step.share)) {
      trace.push({ ...step, priority: step.priority ?? 0, retries: step.retries ?? null });
    } else if (step.submit) {
      trace.push({ reject: step.submit, share: step.share, reason: "there is no such share" });
    }
    if (step.settle) trace.push({ settled: true });
  }
  return trace;
}

let queue;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.cmd === "start") say({ protocol: 1, name: "first", features: [] });
  if (message.cmd === "configure") queue = message.queue;
  if (message.cmd === "run") say({ id: message.id, trace: play(queue, message.steps) });
  if (message.cmd === "stop") process.exit();
}
