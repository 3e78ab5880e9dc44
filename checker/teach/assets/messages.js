// What goes wrong is told with what, where, why and what to do; it stays until it is dismissed or something works.

import { Trouble } from "./api.js";
import { button, byId, el, fill } from "./dom.js";

/** The text as a sentence of its own; a name that it begins with stays as it is. */
export function sentence(text, isName = () => false) {
  const whole = text.trim();
  if (!whole) return "";
  const begins = isName(whole.split(/[\s,:;]/, 1)[0]) ? whole[0] : whole[0].toUpperCase();
  return begins + whole.slice(1) + (/[.!?]$/.test(whole) ? "" : ".");
}

export class Messages {
  /** `isName`: whether a word is what somebody called a job or a share. */
  constructor(isName) {
    this.isName = isName;
  }

  tell(trouble) {
    const said = trouble instanceof Trouble ? trouble : new Trouble({
      what: `The page itself failed: ${trouble.message}`, why: "That is a defect of quotaproof. Nothing of your play is lost.",
      fix: "reload the page; if that does not help, report it with the play's link." });
    if (!(trouble instanceof Trouble)) console.error(trouble);
    fill(byId("trouble"),
      el("p", {}, el("strong", {}, sentence(said.what, this.isName)), said.where ? el("span", { class: "where" }, ` (${said.where})`) : null),
      said.why ? el("p", {}, sentence(said.why, this.isName)) : null,
      said.fix ? el("p", {}, "What to do: ", sentence(said.fix, () => true)) : null,
      button("Dismiss", () => this.clear()));
    byId("trouble").hidden = false;
  }

  /** Runs something; what goes wrong is told. */
  async watch(work) {
    try {
      await work();
      return true;
    } catch (trouble) {
      for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
      this.tell(trouble);
      return false;
    }
  }

  notice(text) {
    byId("notice").textContent = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (byId("notice").textContent = ""), 8000);
  }

  clear() {
    if (byId("trouble").hidden) return;
    byId("trouble").hidden = true;
    fill(byId("trouble"));
  }
}
