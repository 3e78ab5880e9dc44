// What happened, in sentences: the event that is shown, what comes next, the log of all events, and the lamps.

import { button, byId, counted, el, fill } from "./dom.js";
import { instantText } from "./elements.js";

const WHO = { user: "user", administrator: "administrator", platform: "platform", scheduler: "scheduler" };
const STATES = { dark: "not met yet", kept: "kept", broken: "broken", unpromised: "not promised here" };
const MEANS = { dark: "Nothing in this play has put it to the test so far.", kept: "It was put to the test, and kept.", broken: "", unpromised: "" };
const SHAPES = { dark: "○", kept: "✓", broken: "✕", unpromised: "–" };

const titles = new Map();
const guarantees = new Map();

/** What the menu calls conditions and guarantees. */
export function nameTopics(menu) {
  for (const [code, title] of Object.entries(menu.clauses)) titles.set(code, title);
  for (const guarantee of menu.guarantees) guarantees.set(guarantee.code, guarantee);
}

/** What is said of a guarantee before everything else: in plain words, with an example, and what would break it. */
export function firstOf(topic) {
  const guarantee = guarantees.get(topic);
  return guarantee ? [el("p", {}, el("strong", {}, `${guarantee.name}.`)), ...plainly(guarantee)] : null;
}

function plainly({ says, example, breaks }) {
  return [el("p", {}, says), el("p", {}, el("strong", {}, "For example: "), example), el("p", {}, el("strong", {}, "It is broken when: "), breaks)];
}

/** A code or a source whose parts can be asked for: each opens its explanation. */
export function topics(text, ask) {
  const parts = text.split(/\b((?:rules? )?\d+[a-z]?\b|G\d+[xs+]?|A\d+b?|QP\d+)/);
  let rules = false;
  return parts.map((part, i) => {
    if (i % 2 === 0) {
      if (part.trim() && !/^[\s,;()\-–]|^ ?and ?$/.test(part)) rules = false;
      return part;
    }
    rules = /^rule/.test(part) || (rules && /^\d/.test(part));
    if (/^\d/.test(part) && !rules) return part;
    const topic = /^[AGQ]/.test(part) ? part : `rule ${part.replace(/^rules? /, "")}`;
    return button(part, () => ask(topic), { class: "topic", "aria-label": `${part}: what it says` });
  });
}

export function said(one, ask) {
  const code = one.code ? button(titles.get(one.code) ?? one.code, () => ask(one.code), { class: "topic code", "aria-label": `${titles.get(one.code) ?? one.code}: what it says` }) : null;
  const source = one.source ? el("span", { class: "source" }, "source: ", topics(one.source, ask)) : null;
  return el("p", { class: "said" }, one.sentence, code || source ? " " : null, code, code && source ? " " : null, source);
}

/** "What just happened", with the numbers of what broke. */
export class Told {
  constructor(store, ask) {
    this.store = store;
    this.ask = ask;
  }

  draw() {
    const { frame, beside, label, besideLabel, at, last } = this.store;
    byId("told-where").textContent = at === 0 ? "the start" : `event ${at} of ${last}`;
    const second = beside
      ? [el("h3", {}, besideLabel || "Beside"), this.one(beside.line)]
      : [];
    fill(byId("told"), beside ? el("h3", {}, label) : null, this.one(frame.line), second);
    const now = frame.next;
    const text = this.store.atEnd
      ? now ? said(now, this.ask) : el("p", {}, this.store.looking ? "Nothing more was seen." : "Nothing moves until somebody does something.")
      : el("p", {}, `${this.store.looking ? "More was seen" : "The play goes on here"}: ${counted(last - at, "event")} follow.`.replace("1 event follow", "1 event follows"));
    fill(byId("next"), text);
    byId("announce").textContent = announced(this.store);
  }

  one(line) {
    const who = WHO[line.who] ? el("p", { class: `who who-${line.who}` }, [line.kind === "rest" ? "at rest" : `${WHO[line.who]} · ${line.kind}`, line.at === null ? "" : ` · ${instantText(line.at)}`]) : null;
    const broken = line.broken.map((b) =>
      el("p", { class: "broken" }, el("strong", {}, `${b.code} is broken`), ` (${b.name}): ${b.sentence} `,
        button("why", () => this.ask(b.code), { class: "topic", "aria-label": `${b.code}: what it says` })));
    const sentences = line.said.map((s) => said(s, this.ask));
    return el("div", { class: "event" }, who, sentences, line.note ? el("p", { class: "note" }, line.note) : null, broken);
  }
}

function announced({ frame, at, last }) {
  const sentence = frame.line.said.map((s) => s.sentence).join(" ");
  const broken = frame.line.broken.map((b) => `${b.code} is broken: ${b.name}.`).join(" ");
  return `${at === 0 ? "Start" : `Event ${at} of ${last}`}. ${sentence} ${broken}`.trim();
}

/** A time's day, and its time of day. */
function parted(at) {
  const text = instantText(at);
  const cut = text.lastIndexOf(" ");
  return [text.slice(0, cut), text.slice(cut + 1)];
}

/** All events; each leads to its frame. Only what is new is built. */
export class Log {
  constructor(store) {
    this.store = store;
    this.built = [];
    this.list = byId("log");
    this.list.addEventListener("click", (event) => {
      const to = event.target.closest("button")?.dataset.at;
      if (to !== undefined) store.goTo(Number(to));
    });
  }

