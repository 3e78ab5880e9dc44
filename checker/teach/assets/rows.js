/*
 * The rows of a table: what they are compared by, and how they are saved as CSV. No DOM.
 *
 * A column is { heading, text(row), value(row)?, saved?, key(row)? }: `value` is what is saved where that is not the text, with
 * `saved` as its heading where that is not the column's; `key` what is compared where that is not the value; "" is nothing,
 * and comes last. A row is a number; what it stands for is the columns' business.
 */

const DIGITS = 12;

function csvCell(value) {
  const text = typeof value === "string" && /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : String(value);
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows as CSV. A text that a spreadsheet would take for a formula has an apostrophe before it. */
export function csvText(columns, rows) {
  const lines = [columns.map((column) => csvCell(column.saved ?? column.heading)).join(",")];
  for (const row of rows) lines.push(columns.map((column) => csvCell((column.value ?? column.text)(row))).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

/** What a value is compared by: of a text, with its numbers at one width, so that job-2 comes before job-10. */
function comparable(value) {
  return typeof value === "number" ? value : value.replace(/\d+/g, (digits) => digits.padStart(DIGITS, "0"));
}

/** The rows in the order of a column, those that are equal in it in their own. */
export function sortedBy(column, rows, down) {
  const key = column.key ?? column.value ?? column.text;
  const keys = new Map(rows.map((row) => [row, comparable(key(row))]));
  const sign = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [keys.get(a), keys.get(b)];
    if (x === y) return a - b;
    if (x === "" || y === "") return x === "" ? 1 : -1;
    return x < y ? -sign : sign;
  });
}
