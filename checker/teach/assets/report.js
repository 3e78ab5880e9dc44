/*
 * The script of a report that stands alone: puts what can be filtered and stepped through in the place of what can only be
 * read, which stays for paper. Its data stand in the page as JSON.
 */

import { drawHistory } from "./history.js";

const reported = JSON.parse(document.getElementById("data").textContent);
document.documentElement.classList.add("live");
if (reported.timelines?.length) drawHistory(document.getElementById("history"), reported.timelines);
