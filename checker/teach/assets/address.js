// The play in the address: everything after the # is the game and the place of the slider, packed.
//
// #play=z... is JSON, deflated and in base64url; #play=j... is JSON in base64url, where the browser cannot deflate.
// #lesson=N opens a lesson.

import { Trouble } from "./api.js";

const ADDRESS_VERSION = 1;
/** Milliseconds from one change of the address to the next: browsers refuse too many. */
const APART = 300;
const LEFT = "quotaproof: not in the address yet";

export async function packed(game, at) {
  const bytes = new TextEncoder().encode(JSON.stringify({ v: ADDRESS_VERSION, at, game }));
  if (typeof CompressionStream === "undefined") return `play=j${toBase64(bytes)}`;
  return `play=z${toBase64(await through(bytes, new CompressionStream("deflate-raw")))}`;
}

/** What the fragment names: {game, at}, {lesson}, or null where it is empty. Raises Trouble. */
export async function unpacked(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text) return null;
  const lesson = /^lesson=(\d+)$/.exec(text);
  if (lesson) return { lesson: Number(lesson[1]) };
  const form = /^play=([zj])([A-Za-z0-9_-]+)$/.exec(text);
  if (!form) throw broken("It is not one that quotaproof writes, or something was added to it.");
  let value;
  try {
    const bytes = fromBase64(form[2]);
    const plain = form[1] === "j" ? bytes : await through(bytes, new DecompressionStream("deflate-raw"));
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
  } catch {
    throw broken("A part of it is missing or changed; mail programs cut long links.");
  }
  if (value === null || typeof value !== "object" || !Number.isInteger(value.v)) throw broken("It holds no play.");
  if (value.v > ADDRESS_VERSION) {
    throw new Trouble({
      what: `The link holds a play in form ${value.v}, and this quotaproof reads form ${ADDRESS_VERSION}.`,
      where: "the address of the page",
      why: "A newer quotaproof made it. The link is left as it is; the play below is the one to start with.",
      fix: "update quotaproof, start `quotaproof play`, and open the link again.",
    });
  }
  if (value.game === null || typeof value.game !== "object") throw broken("It holds no play.");
  return { game: value.game, at: Number.isInteger(value.at) ? value.at : undefined };
}

function broken(why) {
  return new Trouble({
    what: "The play in this link cannot be read.",
    where: "the address of the page",
    why: `${why} The link is left as it is; the play below is the one to start with.`,
    fix: "copy the whole link again from where it came from.",
  });
}

async function through(bytes, transform) {
  const writer = transform.writable.getWriter();
  const failed = () => {}; // whoever reads is told
  writer.write(bytes).catch(failed);
  writer.close().catch(failed);
  return new Uint8Array(await new Response(transform.readable).arrayBuffer());
}

function toBase64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function fromBase64(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
}

/** Keeps the address up to date: changes replace it soon, something opened adds an entry, so that "back" leads out. */
export class AddressBar {
  constructor() {
    this.waiting = null;
    this.kept = false;
    this.last = -APART;
    this.written = Promise.resolve();
    this.unwritten = null;
    addEventListener("pagehide", () => this.leave());
  }

  /** The fragment cannot be read: it stays, and the first change adds an entry after it. */
  keep() {
    this.kept = true;
  }

  show(game, at, { push = false } = {}) {
    if (push || this.kept) {
      void this.flush();
      this.written = this.written.then(() => history.pushState(null, "", location.href));
      this.kept = false;
      this.last = -APART;
    }
    this.forget();
    const soon = Math.max(0, this.last + APART - performance.now());
    this.waiting = { game, at, timer: setTimeout(() => void this.flush(), soon) };
  }

  lesson(number) {
    void this.flush();
    this.written = this.written.then(() => {
      if (location.hash !== `#lesson=${number}`) history.pushState(null, "", `#lesson=${number}`);
    });
  }

  /** What waits is not written: the address was changed by somebody else. */
  forget() {
    clearTimeout(this.waiting?.timer);
    this.waiting = null;
  }

  /** Writes what waits, and gives the address back. */
  flush() {
    const now = this.waiting;
    this.forget();
    if (now) this.unwritten = now;
    this.last = performance.now();
    this.written = this.written.then(async () => {
      if (now) history.replaceState(null, "", `#${await packed(now.game, now.at)}`);
      if (this.unwritten === now) this.unwritten = null;
      return location.href;
    });
    return this.written;
  }

  /** The page goes away, and does not wait for the address: what is not in it yet is kept for this tab. */
  leave() {
    const now = this.waiting ?? this.unwritten;
    if (!now) return;
    try {
      sessionStorage.setItem(LEFT, JSON.stringify({ address: location.hash, game: now.game, at: now.at }));
    } catch {
      // it is full: the address has the play as it was a moment ago
    }
  }

  /** What was kept when this address was left, once. */
  returned() {
    const text = sessionStorage.getItem(LEFT) ?? "null";
    sessionStorage.removeItem(LEFT);
    try {
      const kept = JSON.parse(text);
      return kept?.address === location.hash ? { game: kept.game, at: kept.at } : null;
    } catch {
      return null; // somebody else wrote it
    }
  }
}
