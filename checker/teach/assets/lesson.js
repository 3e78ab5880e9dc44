// Lessons in the page: a story, a question before the step that surprises, what then happens, and why.
//
// A lesson is parts in order: something told, something that happens, a question. The page has its parts up to a question;
// the answer, and what comes after it, only when somebody has chosen one. While a lesson runs the queue does only what the lesson says; afterwards it is a play as any.

import { api } from "./api.js";
import { button, byId, el, fill, form, openDialog } from "./dom.js";
import { topics } from "./told.js";

const PACE = 500;
const NEXT = "Next question";

export function badge(certainty) {
  return el("span", { class: `badge ${certainty}` }, certainty);
}

export class Lessons {
  constructor({ store, menu, address, messages, transport, ask }) {
    Object.assign(this, { store, menu, address, messages, transport, ask });
    this.lesson = null;
    byId("lessons-button").hidden = menu.lessons.length === 0;
    byId("lessons-button").addEventListener("click", () => openDialog(byId("shelf")));
    fill(byId("lesson-list"), menu.lessons.map((lesson) => el("li", {}, button([
      el("strong", {}, `${lesson.number}. ${lesson.subject} `, badge(lesson.certainty)),
    ], () => this.choose(lesson.number)))));
  }

  choose(number) {
    byId("shelf").close();
    return this.messages.watch(async () => {
      await this.open(number);
      this.address.lesson(number);
    });
  }

  /** Starts a lesson. Raises Trouble. */
  async open(number) {
    const lesson = await api.lesson(number);
    this.lesson = lesson;
    this.part = 0;
    this.store.guided = true;
    document.body.classList.add("in-lesson");
    fill(byId("lesson-title"), `Lesson ${lesson.number}: ${lesson.subject} `, badge(lesson.certainty));
    this.story = el("div", { class: "story" });
    this.earlier = this.folded = null;
    fill(byId("lesson-body"), el("p", { class: "hint" }, `For: ${lesson.for}`), this.progress(), assumed("Assumed here", lesson.assume, this.ask), this.story);
    byId("lesson").hidden = false;
    const [first] = lesson.parts;
    await this.store.load({ ...first.game, moves: first.game.moves.slice(0, first.before) }, 0, { how: "lesson" });
    byId("lesson-title").focus();
    byId("lesson").scrollIntoView({ block: "nearest" });
    this.go();
  }

  progress() {
    this.bar = el("progress", { max: this.lesson.length, value: 0, "aria-label": "How far this lesson is" });
    return this.bar;
  }

  /** The lesson is over, or something else is opened; what is shown becomes a play as any. */
  leave() {
    if (!this.lesson) return;
    this.lesson = null;
    this.store.guided = false;
    document.body.classList.remove("in-lesson");
    byId("lesson").hidden = true;
  }

  onward() {
    this.leave();
    this.store.past = [];
    this.store.future = [];
    this.store.tell({ how: "change", opened: true });
    byId("picture-title").focus();
  }

  /** On from part to part, until somebody has to do something. */
  async go() {
    const { lesson } = this;
    while (this.lesson === lesson && this.part < lesson.parts.length) {
      const part = lesson.parts[this.part];
      this.part += 1;
      this.bar.value = this.part - 1;
      if (part.kind === "tell") {
        const told = part.says.map((sentence) => el("p", {}, sentence));
        this.story.append(...told);
        if (lesson.parts[this.part]?.kind === "moves") return this.pause(told[0], "See what happens");
      } else if (part.kind === "moves") {
        await this.happen(part);
      } else {
        return this.question(part);
      }
    }
    return this.lesson === lesson ? this.end() : null;
  }

  /** A button to go on; it goes away when it is used. */
  pause(first, text) {
    const on = button(text, () => {
      on.remove();
      if (text === NEXT) this.fold();
      this.story.tabIndex = -1;
      this.story.focus({ preventScroll: true });
      void this.go();
    }, { class: "primary" });
    this.story.append(on);
    return first;
  }

  /** What is over is put away, and can be opened again. */
  fold() {
    const inside = this.earlier ?? el("div", { class: "earlier" });
    const told = [...this.story.childNodes].filter((node) => node !== this.folded);
    inside.append(...told);
    if (!this.earlier) this.folded = el("details", {}, el("summary", {}, "Earlier in this lesson"), inside);
    this.earlier = inside;
    fill(this.story, this.folded);
  }

