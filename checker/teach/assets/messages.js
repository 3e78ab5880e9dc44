// What goes wrong is told with what, where, why and what to do; it stays until it is dismissed or something works.

import { Trouble } from "./api.js";
import { button, byId, el, fill } from "./dom.js";

/** A sentence with its full stop. What it begins with may be a name, which stays as it is. */
function sentence(text) {
  const whole = text.trim();
  return whole && !/[.!?]$/.test(whole) ? `${whole}.` : whole;
}

/** What is wrong begins with a word of ours. */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export class Messages {
  tell(trouble) {
    const said = trouble instanceof Trouble ? trouble : new Trouble({
      what: `The page itself failed: ${trouble.message}`, why: "That is a defect of quotaproof. Nothing of your play is lost.",
      fix: "reload the page; if that does not help, report it with the play's link." });
    if (!(trouble instanceof Trouble)) console.error(trouble);
    fill(byId("trouble"),
      el("p", {}, el("strong", {}, sentence(capital(said.what))), said.where ? el("span", { class: "where" }, ` (${said.where})`) : null),
      said.why ? el("p", {}, sentence(said.why)) : null,
      said.fix ? el("p", {}, "What to do: ", said.fix.replace(/[.?!]?$/, (end) => end || ".")) : null,
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
