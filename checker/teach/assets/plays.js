/*
 * The part of a report that steps through scenarios: a slider over the frames, the picture, what happened in sentences, and
 * the guarantees as lamps. Python writes the frames (report/plays.py) without what stays as it was.
 */

import { made } from "./elements.js";
import { drawPlay } from "./picture.js";

const LAMP_TEXT = { dark: "has not come up", kept: "kept", broken: "broken", unpromised: "is not promised here" };

const LISTS = ["units", "bars", "shares", "jobs"];

/** The frames, each whole. */
export function wholeFrames(play) {
  let before = {};
  let lamps = play.lamps.map((lamp) => ({ ...lamp, state: "dark", since: 0, because: "" }));
  return play.frames.map((told) => {
    lamps = lamps.slice();
    for (const [place, state, since, because] of told.lamps) lamps[place] = { ...lamps[place], state, since, because };
    const lists = LISTS.filter((name) => told[name]).map((name) => [name, told[name].map((place) => play.parts[place])]);
    before = { ...before, ...told, ...Object.fromEntries(lists), lamps };
    return before;
  });
}

function sentences(line) {
  const told = line.said.map((said) => {
    const rests = [said.code, said.source].filter(Boolean).join(", ");
    return made("p", {}, said.sentence, ...(rests ? [" ", made("span", { className: "small" }, `(${rests})`)] : []));
  });
  const broken = line.broken.map((b) => made("p", { className: "broken" }, made("strong", {}, `BROKEN ${b.code} ${b.name}. `), b.sentence));
  return [...told, ...broken, ...(line.note ? [made("p", { className: "small" }, line.note)] : [])];
}

function lampList(frame) {
  const lit = frame.lamps.filter((lamp) => lamp.state !== "dark");
  const dark = frame.lamps.length - lit.length;
  const items = lit.sort((a, b) => (a.state === b.state ? 0 : a.state === "broken" ? -1 : 1)).map((lamp) => {
    const why = lamp.state === "broken" ? ` since step ${lamp.since}: ${lamp.because}` : lamp.state === "unpromised" ? `: ${lamp.because}` : "";
    return made("li", { className: lamp.state, title: lamp.sentence }, made("b", {}, lamp.code), ` ${lamp.name} ${LAMP_TEXT[lamp.state]}${why}`);
  });
  return [made("ul", { className: "lamps", "aria-label": "Guarantees so far" }, ...items), made("p", { className: "small" }, `${dark} of ${frame.lamps.length} have not come up.`)];
}

/** A play that can be stepped through, drawn into `target`; `name` is the one in the address (#NAME=step). */
export function drawSteps(target, play, name) {
  const frames = wholeFrames(play);
  const last = frames.length - 1;
  if (last < 0) return;
  const named = frames.findIndex((frame) => frame.line.broken.some((b) => b.code === play.breaks));
  const firstBroken = named >= 0 ? named : frames.findIndex((frame) => frame.line.broken.length);
  let at = 0;
  const slider = made("input", { type: "range", min: 0, max: last, value: 0, "aria-label": `Step of ${play.title}`, oninput: () => go(Number(slider.value)) });
  const count = made("span", { className: "rows" });
  const button = (label, to) => made("button", { type: "button", onclick: () => go(to()) }, label);
  const jumps = [button("First", () => 0), button("Back", () => at - 1), button("Next", () => at + 1), button("Last", () => last)];
  if (firstBroken >= 0) jumps.push(button("To the break", () => firstBroken));
  const marks = made("div", { className: "marks", "aria-hidden": true });
  frames.forEach((frame, k) => {
    if (!frame.line.broken.length) return;
    const mark = made("span");
    mark.style.left = `${last ? (100 * k) / last : 0}%`;
    marks.append(mark);
  });
  const said = made("div", { className: "said", role: "status" });
  const picture = made("div", { className: "picture" });
  const lamps = made("div");
  const steps = frames.map((frame, k) => made("li", { className: frame.line.broken.length ? "broken" : "" },
    made("button", { type: "button", onclick: () => go(k) }, `${k}. ${frame.line.said[0]?.sentence ?? frame.line.kind}`)));
  const list = made("details", {}, made("summary", {}, "All steps"), made("ol", { className: "steps", start: 0 }, ...steps));
  const bar = made("div", { className: "bar" }, ...jumps, made("div", { className: "slider" }, slider, marks), count);

  function go(to, remembers = true) {
    at = Math.max(0, Math.min(to, last));
    const frame = frames[at];
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", `step ${at} of ${last}: ${frame.line.said[0]?.sentence ?? ""}`);
    count.textContent = `step ${at} of ${last}`;
    said.replaceChildren(...sentences(frame.line));
    lamps.replaceChildren(...lampList(frame));
    steps.forEach((step, k) => (k === at ? step.setAttribute("aria-current", "step") : step.removeAttribute("aria-current")));
    jumps[0].disabled = jumps[1].disabled = at === 0;
    jumps[2].disabled = jumps[3].disabled = at === last;
    drawPlay(picture, frame, { legend: true });
    if (remembers) history.replaceState(null, "", `#${name}=${at}`);
  }

  target.replaceChildren(bar, said, picture, lamps, list);
  const asked = () => Number(new URLSearchParams(location.hash.slice(1)).get(name) ?? NaN);
  addEventListener("hashchange", () => Number.isInteger(asked()) && go(asked(), false));
  let wide = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== wide) go(at, false);
    wide = innerWidth;
  });
  go(Number.isInteger(asked()) ? asked() : firstBroken >= 0 ? firstBroken : last, false);
}