  /** The moves are made and shown one event after the other; at once for who wants no motion. */
  async happen({ game, before }) {
    const from = this.store.last;
    if (!this.store.atEnd) await this.store.goTo(from);
    if (!(await this.store.move(...game.moves.slice(before)))) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || this.store.last <= from + 1) return;
    await this.store.goTo(from + 1);
    await this.transport.play({ pace: PACE });
  }

  question(part) {
    const name = `question-${part.question}`;
    const choices = part.choices.map((text, i) => el("label", { class: "radio" },
      el("input", { type: "radio", name, value: i, required: true }), el("span", {}, text, " ", el("strong", { class: "mark" }))));
    const submit = el("button", { type: "submit", class: "primary" }, "That is my prediction");
    const asked = el("fieldset", {}, el("legend", {}, part.asks), choices, submit);
    this.story.append(form({}, () => {
      const chosen = Number(asked.querySelector("input:checked").value);
      void this.messages.watch(() => this.answered(part, asked, submit, choices, chosen));
    }, asked));
  }

  async answered(part, asked, submit, choices, chosen) {
    submit.disabled = true;
    let answer;
    try {
      answer = await api.answer(this.lesson.number, part.question, chosen);
    } catch (trouble) {
      submit.disabled = false;
      throw trouble;
    }
    const { lesson } = this;
    lesson.parts.push(...answer.parts);
    lesson.ends = answer.ends;
    asked.disabled = true;
    submit.remove();
    choices[chosen].querySelector(".mark").textContent = "(your prediction)";
    await this.happen(answer);
    if (this.lesson !== lesson) return;
    const mark = (i, text) => (choices[i].querySelector(".mark").textContent = text);
    choices[answer.answer].classList.add("happens");
    mark(answer.answer, answer.right ? "✓ your prediction, and what happens" : "✓ what happens");
    if (!answer.right) mark(chosen, "✕ your prediction");
    const verdict = el("p", { class: `verdict ${answer.right ? "held" : "missed"}`, tabindex: -1 },
      answer.right ? "✓ Your prediction held." : "✕ That is not what happens.");
    this.story.append(...[verdict, ...answer.why.map((sentence) => el("p", {}, sentence)),
      el("p", { class: "hint" }, badge(answer.certainty), ` ${answer.means}`), sourced("Source", answer.source, this.ask),
      assumed("Read like this", answer.under, this.ask), ...answer.others.map((other) => this.otherwise(part, other))].filter(Boolean));
    const rest = lesson.parts.slice(this.part);
    const again = rest.some((p) => p.kind === "ask");
    this.pause(verdict, again ? NEXT : rest.length ? "Go on" : "What to do about it");
    verdict.focus({ preventScroll: true });
    verdict.scrollIntoView({ block: "nearest" });
  }

  /** Where AWS leaves it open: under which reading another answer is right, and both beside each other. */
  otherwise(part, other) {
    return el("div", { class: "otherwise" },
      el("p", {}, `Read otherwise, ${other.earlier ? "the play goes otherwise before this question already, and " : ""}“${part.choices[other.choice]}” is right:`), assumed("", other.assume, this.ask),
      button("See both side by side", () => {
        this.leave();
        void this.store.load(other.game, undefined, { opened: true });
      }));
  }

  end() {
    this.bar.value = this.lesson.length;
    const { number, ends: { title, summary, advice, explain } } = this.lesson;
    const next = this.menu.lessons.find((lesson) => lesson.number === number + 1);
    this.story.append(el("h3", {}, title), el("p", {}, summary), el("h3", {}, "What to do about it"),
      el("ul", {}, advice.map((a) => el("li", {}, a.says, sourced("Source", a.source, this.ask)))),
      el("p", { class: "hint" }, "To hand out on paper: ", el("code", {}, `quotaproof play --lesson ${number} --handout lesson.html`),
        ". For slides: Save…, Slides."),
      explain.length ? el("p", {}, "Read more: ", topics(explain.join(", "), this.ask)) : null,
      el("div", { class: "inline" },
        button("Continue on your own", () => this.onward(), { class: "primary" }),
        next ? button(`Lesson ${next.number}: ${next.subject}`, () => this.choose(next.number)) : null,
        button("Once more", () => this.choose(number))));
  }
}

/** Rules and readings by their codes, and what they say for who opens them. */
function sourced(title, sources, ask) {
  if (!sources.length) return null;
  return el("details", { class: "sources" }, el("summary", {}, `${title}: ${sources.map((s) => s.code).join(", ")}`),
    el("ul", {}, sources.map((s) => el("li", {}, topics(s.code, ask), `: ${s.text}`))));
}

function assumed(title, chosen, ask) {
  if (!chosen.length) return null;
  return el("ul", { class: "assumed" }, chosen.map((one) => el("li", {},
    title ? `${title}: ` : "", topics(one.code, ask), ` ${one.choice} (${one.question}: ${one.meaning})`)));
}
