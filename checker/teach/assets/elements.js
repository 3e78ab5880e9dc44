/*
 * Elements of a report's page, and times and durations as its tables write them. Texts are set as text and never as markup.
 */

/** An element with properties (`on...` are listeners, `aria-...`, `data-...` and `role` attributes) and what is in it. */
export function made(name, given = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (/^(aria-|data-|role$|for$|colspan$)/.test(key)) element.setAttribute(key, String(value));
    else element[key] = value;
  }
  element.append(...inside);
  return element;
}

function padded(number, digits = 2) {
  return String(number).padStart(digits, "0");
}

const DAY = 86400e3;
const DATED = 1e11;

/** A time, UTC: 2026-11-02 15:00:02, with milliseconds where there are any; of a clock without dates: day 1 15:00:02. */
export function instantText(at) {
  if (at < 0) return "";
  const text = new Date(at).toISOString().replace("T", " ").replace(/\.\d{3}Z$/, "");
  const dated = at < DATED ? `day ${Math.floor(at / DAY) + 1} ${text.slice(11)}` : text;
  return at % 1000 ? `${dated}.${padded(at % 1000, 3)}` : dated;
}

/**
 * Milliseconds of what somebody typed as such a time, or the beginning of one; NaN where it is none, also where the calendar
 * or the clock has no such time. `last`: of a day or a minute, its end.
 */
export function instantRead(text, last = false) {
  const found = /^(?:([+]?\d{4,6})-(\d\d)-(\d\d)|day (\d{1,4}))(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?Z?$/.exec(text.trim());
  if (!found) return NaN;
  const [year, month, day, since, hour, minute, second] = found.slice(1, 8).map((part) => Number(part ?? 0));
  const midnight = found[4] ? (since - 1) * DAY : Date.UTC(year, month - 1, day);
  const date = new Date(midnight);
  const onCalendar = found[4] ? since > 0 : date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!onCalendar || hour > 23 || minute > 59 || second > 59) return NaN;
  const open = last ? (found[5] === undefined ? DAY : found[7] === undefined ? 60_000 : found[8] === undefined ? 1000 : 1) - 1 : 0;
  return midnight + ((hour * 60 + minute) * 60 + second) * 1000 + Number((found[8] ?? "0").padEnd(3, "0")) + open;
}

/** How long: 41 s, 2m10, 6h02, 3d04h; "" for what has not come to its end. */
export function durationText(milliseconds) {
  if (milliseconds < 0) return "";
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds >= 1 || seconds === 0 ? seconds.toFixed(0) : seconds.toFixed(2)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes}m${padded(Math.round(seconds) % 60)}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h${padded(minutes % 60)}`;
  return `${Math.floor(hours / 24)}d${padded(hours % 24)}h`;
}

/** 1,234 jobs. */
export function counted(number, thing) {
  return `${number.toLocaleString("en-US")} ${thing}${number === 1 ? "" : "s"}`;
}

/** Hands a text to the user as a file. */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  made("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
