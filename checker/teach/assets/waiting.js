/*
 * What stands below a share's row: the jobs that wait, in order, with the reason under the first; those that ended. No DOM.
 */

import { box, group, label, outlineOf } from "./shapes.js";
import { fitted, shownText, textWidth, wrapped } from "./letters.js";
import { jobSays } from "./described.js";

const CHIP_HIGH = 22;
const CHIP_SIZE = 11;
const CHIP_ENDED = new Set(["SUCCEEDED", "FAILED"]);

/** The jobs of a share that wait for the unit, or, having ended, asked for it. */
export function queued(frame, share, unit) {
  const asking = frame.jobs.filter((j) => j.share === share && (j.size[unit] ?? 0) > 0);
  const waiting = asking.filter((j) => j.place > 0).sort((a, b) => a.place - b.place);
  return { waiting, ended: asking.filter((j) => CHIP_ENDED.has(j.stage)) };
}

function chipText(job, unit) {
  const again = job.preemptions ? `↺${job.preemptions}${job.retries === null ? "" : `/${job.retries}`}` : "";
  const others = Object.keys(job.size).length - 1;
  const size = job.size[unit] > 1 || others ? `×${job.size[unit]}${others ? " and other units" : ""}` : "";
  if (CHIP_ENDED.has(job.stage)) return ["", job.stage === "FAILED" ? "✕ failed" : "✓ ended"];
  return [`${job.place}.`, [`prio ${job.priority}`, size, again].filter(Boolean).join(" ")];
}

/** Chips under a row, and reasons where the unit is the first of `units` that the job asks; `height` is 0 where there are none. */
export function queueShapes(frame, share, unit, { x, y, width, most = 3, units, selected, differing }) {
  const { waiting, ended } = queued(frame, share, unit);
  const inside = [];
  if (!waiting.length && !ended.length) return { inside, height: 0 };
  let [left, top, line] = [x, y, 1];
  const lead = waiting.length ? "waiting" : "";
  if (lead) {
    inside.push(label(left, top + 15, lead, { size: CHIP_SIZE, part: "dim" }));
    left += textWidth(lead, CHIP_SIZE) + 6;
  }
  const chips = [...waiting, ...ended];
  for (const [k, job] of chips.entries()) {
    const [place, more] = chipText(job, unit);
    const fixed = textWidth(place, CHIP_SIZE, true) + textWidth(more, CHIP_SIZE) + 20;
    const name = fitted(job.name, Math.max(24, Math.min(190, width - fixed)), CHIP_SIZE, true);
    const wide = fixed + textWidth(name, CHIP_SIZE, true);
    const rest = chips.length - k;
    const reserve = line === most && rest > 1 ? 52 : 0;
    if (left + wide + reserve > x + width && left > x) {
      if (line === most) {
        inside.push(group([label(left, top + 15, `+${rest} more`, { size: CHIP_SIZE, part: "dim", room: x + width - left })], {
          title: shownText(chips.slice(k, k + 20).map((j) => j.name).join(", ")),
        }));
        break;
      }
      [left, top, line] = [x, top + CHIP_HIGH + 4, line + 1];
    }
    inside.push(chip(job, { left, top, wide, place, name, more, frame, selected, differs: differing.has(job.name) }));
    left += wide + 6;
  }
  top += CHIP_HIGH + 4;
  for (const job of waiting.filter((j) => j.waits && units.find((u) => j.size[u]) === unit).slice(0, 2)) {
    const sentence = job.waits.sentence.includes(job.name) ? job.waits.sentence : `${job.name}: ${job.waits.sentence}`;
    const told = wrapped(sentence, width - 16, CHIP_SIZE, 3);
    const title = [sentence, job.waits.code, job.waits.source].filter(Boolean).join(" — ");
    const said = told.map((text, k) => label(x + 14, top + 11 + k * 15, text, { size: CHIP_SIZE }));
    inside.push(group([label(x, top + 11, "↳", { size: CHIP_SIZE, part: "dim" }), ...said], { title: shownText(title) }));
    top += told.length * 15 + 2;
  }
  return { inside, height: top - y };
}

function chip(job, { left, top, wide, place, name, more, frame, selected, differs }) {
  const gone = CHIP_ENDED.has(job.stage);
  const mark = outlineOf(job, frame, selected);
  const at = left + 6 + textWidth(place, CHIP_SIZE, true) + (place ? 4 : 0);
  const inside = [box(left, top, wide, CHIP_HIGH, differs ? "differs" : gone ? "ended" : "chip", 4)];
  if (differs) inside.push(box(left, top, wide, CHIP_HIGH, "most", 4));
  if (place) inside.push(label(left + 6, top + 15, place, { size: CHIP_SIZE, part: "dim", bold: true }));
  inside.push(label(at, top + 15, name, { size: CHIP_SIZE, bold: !gone, part: gone ? "dim" : "text" }));
  const told = at + textWidth(name, CHIP_SIZE, true) + 5;
  inside.push(label(told, top + 15, more, { size: CHIP_SIZE, part: job.stage === "FAILED" ? "warn" : "dim" }));
  if (mark) inside.push(box(left, top, wide, CHIP_HIGH, mark, 4));
  return group(inside, { job: job.name, title: jobSays(job, frame) });
}
