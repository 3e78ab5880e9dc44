// Lessons in the page: a story, a question before the step that surprises, and what then happens.

import { button, byId, el, fill, openDialog } from "./dom.js";

export class Lessons {
  constructor(store, menu, address, messages, ask) {
    Object.assign(this, { store, menu, address, messages, ask });
    byId("lessons-button").hidden = menu.lessons.length === 0;
    byId("lessons-button").addEventListener("click", () => openDialog(byId("shelf")));
    fill(byId("lesson-list"), menu.lessons.map((lesson) => el("li", {}, button([
      el("strong", {}, `${lesson.number}. ${lesson.title} `, badge(lesson.certainty)), el("span", { class: "hint" }, lesson.summary),
    ], () => {
      byId("shelf").close();
      this.address.lesson(lesson.number);
      void this.open(lesson.number);
    }))));
  }

  leave() {
    byId("lesson").hidden = true;
  }
}

const MEANS = {
  documented: "AWS says so",
  implied: "it follows from what AWS says",
  open: "AWS leaves it open; this is the reading that is assumed",
};

export function badge(certainty) {
  return el("span", { class: `badge ${certainty}`, title: MEANS[certainty] ?? "" }, certainty);
}
