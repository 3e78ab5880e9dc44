/*
 * Text in a picture: what may be shown of it, how wide it is about, and how it is cut or broken to fit.
 *
 * Widths are those of DejaVu Sans, the widest of the common fonts, so that text fits where another one is used. No DOM.
 */

const UNSHOWN = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;
const PLAIN = /^[ -~]{0,400}$/;
const LONGEST_TEXT = 400;
const BOLDER = 1.13;
const LETTER_KINDS = [
  [/^\p{M}|^[\u200b-\u200f]/u, 0],
  [/^[ijl|.,:;'!I ]/, 0.35],
  [/^[ftr()[\]{}\-/"J]/, 0.43],
  [/^[mM%@W]/, 0.98],
  [/^[w+=<>#~^]/, 0.84],
  [/^[A-Z]/, 0.74],
  [/^[_cszkvxy]/, 0.6],
  [/^[ -~]/, 0.64],
  [/^[\u00a0-\u2e7f]/, 0.8],
];

/** The text without what would turn the writing round or cannot be written in XML, and not endless. */
export function shownText(text) {
  if (PLAIN.test(text)) return String(text);
  const clean = String(text).toWellFormed?.() ?? String(text).replace(/\p{Cs}/gu, "\ufffd");
  const characters = Array.from(clean.slice(0, 2 * LONGEST_TEXT).replace(UNSHOWN, "\ufffd"));
  return characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT).join("")}…` : characters.join("");
}

const letterWidths = new Map();

function letterWidth(letter) {
  let width = letterWidths.get(letter);
  if (width === undefined) {
    width = LETTER_KINDS.find(([kind]) => kind.test(letter))?.[1] ?? 1.35;
    letterWidths.set(letter, width);
  }
  return width;
}

/** About how wide a text of that size is. */
export function textWidth(text, size, bold = false) {
  let width = 0;
  for (const letter of text) width += letterWidth(letter);
  return width * size * (bold ? BOLDER : 1);
}

/** As much of the text as fits, with an ellipsis; "" where not even two letters do. */
export function fitted(text, room, size, bold = false) {
  const letters = Array.from(shownText(text));
  const whole = letters.join("");
  if (textWidth(whole, size, bold) <= room) return whole;
  let width = textWidth("…", size, bold);
  let count = 0;
  for (; count < letters.length; count += 1) {
    width += textWidth(letters[count], size, bold);
    if (width > room) break;
  }
  return count < 2 ? "" : `${letters.slice(0, count).join("")}…`;
}

/** The text in lines that fit, broken between words; the last one is cut where there are more. */
export function wrapped(text, room, size, most = Infinity, bold = false) {
  const lines = [];
  let line = "";
  const words = shownText(text).split(/\s+/u).filter(Boolean);
  for (let k = 0; k < words.length; k += 1) {
    const longer = line ? `${line} ${words[k]}` : words[k];
    if (!line || textWidth(longer, size, bold) <= room) line = longer;
    else {
      if (lines.length === most - 1) {
        line = `${line} ${words.slice(k).join(" ")}`;
        break;
      }
      lines.push(line);
      line = words[k];
    }
  }
  if (line) lines.push(line);
  return lines.map((each) => fitted(each, room, size, bold));
}
