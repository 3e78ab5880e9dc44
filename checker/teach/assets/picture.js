/*
 * Draws a play's picture as SVG: into a page (`drawPlay`), or as one that stands alone (`slide`).
 *
 * Whatever comes from outside goes through `textContent` and `setAttribute`, so that it is text and never markup. What is
 * where is decided by layout.js.
 */

import { PAINT } from "./paint.js";
import { box, group, label } from "./shapes.js";
import { describe } from "./described.js";
import { shownText, wrapped } from "./letters.js";
import { layout } from "./layout.js";

const SVG_SPACE = "http://www.w3.org/2000/svg";
const PICTURE_FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', Verdana, Arial, sans-serif";
const SHAPE_NUMBERS = ["x", "y", "width", "height", "rx", "d"];

export function svgElement(name, attributes = {}, text = null) {
  const element = document.createElementNS(SVG_SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== null) element.textContent = text;
  return element;
}

/** The SVG of a shape. With `pick` what can be picked is a button; with `plain` no class is set, for where no sheet is. */
export function svgOf(shape, { pick = {}, plain = false } = {}) {
  if (shape.tag === "g") {
    const element = svgElement("g");
    if (shape.down || shape.right) element.setAttribute("transform", `translate(${shape.right ?? 0} ${shape.down ?? 0})`);
    const kind = shape.job !== undefined ? "job" : shape.share !== undefined ? "share" : "";
    if (kind) element.setAttribute(`data-${kind}`, shape[kind]);
    if (shape.row !== undefined) element.setAttribute("data-row", shape.row);
    if (kind && pick[kind]) {
      const given = { role: "button", tabindex: -1, class: "qp-pick", "aria-label": shape.title };
      for (const [key, value] of Object.entries(given)) element.setAttribute(key, String(value));
    }
    if (shape.title) element.append(svgElement("title", {}, shape.title));
    for (const each of shape.inside) element.append(svgOf(each, { pick, plain }));
    return element;
  }
  const element = svgElement(shape.tag, PAINT[shape.part]);
  if (!plain) element.setAttribute("class", shape.plate ? `qp-${shape.part} qp-plate` : `qp-${shape.part}`);
  for (const key of SHAPE_NUMBERS) if (shape[key] !== undefined) element.setAttribute(key, String(shape[key]));
  if (shape.plate) element.setAttribute("stroke", "none");
  if (shape.tag === "text") {
    element.setAttribute("font-size", String(shape.size));
    if (shape.bold) element.setAttribute("font-weight", "bold");
    if (shape.anchor !== "start") element.setAttribute("text-anchor", shape.anchor);
    element.textContent = shape.text;
  }
  return element;
}

function root(drawn, title, told) {
  const given = { viewBox: `0 0 ${drawn.width} ${drawn.height}`, width: drawn.width, height: drawn.height, "font-family": PICTURE_FONT };
  const svg = svgElement("svg", { ...given, direction: "ltr" });
  svg.append(svgElement("title", {}, title), svgElement("desc", {}, told));
  return svg;
}

export function hiddenList(told) {
  const list = document.createElement("ul");
  list.className = "qp-hidden";
  for (const sentence of told) {
    const item = document.createElement("li");
    item.textContent = sentence;
    list.append(item);
  }
  return list;
}

