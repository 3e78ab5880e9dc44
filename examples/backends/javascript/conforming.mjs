// A scheduler that obeys.

import { converse } from "./backend.mjs";
import { Scheduler } from "./scheduler.mjs";

await converse("javascript", Scheduler);