  draw() {
    const { lines, at } = this.store;
    const days = new Set(lines.filter((line) => line.at !== null).map((line) => parted(line.at)[0]));
    this.dated = days.size > 1;
    let same = 0;
    while (same < this.built.length && same < lines.length && this.built[same].line === lines[same]) same += 1;
    for (const { item } of this.built.splice(same)) item.remove();
    const added = lines.slice(same).map((line) => ({ line, item: this.item(line) }));
    this.built.push(...added);
    this.list.append(...added.map((a) => a.item));
    this.current?.removeAttribute("aria-current");
    this.current = this.built.find((b) => b.line.number === at)?.item.firstChild;
    if (this.current) {
      this.current.setAttribute("aria-current", "step");
      cancelAnimationFrame(this.waits);
      this.waits = requestAnimationFrame(() => this.bring());
    }
  }

  /** The current line is brought into sight, when everything is laid out anyway. */
  bring() {
    const { list, current } = this;
    const top = current.offsetTop; // from the list's top: it is positioned
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  item(line) {
    const broken = line.broken.length ? el("strong", { class: "broken-mark" }, ` ✕ ${line.broken.map((b) => b.code).join(", ")} broken`) : null;
    const text = line.said[0]?.sentence ?? line.kind;
    const beside = line.beside ? el("span", { class: "log-beside" }, ` | ${line.beside}`) : null;
    const at = line.at === null ? null : el("span", { class: "log-at" }, this.dated ? instantText(line.at) : parted(line.at)[1]);
    return el("li", {}, button([el("span", { class: "number" }, String(line.number)), " ", at, at ? " " : null, el("span", {}, text, broken, beside)], () => {}, {
      "data-at": line.number,
      class: `log-line who-${line.who || "none"}`,
    }));
  }
}

/** G1-G21: not met, kept, broken, or not promised to somebody who waits now; by shape and word too. */
export class Lamps {
  constructor(store, ask) {
    this.store = store;
    this.ask = ask;
    this.made = new Map();
  }

  draw() {
    const { frame, beside, label, besideLabel } = this.store;
    const box = byId("lamps");
    const rows = [[label, frame.lamps], ...(beside ? [[besideLabel, beside.lamps]] : [])];
    const wanted = rows.map(([name, lamps]) => `${beside ? name : ""}:${lamps.map((l) => l.code)}`).join("|");
    if (box.dataset.rows !== wanted) {
      box.dataset.rows = wanted;
      this.made.clear();
      fill(box, rows.map(([name, lamps], side) => [
        beside ? el("h3", {}, name) : null,
        el("ul", { class: "lamps", "aria-label": beside ? `Guarantees, ${name}` : "Guarantees" }, lamps.map((lamp) => {
          const made = button([el("span", { class: "lamp-shape", "aria-hidden": "true" }), el("span", { class: "lamp-code" }, lamp.code),
            el("span", { class: "lamp-name" }, lamp.name), el("span", { class: "lamp-word" })], () => this.open(side, lamp.code), { "data-lamp": lamp.code });
          this.made.set(`${side} ${lamp.code}`, made);
          return el("li", {}, made);
        })),
        el("div", { class: "lamps-why" }),
      ]));
    }
    rows.forEach(([, lamps], side) => fill(box.querySelectorAll(".lamps-why")[side], lamps.filter((lamp) => lamp.state === "broken").map((lamp) =>
      el("p", { class: "broken" }, el("strong", {}, `${lamp.code}, event ${lamp.since}: `), lamp.because))));
    rows.forEach(([, lamps], side) => lamps.forEach((lamp) => this.light(this.made.get(`${side} ${lamp.code}`), lamp)));
    const broken = frame.lamps.filter((l) => l.state === "broken");
    const not = frame.lamps.filter((l) => l.state === "unpromised").map((l) => l.code);
    const sum = broken.length
      ? `${broken.map((l) => l.code).join(", ")} broken`
      : `${["kept", "dark"].map((state) => `${frame.lamps.filter((l) => l.state === state).length} ${STATES[state]}`).join(", ")}, none broken`;
    byId("lamps-sum").textContent = not.length ? `${sum}; ${not.join(", ")} not promised here` : sum;
    byId("lamps-sum").classList.toggle("bad", broken.length > 0);
  }

  light(made, lamp) {
    if (made.dataset.state === lamp.state && made.dataset.since === String(lamp.since)) return;
    made.dataset.state = lamp.state;
    made.dataset.since = String(lamp.since);
    made.children[0].textContent = SHAPES[lamp.state];
    made.children[3].textContent = lamp.state === "broken" || lamp.state === "unpromised" ? STATES[lamp.state] : "";
    made.setAttribute("aria-label", `${lamp.code} ${lamp.name}: ${STATES[lamp.state]}`);
    made.title = `${lamp.name}: ${STATES[lamp.state]}`;
  }

  open(side, code) {
    const frame = side === 0 ? this.store.frame : this.store.beside;
    const lamp = frame.lamps.find((l) => l.code === code);
    const jump = lamp.state === "broken"
      ? button(`Go to event ${lamp.since}, which breaks it`, () => {
        byId("explained").close();
        this.store.goTo(lamp.since);
      }, { class: "primary" })
      : null;
    const guarantee = guarantees.get(code);
    this.ask(code, [
      el("p", {}, el("strong", {}, `${lamp.name}: ${STATES[lamp.state]}${lamp.state === "broken" ? ` since event ${lamp.since}` : ""}.`), " ", MEANS[lamp.state]),
      lamp.because ? el("p", { class: lamp.state === "broken" ? "broken" : "" }, `${lamp.because.replace(/\.$/, "")}.`) : null,
      ...(guarantee ? plainly(guarantee) : [el("p", {}, lamp.sentence)]),
      jump,
    ]);
  }
}