function steer(svg, pick) {
  const buttons = () => [...svg.querySelectorAll(".qp-pick")];
  const chosen = (event) => event.target.closest?.(".qp-pick");
  const picked = (element, event) => {
    const kind = element.hasAttribute("data-job") ? "job" : "share";
    pick[kind](element.getAttribute(`data-${kind}`), event);
  };
  const focus = (element) => {
    for (const each of buttons()) each.setAttribute("tabindex", each === element ? "0" : "-1");
    element.focus();
  };
  svg.addEventListener("click", (event) => {
    const element = chosen(event);
    if (!element) return;
    focus(element);
    picked(element, event);
  });
  svg.addEventListener("keydown", (event) => {
    const element = chosen(event);
    if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = buttons();
    const k = all.indexOf(element);
    const to = { ArrowRight: k + 1, ArrowDown: k + 1, ArrowLeft: k - 1, ArrowUp: k - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) focus(all[Math.max(0, Math.min(to, all.length - 1))]);
    else if (event.key === "Enter" || event.key === " ") picked(element, event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/**
 * Draws a frame into an element, in place of what was drawn there; the focus stays on the same job or share.
 *
 * `beside` is the frame of another play to compare with, `selected` a job's name or `{share}`; `onJob(name, event)` and
 * `onShare(name, event)` make jobs and shares buttons; `width` is the element's where it is left out.
 */
export function drawPlay(target, frame, { beside = null, selected = null, onJob = null, onShare = null, width, label: name = "", besideLabel = "", legend = true } = {}) {
  const drawn = layout(frame, Math.max(width ?? (target.clientWidth || 640), 240), { beside, selected, label: name, besideLabel, legend });
  const pick = { ...(onJob && { job: onJob }), ...(onShare && { share: onShare }) };
  const told = describe(frame);
  const title = beside ? `Two plays beside each other: ${name || "this play"} and ${besideLabel || "the one beside it"}` : "Quota shares and their jobs";
  const svg = root(drawn, title, told.slice(0, frame.units.length).join(" "));
  svg.setAttribute("class", "qp-picture");
  svg.setAttribute("role", onJob || onShare ? "group" : "img");
  svg.setAttribute("aria-label", shownText(title));
  for (const shape of drawn.inside) svg.append(svgOf(shape, { pick }));
  const before = target.contains(document.activeElement) ? document.activeElement : null;
  const [job, share] = [before?.getAttribute("data-job"), before?.getAttribute("data-share")];
  const buttons = [...svg.querySelectorAll(".qp-pick")];
  const again = buttons.find((b) => (job && b.getAttribute("data-job") === job) || (share && b.getAttribute("data-share") === share));
  (again ?? buttons[0])?.setAttribute("tabindex", "0");
  if (buttons.length) steer(svg, pick);
  const lists = [hiddenList(told)];
  if (beside) lists.push(hiddenList(describe(beside).map((sentence) => `${besideLabel || "Beside it"}: ${sentence}`)));
  target.replaceChildren(svg, ...lists);
  again?.focus({ preventScroll: true });
}

/** A slide's caption: its first line large, the others (or what does not fit) small. */
function captionLines(caption, room) {
  const [first, ...more] = [caption].flat().filter(Boolean);
  const head = first ? wrapped(first, room, 19, 3, true).map((text) => ({ text, size: 19, bold: true, step: 27 })) : [];
  return [...head, ...more.flatMap((each) => wrapped(each, room, 14, 3)).map((text) => ({ text, size: 14, bold: false, step: 20 }))];
}

/**
 * One frame as an SVG that needs nothing else: its colours in it, white paper, also readable without colour. `caption` is a
 * sentence, or several of which the first is the heading.
 */
export function slide(frame, { width = 960, caption = "", beside = null, label: name = "", besideLabel = "" } = {}) {
  const drawn = layout(frame, width, { beside, label: name, besideLabel });
  const head = captionLines(caption, width - 32);
  const broken = frame.line.broken.flatMap((b) => wrapped(`✕ ${b.code} broken: ${b.sentence}`, width - 32, 14, 3, true));
  const top = head.reduce((y, line) => y + line.step, head.length ? 14 : 6);
  const height = top + drawn.height + broken.length * 20 + 12;
  const texts = [
    ...head.map((line, k) => label(16, 10 + head.slice(0, k + 1).reduce((y, each) => y + each.step, 0) - 7, line.text, line)),
    ...broken.map((line, k) => label(16, top + drawn.height + 16 + k * 20, line, { size: 14, bold: true, part: "warn" })),
  ];
  const svg = root({ width, height }, shownText([caption].flat()[0] || "Quota shares and their jobs"), describe(frame).join(" "));
  svg.setAttribute("role", "img");
  const paper = { ...box(0, 0, width, height, "paper") };
  for (const shape of [paper, ...texts, group(drawn.inside, { down: top })]) svg.append(svgOf(shape, { plain: true }));
  return svg;
}

/** A slide as the text of a file. */
export function slideText(frame, options = {}) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(slide(frame, options))}\n`;
}

export { describe };
