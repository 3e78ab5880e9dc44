// Who schedules, and what is assumed where AWS leaves it open: for the play, and for the one beside it.

import { button, byId, choice, counted, el, fill, form, openDialog } from "./dom.js";
import { topics } from "./told.js";

const REFERENCE = "reference";

export class Policy {
  constructor(store, menu, { ask, openScenario }) {
    this.store = store;
    this.menu = menu;
    this.ask = ask;
    this.openScenario = openScenario;
    this.readings = new Map(menu.readings.map((r) => [r.code, r]));
    const names = menu.schedulers.map((s) => [s.name, s.name === REFERENCE ? "reference: obeys every rule" : `${s.name}${s.code ? `: breaks ${s.code}` : ""}`]);
    this.main = this.side("Who schedules", names, (side) => store.change({ scheduler: side.scheduler, assume: side.assume }));
    this.other = this.side("Who schedules beside it", names, (side) => store.change({ beside: side }));
    this.toggle = button("Compare with a second one", () => {
      void store.change({ beside: store.game.beside ? undefined : { scheduler: REFERENCE, assume: {} } });
    }, { "aria-pressed": "false" });
    fill(byId("policy"), this.main.box, el("div", { class: "inline" }, this.toggle), this.other.box);
  }

  side(title, names, change) {
    const made = { title, change };
    made.select = choice(names, REFERENCE, { "aria-label": title });
    made.select.addEventListener("change", () => change({ ...made.now, scheduler: made.select.value }));
    made.says = el("p", { class: "hint" });
    made.seen = el("div", { class: "inline" });
    made.chips = el("ul", { class: "chips", "aria-label": "Assumptions that are not the default" });
    made.assume = button("Assumptions…", () => this.openReadings(made), { "aria-haspopup": "dialog" });
    made.box = el("div", { class: "side" }, el("h3", {}, title), made.select, made.says, made.seen, made.chips, made.assume);
    return made;
  }

  draw() {
    const { game, looking } = this.store;
    byId("policy-section").hidden = looking;
    if (looking) return;
    this.show(this.main, { scheduler: game.scheduler ?? REFERENCE, assume: game.assume ?? {} });
    this.other.box.hidden = !game.beside;
    this.toggle.setAttribute("aria-pressed", String(Boolean(game.beside)));
    this.toggle.textContent = game.beside ? "Stop comparing" : "Compare with a second one";
    if (game.beside) this.show(this.other, { scheduler: game.beside.scheduler ?? REFERENCE, assume: game.beside.assume ?? {} });
  }

  show(side, now) {
    const wanted = JSON.stringify(now);
    if (side.shown === wanted) return;
    side.shown = wanted;
    side.now = now;
    side.select.value = now.scheduler;
    const scheduler = this.menu.schedulers.find((s) => s.name === now.scheduler);
    fill(side.says, scheduler?.says ?? "", scheduler?.code ? [" Breaks ", topics(scheduler.code, this.ask), "."] : null);
    const shows = scheduler?.shows;
    fill(side.seen, shows ? [el("span", {}, "See it in"), button(shows, () => this.openScenario(shows, { scheduler: now.scheduler, broken: true }))] : null);
    const chosen = Object.entries(now.assume);
    fill(side.chips, chosen.map(([code, chosenName]) => el("li", {}, button([`${code}: ${chosenName} `, el("span", { "aria-hidden": "true" }, "×")], () => {
      const assume = Object.fromEntries(chosen.filter(([c]) => c !== code));
      side.change({ ...now, assume });
    }, { class: "chip", title: this.readings.get(code)?.question ?? code, "aria-label": `${code}: ${chosenName}; back to the default` }))));
    side.assume.textContent = chosen.length ? `Assumptions (${chosen.length} changed)…` : "Assumptions…";
  }

  openReadings(side) {
    byId("readings-title").textContent = `Assumptions: ${side.title.toLowerCase()}`;
    const groups = [...this.menu.readings].sort((a, b) => (b.code in side.now.assume) - (a.code in side.now.assume));
    fill(byId("readings-body"), groups.map((reading) => this.reading(side, reading)));
    byId("readings-sum").textContent = `AWS leaves ${counted(groups.length, "question")} open that change what happens. Each has a default; the moves are played again when you choose.`;
    openDialog(byId("readings"));
  }

  reading(side, reading) {
    const now = side.now.assume[reading.code] ?? reading.default;
    const choose = (name) => {
      const assume = { ...side.now.assume };
      if (name === reading.default) delete assume[reading.code];
      else assume[reading.code] = name;
      side.now = { ...side.now, assume };
      side.shown = null;
      void side.change(side.now);
    };
    return el("fieldset", { class: "reading" },
      el("legend", {}, el("span", { class: "code" }, reading.code), " ", reading.question),
      Object.entries(reading.choices).map(([name, meaning]) => el("label", { class: "radio" },
        el("input", { type: "radio", name: `reading-${reading.code}`, value: name, checked: name === now, onchange: () => choose(name) }),
        el("span", {}, el("strong", {}, name), name === reading.default ? " (default)" : "", `: ${meaning}`))));
  }
}
