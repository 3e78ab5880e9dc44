/*
 * The script of a report that stands alone: puts what can be filtered and stepped through in the place of what can only be
 * read, which stays for paper. Its data stand in the page as JSON.
 */

import { drawHistory } from "./history.js";
import { drawSteps } from "./plays.js";

function drawWhenOpen(target, play, name) {
  const details = target.closest("details");
  if (new URLSearchParams(location.hash.slice(1)).has(name)) details?.setAttribute("open", "");
  if (!details || details.open) drawSteps(target, play, name);
  else details.addEventListener("toggle", () => drawSteps(target, play, name), { once: true });
}

const reported = JSON.parse(document.getElementById("data").textContent);
document.documentElement.classList.add("live");
if (reported.timelines?.length) drawHistory(document.getElementById("history"), document.getElementById("records"), reported.timelines);
reported.plays?.forEach((play, k) => drawWhenOpen(document.getElementById(`play-${k}`), play, `play-${k}`));
