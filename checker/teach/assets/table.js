/*
 * A table of any number of rows, of which only those that are to be seen are in the page: sorted by a click on a heading,
 * filtered from outside, saved as CSV.
 *
 * A column is { heading, text(row), value(row)?, right?, number? }: `value` is what is compared and saved where that is not
 * the text. A row is a number; what it stands for is the columns' business.
 */

import { counted, download, made } from "./elements.js";

const ROW = 30;
const SPARE = 12;
const ON_PAPER = 100;

function csvCell(value) {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows as CSV. A text that a spreadsheet would take for a formula has an apostrophe before it. */
export function csvText(columns, rows) {
  const lines = [columns.map((column) => csvCell(column.heading)).join(",")];
  for (const row of rows) lines.push(columns.map((column) => csvCell((column.value ?? column.text)(row))).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

function sortedBy(column, rows, down) {
  const value = column.value ?? column.text;
  const keys = new Map();
  for (const row of rows) keys.set(row, value(row));
  const sign = down ? -1 : 1;
  return rows.sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    return x < y ? -sign : x > y ? sign : a - b;
  });
}

/**
 * A table named `name` of so many rows. `onPick(row)` makes the first cell of each row a button. Returns
 * { element, filter(passes), show(row) }: `show` scrolls to a row and marks it; false where the filter leaves it out.
 */
export function bigTable({ name, thing, columns, total, onPick = null, more = [] }) {
  let shown = Array.from({ length: total }, (_, row) => row);
  let passes = null;
  let order = { by: -1, down: false };
  let chosen = -1;
  let first = -1;
  const status = made("span", { role: "status", className: "rows" });
  const save = made("button", { type: "button", onclick: () => download(`${thing}s.csv`, csvText(columns, shown), "text/csv") });
  const head = made("tr");
  const body = made("tbody");
  const table = made("table", {}, made("thead", {}, head), body);
  const scroll = made("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": name }, table);
  const element = made("div", { className: "big" }, made("div", { className: "bar" }, status, ...more, save), scroll);

  columns.forEach((column, k) => {
    const sort = made("button", { type: "button", onclick: () => {
      order = { by: k, down: order.by === k && !order.down };
      refresh();
    } }, column.heading);
    head.append(made("th", { className: column.right ? "n" : "", scope: "col" }, sort));
  });

  function spacer(height) {
    const cell = made("td", { colspan: columns.length });
    cell.style.height = `${height}px`;
    return made("tr", { className: "spacer", "aria-hidden": true }, cell);
  }

  function line(row, at) {
    const cells = columns.map((column, k) => {
      const text = column.text(row);
      const inside = k === 0 && onPick ? made("button", { type: "button", onclick: () => onPick(row) }, text) : text;
      return made("td", { className: column.right ? "n" : "", title: text.length > 24 ? text : "" }, inside);
    });
    return made("tr", { className: row === chosen ? "chosen" : "", "aria-rowindex": at + 2, "data-row": row }, ...cells);
  }

  const paper = matchMedia("print");

  function draw(force = false) {
    if (paper.matches) {
      body.replaceChildren(...shown.slice(0, ON_PAPER).map(line));
      return;
    }
    const from = Math.max(0, Math.floor(scroll.scrollTop / ROW) - SPARE);
    if (from === first && !force) return;
    first = from;
    const to = Math.min(shown.length, from + Math.ceil((scroll.clientHeight || 600) / ROW) + 2 * SPARE);
    const focused = document.activeElement?.closest("tr")?.dataset.row;
    const lines = shown.slice(from, to).map((row, k) => line(row, from + k));
    body.replaceChildren(spacer(from * ROW), ...lines, spacer((shown.length - to) * ROW));
    if (focused !== undefined && body.contains(document.activeElement) === false) {
      body.querySelector(`tr[data-row="${focused}"] button`)?.focus({ preventScroll: true });
    }
  }

  function refresh() {
    const every = Array.from({ length: total }, (_, row) => row);
    shown = passes ? every.filter(passes) : every;
    if (order.by >= 0) sortedBy(columns[order.by], shown, order.down);
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
      if (at >= 0) scroll.scrollTop = Math.max(0, at * ROW - scroll.clientHeight / 2);
      draw(true);
      return at >= 0;
    },
  };
}
