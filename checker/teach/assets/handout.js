/*
 * The script of a handout: draws each of its pictures in the place that is kept for it, the signs explained under the first
 * one of each lesson. Its data stand in the page as JSON.
 */

import { drawPlay } from "./picture.js";

const handedOut = JSON.parse(document.getElementById("data").textContent);
for (const [number, { frame, legend }] of handedOut.pictures.entries()) {
  drawPlay(document.getElementById(`picture-${number}`), frame, { width: 640, legend });
}
