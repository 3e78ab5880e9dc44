// The page of a play: puts its parts together. Meaning comes from the server as frames; picture.js draws them.

import { Actions } from "./actions.js";
import { AddressBar, unpacked } from "./address.js";
import { api } from "./api.js";
import { button, byId, el, fill, openDialog, prepareDialogs } from "./dom.js";
import { Files } from "./files.js";
import { Lessons } from "./lesson.js";
import { drawPlay } from "./picture.js";
import { Policy } from "./policy.js";
import { Store } from "./store.js";
import { firstOf, Lamps, Log, nameTopics, Told, topics } from "./told.js";
import { Transport } from "./transport.js";
import { Messages } from "./messages.js";

const messages = new Messages((word) => [...(store.frame?.jobs ?? []), ...(store.frame?.shares ?? [])].some(({ name }) => name === word));
const store = new Store((trouble) => messages.tell(trouble));
const address = new AddressBar();

function draw(parts, lessons) {
  const picture = byId("picture");
  let selected = null;
  let width = picture.clientWidth; // asked once: asking after each drawing would lay the page out twice
  const paint = () => drawPlay(picture, store.frame, {
    beside: store.beside,
    selected,
    width,
    label: store.beside ? store.label : "",
    besideLabel: store.besideLabel,
    onJob: (name) => choose(name, () => parts.actions.openJob(name)),
    onShare: (share) => choose({ share }, () => parts.actions.openShare(share)),
  });
  const choose = (what, then) => {
    selected = what;
    paint();
    then();
  };
  byId("act").addEventListener("close", () => {
    selected = null;
    paint();
  });
  new ResizeObserver(([entry]) => {
    const now = Math.round(entry.contentRect.width);
    if (store.frame && width !== now) {
      width = now;
      paint();
    }
  }).observe(picture);

  store.listen((_, { how, opened }) => {
    paint();
    byId("name").textContent = lessons.lesson ? `Lesson ${lessons.lesson.number}` : store.game.name || "A play";
    byId("about").textContent = store.game.about ?? "";
    byId("label").textContent = store.beside ? `${store.label} | ${store.besideLabel}` : store.label;
    document.title = `${store.game.name || "A play"} · quotaproof`;
    for (const part of Object.values(parts)) part.draw();
    if (how !== "address" && !store.guided) address.show(store.game, store.at, { push: Boolean(opened) });
    if (how !== "go" && how !== "address") messages.clear();
    measured();
  });
}

/** Tests read how long a step takes from the click to what is drawn. */
function measured() {
  if (performance.getEntriesByName("step-start").length === 0) return;
  requestAnimationFrame(() => setTimeout(() => {
    performance.mark("step-drawn");
    performance.measure("step", "step-start", "step-drawn");
    performance.clearMarks("step-start");
    performance.clearMarks("step-drawn");
  }));
}

/** An explanation of a code or a rule; `first` is shown before it. */
async function ask(topic, shown = null) {
  const first = shown ?? firstOf(topic);
  byId("explained-title").textContent = topic;
  fill(byId("explained-body"), first, el("p", { class: "hint" }, "…"));
  openDialog(byId("explained"));
  let text;
  try {
    ({ text } = await api.explain(topic));
  } catch (trouble) {
    text = `${trouble.message} ${trouble.fix}`;
  }
  if (byId("explained-title").textContent !== topic) return;
  const whole = el("p", { class: "explanation" }, topics(text, ask));
  fill(byId("explained-body"), first, first ? el("details", {}, el("summary", {}, "Exactly, and all there is to say of it"), whole) : whole);
}

function shortcuts(transport, parts) {
  const keys = {
    n: () => transport.step(), b: () => transport.back(), r: () => transport.run(), " ": () => transport.toggle(),
    u: () => store.undo(), y: () => store.redo(), s: () => store.guided || store.looking || parts.actions.focusSubmit(), "?": () => openDialog(byId("help")),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") return messages.clear();
    const target = event.target;
    if (target.closest("input, select, textarea, [contenteditable]")) return;
    if (event.key === " " && target.closest("button, summary, a, [role=button], [tabindex]:not(main)")) return;
    const action = keys[event.key];
    if (!action || !store.frame) return;
    event.preventDefault();
    void action();
  });
}

/** What the address names; the play to start with where it names none. */
async function show(menu, lessons) {
  try {
    const named = address.returned() ?? (await unpacked(location.hash));
    if (named?.lesson !== undefined) return await lessons.open(named.lesson);
    lessons.leave();
    if (named && (await store.load(named.game, named.at, { how: "address" }))) return address.show(store.game, store.at);
    if (named) address.keep();
  } catch (trouble) {
    address.keep();
    if (!store.frame) await store.load(menu.start, undefined, { how: "address" });
    return messages.tell(trouble);
  }
  const started = !store.frame && (await store.load(menu.start, undefined, { how: "address" }));
  if (started && !location.hash) address.show(store.game, store.at);
  return started;
}

async function start() {
  prepareDialogs();
  const menu = await api.menu();
  nameTopics(menu);
  const transport = new Transport(store);
  const files = new Files(store, address, {
    trouble: messages, notice: (text) => messages.notice(text), menu,
    open: (game, at) => {
      lessons.leave();
      return store.load(game, at, { opened: true });
    },
  });
  const policy = new Policy(store, menu, { ask, openScenario: (name, more) => files.scenario(name, more) });
  const parts = { told: new Told(store, ask), log: new Log(store), lamps: new Lamps(store, ask), actions: new Actions(store, ask), transport, policy };
  const lessons = new Lessons({ store, menu, address, messages, transport, ask });
  draw(parts, lessons);
  shortcuts(transport, parts);
  byId("share-link").addEventListener("click", () => void files.copyLink());
  byId("save-scenario").addEventListener("click", () => void files.saveScenario());
  byId("save-picture").addEventListener("click", () => files.savePicture());
  byId("save-pictures").addEventListener("click", () => void files.savePictures());
  byId("help-button").addEventListener("click", () => openDialog(byId("help")));
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("picture-title").focus();
  });
  addEventListener("popstate", () => {
    address.forget();
    messages.clear();
    transport.stop();
    void show(menu, lessons);
  });
  await show(menu, lessons);
  document.documentElement.dataset.ready = "true";
}

start().catch((trouble) => {
  messages.tell(trouble);
  byId("trouble").append(button("Reload the page", () => location.reload()));
});
