// What people can do: users, the platform, the administrator. Each form makes one move in the form of a scenario's step.

import { api } from "./api.js";
import { button, byId, choice, counted, el, field, fill, form, numberInput, openDialog, setOptions } from "./dom.js";
import { instantText } from "./elements.js";
import { said } from "./told.js";

const LIVE = new Set(["RUNNABLE", "SCHEDULED", "STARTING", "RUNNING", "DRAINING"]);
const STRATEGIES = [["RESERVE", "RESERVE: keeps what is idle"], ["LEND", "LEND: lends what is idle"],
  ["LEND_AND_BORROW", "LEND_AND_BORROW: lends, and borrows"]];
const NEXT_STAGE = { SCHEDULED: "STARTING", STARTING: "RUNNING" };
const BORROW = "Borrow limit in % of the own limit, for LEND_AND_BORROW";

/** A job name that is not taken: the share's, then a number. */
export function suggested(share, names) {
  const taken = new Set(names);
  let n = 1;
  while (taken.has(`${share}-job-${n}`)) n += 1;
  return `${share}-job-${n}`;
}

function whole(input) {
  return input.value === "" ? undefined : Number(input.value);
}

function without(move) {
  return Object.fromEntries(Object.entries(move).filter(([, value]) => value !== undefined));
}

/** Fields for so many machines of each unit; `.value()` is unit -> count, without what is left empty. */
function counts(units, given, { min, empty }) {
  const inputs = units.map((unit, i) => {
    const input = numberInput({ min, value: given[unit] ?? "", empty, required: false });
    input.dataset.unit = unit;
    if (i === 0 && given[unit] === undefined && empty === "0") input.value = "1";
    return [unit, input];
  });
  return {
    fields: inputs.map(([unit, input]) => field(unit, input)),
    value: () => Object.fromEntries(inputs.filter(([, i]) => i.value !== "" && Number(i.value) >= min).map(([u, i]) => [u, Number(i.value)])),
    first: inputs[0]?.[1],
  };
}

export function unitsOf(frame) {
  return [...new Set([...frame.units.map((u) => u.unit), ...frame.bars.map((b) => b.unit)])];
}

/** Everything that was ever called a job in this game: names cannot be used twice. */
function takenNames({ game, frame }) {
  return [...frame.jobs.map((j) => j.name), ...game.moves.map((m) => m.submit).filter(Boolean)];
}

export class Actions {
  constructor(store, ask) {
    this.store = store;
    this.ask = ask;
    this.shape = "";
  }

