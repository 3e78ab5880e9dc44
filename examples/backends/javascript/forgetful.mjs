// A scheduler with a bug: it does not keep what victims free for the job that they were stopped for. A victim that has
// stopped is RUNNABLE again, and borrows the machine again before the owner has all it needs. Guarantee G7.

import { converse } from "./backend.mjs";
import { Scheduler } from "./scheduler.mjs";

class Forgetful extends Scheduler {
  keepsClaims() {
    return true;
  }
}

await converse("javascript-forgetful", Forgetful);
