// Lessons in the page: a story, a question before the step that surprises, what then happens, and why.
//
// A lesson is parts in order: something told, something that happens, a question. The answer is not in the page until
// somebody has chosen one. While a lesson runs the queue does only what the lesson says; afterwards it is a play as any.

import { api } from "./api.js";
import { button, byId, el, fill, form, openDialog } from "./dom.js";
import { topics } from "./told.js";

const MEANS = {
  documented: "AWS says so.",
  implied: "It follows from AWS's text or code, which does not say it in so many words.",
  open: "AWS leaves it open. This is the reading that quotaproof assumes.",
};
const PACE = 500;

export function badge(certainty) {
  return el("span", { class: `badge ${certainty}`, title: MEANS[certainty] ?? "" }, certainty);
}

export class Lessons {
  constructor({ store, menu, address, messages, transport, ask }) {
    Object.assign(this, { store, menu, address, messages, transport, ask });
    this.lesson = null;
    byId("lessons-button").hidden = menu.lessons.length === 0;
    byId("lessons-button").addEventListener("click", () => openDialog(byId("shelf")));
    fill(byId("lesson-list"), menu.lessons.map((lesson) => el("li", {}, button([
      el("strong", {}, `${lesson.number}. ${lesson.title} `, badge(lesson.certainty)), el("span", { class: "hint" }, lesson.summary),
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
    byId("rest-hint").textContent = "The lesson goes on above.";
    fill(byId("lesson-title"), `Lesson ${lesson.number}: ${lesson.title} `, badge(lesson.certainty));
    this.story = el("div", { class: "story" });
    fill(byId("lesson-body"), el("p", { class: "hint" }, lesson.summary), this.progress(), this.story);
    byId("lesson").hidden = false;
    await this.store.load(lesson.game, 0, { how: "lesson" });
    byId("lesson-title").focus();
    byId("lesson").scrollIntoView({ block: "nearest" });
    this.go();
  }

  progress() {
    this.bar = el("progress", { max: this.lesson.parts.length, value: 0, "aria-label": "How far this lesson is" });
    return this.bar;
  }

  /** The lesson is over, or something else is opened; what is shown becomes a play as any. */
  leave() {
    if (!this.lesson) return;
    this.lesson = null;
    this.store.guided = false;
    document.body.classList.remove("in-lesson");
    byId("rest-hint").textContent = "At rest: submit a job, finish one, or change a share.";
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
        if (lesson.parts[this.part]?.kind === "happen") return this.pause(told[0], "See what happens");
      } else if (part.kind === "happen") {
        await this.happen(part.moves);
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
      this.story.tabIndex = -1;
      this.story.focus({ preventScroll: true });
      void this.go();
    }, { class: "primary" });
    this.story.append(on);
    return first;
  }

  /** The moves are made and shown one event after the other; at once for who wants no motion. */
  async happen(moves) {
    const from = this.store.last;
    if (!this.store.atEnd) await this.store.goTo(from);
    if (!(await this.store.move(...moves))) return;
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
    asked.disabled = true;
    submit.remove();
    choices[chosen].querySelector(".mark").textContent = "(your prediction)";
    await this.happen(answer.moves);
    if (this.lesson !== lesson) return;
    choices[answer.right].classList.add("right");
    choices[answer.right].querySelector(".mark").textContent = answer.held ? "✓ your prediction, and what happens" : "✓ what happens";
    if (!answer.held) choices[chosen].querySelector(".mark").textContent = "✕ your prediction";
    const verdict = el("p", { class: `verdict ${answer.held ? "held" : "missed"}`, tabindex: -1 },
      answer.held ? "✓ Your prediction held." : "✕ It goes otherwise.");
    this.story.append(verdict, ...answer.why.map((sentence) => el("p", {}, sentence)),
      el("p", { class: "hint" }, badge(answer.certainty), ` ${MEANS[answer.certainty] ?? ""} `, el("span", { class: "source" }, "Source: ", topics(answer.source.join(", "), this.ask))));
    const rest = lesson.parts.slice(this.part);
    const again = rest.some((p) => p.kind === "ask");
    this.pause(verdict, again ? "Next question" : rest.length ? "Go on" : "What to do about it");
    verdict.focus({ preventScroll: true });
    verdict.scrollIntoView({ block: "nearest" });
  }

  end() {
    this.bar.value = this.lesson.parts.length;
    const { number, advice, explain } = this.lesson;
    const next = this.menu.lessons.find((lesson) => lesson.number === number + 1);
    this.story.append(el("h3", {}, "What to do about it"),
      el("ul", {}, advice.map((a) => el("li", {}, a.says, " ", el("span", { class: "source" }, topics(`(${a.source.join(", ")})`, this.ask))))),
      explain.length ? el("p", {}, "Read more: ", topics(explain.join(", "), this.ask)) : null,
      el("div", { class: "inline" },
        button("Continue on your own", () => this.onward(), { class: "primary" }),
        next ? button(`Lesson ${next.number}: ${next.title}`, () => this.choose(next.number)) : null,
        button("Once more", () => this.choose(number))));
  }
}
