/*
 * A table of any number of rows, of which only those that are to be seen are in the page: sorted by a click on a heading,
 * filtered from outside, saved as CSV.
 *
 * A column is what rows.js says, with { right?, wraps? }: on the right; over several lines, at least so many rem wide.
 */

import { counted, download, made } from "./elements.js";
import { csvText, sortedBy } from "./rows.js";

const LINE_REM = 1.2;
/** Lines that are in the page above and below those that are to be seen. */
const SPARE = 12;
const ON_PAPER = 100;

/**
 * A table named `name` of so many rows, each so many `lines` high: in columns that wrap, a text takes all of them. `onPick(row)`
 * is what a click on a row does, and makes its first cell a button; `hint` says so. Returns { element, filter(passes),
 * show(row) }: `show` marks a row, and scrolls to it unless the filter leaves it out.
 */
export function bigTable({ name, thing, columns, total, lines = 1, onPick = null, hint = "", more = [] }) {
  let shown = Array.from({ length: total }, (_, row) => row);
  let passes = null;
  let order = { by: -1, down: false };
  let chosen = -1;
  let first = -1;
  const status = made("span", { role: "status", className: "rows" });
  const save = made("button", { type: "button", onclick: () => download(`${thing}s.csv`, csvText(columns, shown), "text/csv") });
  const hinted = hint ? [made("span", { className: "small" }, hint)] : [];
  const head = made("tr");
  const body = made("tbody");
  const table = made("table", {}, made("thead", {}, head), body);
  const scroll = made("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": name }, table);
  const element = made("div", { className: "big" }, made("div", { className: "bar" }, status, ...more, save, ...hinted), scroll);
  scroll.style.setProperty("--lines", lines);

  columns.forEach((column, k) => {
    const sort = made("button", { type: "button", onclick: () => {
      order = { by: k, down: order.by === k && !order.down };
      refresh();
    } }, column.heading);
    head.append(made("th", { className: column.right ? "n" : "", scope: "col" }, sort));
  });

  /** Pixels from a row to the next: as report.css has it. */
  function high() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    return (lines * LINE_REM + 0.5) * rem + 1;
  }

  function spacer(height) {
    const cell = made("td", { colspan: columns.length });
    cell.style.height = `${height}px`;
    return made("tr", { className: "spacer", "aria-hidden": true }, cell);
  }

  function line(row, at) {
    const cells = columns.map((column, k) => {
      const text = column.text(row);
      const named = k === 0 && onPick ? made("button", { type: "button", onclick: () => onPick(row) }, text) : text;
      const cell = made("td", { className: column.right ? "n" : "", title: text.length > 24 ? text : "" }, column.wraps ? made("div", {}, named) : named);
      if (column.wraps) {
        cell.classList.add("wraps");
        cell.style.setProperty("--wide", `${column.wraps}rem`);
      }
      return cell;
    });
    return made("tr", { className: row === chosen ? "chosen" : "", "aria-rowindex": at + 2, "data-row": row }, ...cells);
  }

  const paper = matchMedia("print");

  function draw(force = false) {
    if (paper.matches) {
      body.replaceChildren(...shown.slice(0, ON_PAPER).map(line));
      return;
    }
    const step = high();
    const spare = Math.ceil(SPARE / lines);
    const from = Math.max(0, Math.floor(scroll.scrollTop / step) - spare);
    if (from === first && !force) return;
    first = from;
    const to = Math.min(shown.length, from + Math.ceil((scroll.clientHeight || 600) / step) + 2 * spare);
    const focused = document.activeElement?.closest("tr")?.dataset.row;
    const between = shown.slice(from, to).map((row, k) => line(row, from + k));
    body.replaceChildren(spacer(from * step), ...between, spacer((shown.length - to) * step));
    if (focused !== undefined && body.contains(document.activeElement) === false) {
      body.querySelector(`tr[data-row="${focused}"] button`)?.focus({ preventScroll: true });
    }
  }

  function refresh() {
    const every = Array.from({ length: total }, (_, row) => row);
    shown = passes ? every.filter(passes) : every;
    if (order.by >= 0) shown = sortedBy(columns[order.by], shown, order.down);
    [...head.children].forEach((cell, k) => {
      if (k === order.by) cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    table.setAttribute("aria-rowcount", String(shown.length + 1));
    const all = shown.length === total ? counted(total, thing) : `${shown.length.toLocaleString("en-US")} of ${counted(total, thing)}`;
    status.textContent = paper.matches && shown.length > ON_PAPER ? `${all}, the first ${ON_PAPER} of them here` : all;
    save.textContent = `Save ${shown.length === total ? "all" : "these"} as CSV`;
    scroll.hidden = shown.length === 0;
    draw(true);
  }

  function clicked(event) {
    const row = event.target.closest("tr[data-row]")?.dataset.row;
    if (row === undefined || event.target.closest("button") || !getSelection().isCollapsed) return;
    onPick(Number(row));
  }

  if (onPick) {
    scroll.classList.add("picks");
    body.addEventListener("click", clicked);
  }
  scroll.addEventListener("scroll", () => draw());
  paper.addEventListener("change", refresh);
  refresh();
  return {
    element,
    filter(by) {
      passes = by;
      scroll.scrollTop = 0;
      refresh();
    },
    show(row) {
      chosen = row;
      const at = shown.indexOf(row);
      if (at >= 0) scroll.scrollTop = Math.max(0, at * high() - scroll.clientHeight / 2);
      draw(true);
    },
  };
}