  /** The forms stay while the queue has the same shares and units, so that nothing that is being typed is lost. */
  draw() {
    const { frame, looking, possible } = this.store;
    byId("actions").hidden = looking;
    byId("actions-hint").textContent = looking
      ? "What was seen of a real queue is looked at, not played. Choose a job in the picture: it tells its story. Open… a configuration to play."
      : "Or choose a job in the picture: it tells its story. A share can be changed there too.";
    if (looking) return;
    const units = unitsOf(frame);
    const shape = JSON.stringify([units, frame.shares.map((s) => s.name), frame.units.map((u) => u.capacity)]);
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(units, frame);
    }
    const live = frame.jobs.filter((j) => LIVE.has(j.stage));
    const options = live.map((j) => [j.name, `${j.name} (${j.share}, ${j.stage})`]);
    setOptions(this.jobs, options);
    this.actOnJob.disabled = options.length === 0;
    this.finishNow.disabled = !possible.jobs.finish.includes(this.jobs.value);
    if (!this.named) this.name.value = suggested(this.share.value, takenNames(this.store));
  }

  build(units, frame) {
    const shares = frame.shares.map((s) => [s.name, s.name]);
    const before = this.share?.value;
    this.share = choice(shares, before ?? shares[0]?.[0]);
    this.named = false;
    this.name = el("input", { required: true, maxlength: 128, autocomplete: "off", spellcheck: "false" });
    this.name.addEventListener("input", () => (this.named = this.name.value !== ""));
    this.share.addEventListener("change", () => this.draw());
    const size = counts(units, {}, { min: 1, empty: "0" });
    const priority = numberInput({ max: 9999, empty: "left out", value: "0" });
    const retries = numberInput({ empty: "no limit" });
    const submit = form({ class: "inline", "aria-label": "Submit a job" }, () => {
      const move = without({ submit: this.name.value.trim(), share: this.share.value, size: size.value(),
        priority: whole(priority), retries: whole(retries) });
      this.named = false;
      void this.store.move(move);
    }, field("Name", this.name), field("Share", this.share), size.fields, field("Priority", priority),
    field("Preemption retries", retries), el("button", { type: "submit", class: "primary" }, "Submit"));

    this.jobs = choice([], "", { "aria-label": "Job" });
    this.jobs.addEventListener("change", () => this.draw());
    this.finishNow = button("Finish", () => void this.store.move({ finish: this.jobs.value }));
    this.actOnJob = button("More…", () => this.openJob(this.jobs.value), { "aria-label": "More for this job" });
    const shareNames = choice(shares, shares[0]?.[0], { "aria-label": "Share" });
    const actOnShare = button("Change…", () => this.openShare(shareNames.value), { "aria-label": "Change this share" });
    fill(byId("actions"),
      el("section", { class: "card" }, el("h3", { id: "submit-title" }, "Submit a job"), submit),
      el("div", { class: "act-rows" },
        el("section", { class: "card" }, el("h3", {}, "A job"), el("div", { class: "inline" }, this.jobs, this.finishNow, this.actOnJob)),
        el("section", { class: "card" }, el("h3", {}, "A share"), el("div", { class: "inline" }, shareNames, actOnShare,
          button("New share…", () => this.openNewShare()))),
        el("section", { class: "card" }, el("h3", {}, "The environment"), el("div", { class: "inline" },
          button("Capacity and state…", () => this.openEnvironment())))));
  }

  focusSubmit() {
    this.name.focus();
    this.name.select();
  }

  /** One dialog for all: each button in it makes its move and closes it. */
  dialog(title, about, ...parts) {
    byId("act-title").textContent = title;
    fill(byId("act-about"), about);
    fill(byId("act-body"), parts);
    openDialog(byId("act"), { focus: byId("act-body").querySelector("button, input, select") });
  }

  do(move) {
    byId("act").close();
    void this.store.move(without(move));
  }

  one(title, action, ...fields) {
    return form({}, action, el("fieldset", {}, el("legend", {}, title),
      el("div", { class: "inline" }, fields, el("button", { type: "submit" }, title))));
  }

  openJob(name) {
    const job = this.store.frame.jobs.find((j) => j.name === name);
    if (!job) return;
    const size = Object.entries(job.size).map(([unit, n]) => `${n} × ${unit}`).join(", ");
    const about = `${job.share}, ${job.stage}, ${size}, priority ${job.priority}; ${job.preemptions ? `stopped ${job.preemptions === 1 ? "once" : `${job.preemptions} times`}` : "never stopped"}, `
      + (job.retries === null ? "retries without limit." : `${counted(job.retries, "retry", "retries")} allowed.`);
    const lived = el("section", { class: "lived", "aria-label": "What has happened to it" }, el("p", { class: "hint" }, "…"));
    void this.tell(name, lived);
    if (!LIVE.has(job.stage) || this.store.looking || this.store.guided) {
      this.dialog(`Job ${name}`, about, lived, LIVE.has(job.stage) ? null : el("p", {}, "It has ended; nothing can be done to it."));
      return;
    }
    const priority = numberInput({ max: 9999, value: job.priority });
    const runs = job.stage !== "RUNNABLE";
    this.dialog(`Job ${name}`, about,
      el("div", { class: "inline" },
        runs ? button("Finish", () => this.do({ finish: name })) : null,
        runs ? button("Fail by itself", () => this.do({ finish: name, failed: true })) : null,
        button("Terminate", () => this.do({ terminate: name })),
        job.stage === "DRAINING" ? button("Has stopped", () => this.do({ stopped: name })) : null,
        NEXT_STAGE[job.stage] ? button(`Advance to ${NEXT_STAGE[job.stage]}`, () => this.do({ advance: name })) : null,
        job.stage === "SCHEDULED" ? button("Return for lack of machines", () => this.do({ return: name })) : null),
      this.one("Set priority", () => this.do({ "set-priority": name, priority: whole(priority) }), field("Priority, 0 to 9999", priority)), lived);
  }

  /** What has happened to a job and why, each with a way to the event. */
  async tell(name, into) {
    const { game, at } = this.store;
    let story;
    try {
      story = await api.job(game, name, at);
    } catch (trouble) {
      fill(into, el("p", { class: "hint" }, `What has happened to it cannot be told: ${trouble.message}`));
      return;
    }
    const jump = (number) => button(`event ${number}`, () => {
      byId("act").close();
      void this.store.goTo(number);
    }, { class: "topic", "aria-label": `Go to event ${number}` });
    const asked = (topic) => {
      byId("act").close();
      void this.ask(topic);
    };
    fill(into, el("h3", {}, "What has happened to it"), story.stopped ? el("p", {}, el("strong", {}, story.stopped)) : null,
      el("ol", { class: "story-of-job" }, story.passages.map((one) => el("li", {},
        el("p", {}, el("strong", {}, one.what), " ", el("span", { class: "where" }, jump(one.number), one.at === null ? "" : `, ${instantText(one.at)}`)),
        one.said.map((s) => said(s, asked))))));
  }

  openShare(name) {
    const { frame, looking, guided } = this.store;
    const share = frame.shares.find((s) => s.name === name);
    if (!share || looking || guided) return;
    const units = unitsOf(frame);
    const limits = counts(units, Object.fromEntries(frame.bars.filter((b) => b.share === name && b.limit > 0).map((b) => [b.unit, b.limit])), { min: 1, empty: "none" });
    const strategy = choice(STRATEGIES, share.strategy);
    const borrow = numberInput({ empty: "no maximum", value: share.borrow_limit === null || share.borrow_limit < 0 ? "" : share.borrow_limit });
    const about = `${share.strategy}, in-share preemption ${share.in_share ? "on" : "off"}, `
      + `${share.deleting ? "being deleted" : share.enabled ? "enabled" : "disabled"}; jobs that wait: ${share.waiting}.`;
    this.dialog(`Share ${name}`, about,
      this.one("Set limits", () => this.do({ "set-limits": name, limits: limits.value() }), limits.fields),
      this.one("Set sharing", () => this.do({ "set-sharing": name, strategy: strategy.value,
        borrowLimit: strategy.value === "LEND_AND_BORROW" ? whole(borrow) : undefined }),
      field("Strategy", strategy), field(BORROW, borrow)),
      el("div", { class: "inline" },
        button(`In-share preemption ${share.in_share ? "off" : "on"}`, () => this.do({ "set-in-share": name, enabled: !share.in_share })),
        button(share.enabled ? "Disable" : "Enable", () => this.do({ "set-share-state": name, state: share.enabled ? "DISABLED" : "ENABLED" })),
        share.deleting ? null : button("Delete", () => this.do({ "delete-share": name }), { class: "danger" })));
  }

  openNewShare() {
    const units = unitsOf(this.store.frame);
    const taken = new Set(this.store.frame.shares.map((s) => s.name));
    let n = taken.size + 1;
    while (taken.has(`share-${n}`)) n += 1;
    const name = el("input", { required: true, maxlength: 128, pattern: "[A-Za-z0-9_\\-]+", value: `share-${n}`, autocomplete: "off" });
    const limits = counts(units, { [units[0]]: 1 }, { min: 1, empty: "none" });
    const strategy = choice(STRATEGIES, "LEND_AND_BORROW");
    const borrow = numberInput({ empty: "no maximum" });
    const inShare = el("input", { type: "checkbox" });
    this.dialog("New share", "CreateQuotaShare. The environment does not grow with it.",
      this.one("Create", () => this.do({ "create-share": without({ name: name.value, limits: limits.value(), strategy: strategy.value,
        borrowLimit: strategy.value === "LEND_AND_BORROW" ? whole(borrow) : undefined, inSharePreemption: inShare.checked }) }),
      field("Name", name, "letters, digits, - and _"), limits.fields, field("Strategy", strategy),
      field(BORROW, borrow), field("In-share preemption", inShare)));
  }

  openEnvironment() {
    const { frame } = this.store;
    const capacity = counts(unitsOf(frame), Object.fromEntries(frame.units.map((u) => [u.unit, u.capacity])), { min: 0, empty: "none" });
    const state = (verb, what) => el("div", { class: "inline" }, el("span", {}, what),
      button("Disable", () => this.do({ [verb]: "DISABLED" }), { "aria-label": `Disable ${what}` }),
      button("Enable", () => this.do({ [verb]: "ENABLED" }), { "aria-label": `Enable ${what}` }));
    this.dialog("The environment", "UpdateServiceEnvironment and UpdateJobQueue.",
      this.one("Set capacity", () => this.do({ "set-capacity": capacity.value() }), capacity.fields),
      state("set-environment-state", "the environment"), state("set-queue-state", "the job queue"));
  }
}
