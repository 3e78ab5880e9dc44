// What users, the platform and administrators do to a queue: one function for each step of a scenario. It returns what
// happened, in the words of a trace; a step that is impossible as things stand happens not at all.

const LIVE = ["RUNNABLE", "SCHEDULED", "STARTING", "RUNNING", "DRAINING"];
const HOLDING = LIVE.slice(1);

function job(queue, name, ...states) {
  const found = queue.jobs.get(name);
  return found && states.includes(found.state) ? found : undefined;
}

function ofJob(name, states, happen) {
  return (queue, step) => {
    const found = job(queue, step[name], ...states);
    return found && happen(queue, found, step);
  };
}

function ofShare(name, happen) {
  return (queue, step) => {
    const found = queue.shares.get(step[name]);
    return found && happen(found, step, queue);
  };
}

export const STEPS = {
  submit(queue, { submit: name, share, size, priority = 0, retries = null }) {
    if (!queue.enabled || queue.shares.get(share)?.state !== "ENABLED") {
      return { reject: name, share, reason: "the queue or the share takes no jobs" };
    }
    const order = queue.clock++;
    queue.jobs.set(name, { name, share, size, priority, retries, order, preemptions: 0, state: "RUNNABLE" });
    return { submit: name, share, size, priority, retries };
  },
  "set-priority": ofJob("set-priority", LIVE, (queue, found, { priority }) => {
    found.priority = priority;
    return { reprioritise: found.name, priority };
  }),
  terminate: ofJob("terminate", LIVE, (queue, found) => {
    queue.move(found, "FAILED");
    return { terminate: found.name };
  }),

  advance: ofJob("advance", ["SCHEDULED", "STARTING"], (queue, found) => {
    const starting = found.state === "SCHEDULED";
    found.state = starting ? "STARTING" : "RUNNING";
    return starting ? { start: found.name } : { run: found.name };
  }),
  finish: ofJob("finish", HOLDING, (queue, found, { failed = false }) => {
    queue.move(found, failed ? "FAILED" : "SUCCEEDED");
    return { finish: found.name, failed };
  }),
  return: ofJob("return", ["SCHEDULED"], (queue, found) => {
    queue.move(found, "RUNNABLE");
    return { return: found.name };
  }),
  stopped: ofJob("stopped", ["DRAINING"], (queue, found) => {
    found.preemptions += 1; // attempts are not counted: a preempted job may run again
    const spent = found.retries !== null && found.preemptions > found.retries;
    queue.move(found, spent ? "FAILED" : "RUNNABLE");
    return { preempted: found.name, stage: found.state, count: found.preemptions };
  }),

  "set-limits": ofShare("set-limits", (share, { limits }) => {
    share.limits = limits;
    return { share: share.name, limits };
  }),
  "set-sharing": ofShare("set-sharing", (share, { strategy, borrowLimit }) => {
    Object.assign(share, { strategy, borrowLimit: borrowLimit ?? -1 });
    return { share: share.name, strategy, borrowLimit }; // undefined is left out of JSON
  }),
  "set-in-share": ofShare("set-in-share", (share, { enabled }) => {
    share.inSharePreemption = enabled;
    return { share: share.name, inSharePreemption: enabled };
  }),
  "set-share-state": ofShare("set-share-state", (share, { state }) => {
    share.state = state;
    return { share: share.name, state };
  }),
  "create-share": (queue, { "create-share": form }) => {
    if (queue.shares.has(form.name)) return undefined;
    queue.addShare(form);
    return { "share-created": form };
  },
  "delete-share": ofShare("delete-share", (share) => {
    Object.assign(share, { state: "DISABLED", deleting: true });
    return { "share-deleted": share.name };
  }),
  "set-capacity": (queue, { "set-capacity": capacity }) => {
    queue.capacity = capacity;
    return { environment: capacity };
  },
  "set-environment-state": (queue, { "set-environment-state": state }) => {
    queue.environmentEnabled = state === "ENABLED";
    return { environment: state };
  },
  "set-queue-state": (queue, { "set-queue-state": state }) => {
    queue.enabled = state === "ENABLED";
    return { queue: state };
  },
};

/** What the platform does by itself while a queue settles: victims stop, then a deleted share ends with its jobs. */
export function platform(queue) {
  const victim = queue.live().find((found) => found.state === "DRAINING");
  if (victim) return STEPS.stopped(queue, { stopped: victim.name });
  for (const share of queue.shares.values()) {
    if (!share.deleting) continue;
    const left = queue.live().find((found) => found.share === share.name);
    if (left) return STEPS.terminate(queue, { terminate: left.name });
    queue.shares.delete(share.name);
    return { "share-gone": share.name };
  }
  return undefined;
}
