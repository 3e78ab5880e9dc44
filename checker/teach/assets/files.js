// Opening and keeping: seed scenarios, files of this computer, the scenario of a play, its link, its picture.

import { api, Trouble } from "./api.js";
import { button, byId, counted, el, fill, openDialog } from "./dom.js";
import { slide } from "./picture.js";

const LARGEST = 8 << 20;
const MOST_SLIDES = 60;
const MOST_FILES = 2000;
/** Where scenarios come from: what stands above them, and whether they are shown before one asks for them. */
const GROUPS = [["aws", "AWS's cases", true], ["seed", "By hand: a rule, an open question or a fault each", true],
  ["report", "Public bug reports of other schedulers", false], ["bug", "What planted bugs were found by", false]];
const READABLE = /\.(ya?ml|jsonl?|ndjson|log|txt|tf|template)(\.gz)?$/i;

export class Files {
  constructor(store, address, { trouble, notice, menu, open }) {
    Object.assign(this, { store, address, trouble, notice, menu, open });
    for (const id of ["file", "folder"]) {
      byId(id).addEventListener("change", (event) => {
        const chosen = [...event.target.files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
        event.target.value = "";
        if (chosen.length) void this.read(chosen);
      });
    }
    byId("open").addEventListener("click", () => this.openMenu());
    byId("save").addEventListener("click", () => this.keepMenu());
    this.acceptDrops();
    byId("scenario-filter").addEventListener("input", () => this.filter());
    this.groups = GROUPS.map(([source, title, open]) => {
      const items = menu.scenarios.filter((s) => s.source === source).map((s) => el("li", { "data-text": `${s.name} ${s.about}`.toLowerCase() },
        button([el("strong", {}, s.name), el("span", { class: "hint" }, s.about)], () => void this.scenario(s.name))));
      const sum = el("span", { class: "where" });
      const box = el("details", {}, el("summary", {}, `${title} `, sum), el("ul", { class: "choices" }, items));
      return { items, sum, box, open };
    });
    fill(byId("scenarios"), this.groups.map((group) => group.box));
  }

  openMenu() {
    byId("scenario-filter").value = "";
    this.filter();
    openDialog(byId("opening"));
  }

  filter() {
    const words = byId("scenario-filter").value.toLowerCase().split(/\s+/);
    const asked = words.some(Boolean);
    let shown = 0;
    for (const { items, sum, box, open } of this.groups) {
      for (const item of items) item.hidden = !words.every((word) => item.dataset.text.includes(word));
      const found = items.filter((item) => !item.hidden).length;
      sum.textContent = asked ? `${found} of ${items.length}` : String(items.length);
      box.hidden = found === 0;
      box.open = asked || open;
      shown += found;
    }
    byId("scenarios-none").hidden = shown > 0;
  }

  /** A seed scenario; with `broken` at the event that breaks something. */
  scenario(name, { scheduler = null, broken = false } = {}) {
    return this.trouble.watch(async () => {
      const { game } = await api.scenario(name);
      byId("opening").close();
      const played = scheduler ? { ...game, scheduler } : game;
      const done = await this.open(played, broken ? undefined : 0);
      const since = this.store.frame.lamps.filter((l) => l.state === "broken").map((l) => l.since);
      if (done && broken && since.length) await this.store.goTo(Math.min(...since));
    });
  }

  /** Files of this computer, [{ name, file }]: scenario, witness, configuration or history; the server says which. */
  read(chosen) {
    return this.trouble.watch(async () => {
      const usable = chosen.length === 1 ? chosen : chosen.filter(({ name }) => READABLE.test(name) && !/(^|\/)\./.test(name));
      const called = chosen.length === 1 ? chosen[0].name : `${counted(usable.length, "file")}`;
      if (!usable.length) {
        throw new Trouble({ what: `None of the ${chosen.length} files can be read here.`, why: "By their names they are neither JSON nor YAML.",
          fix: "choose a scenario, a configuration, or the files of a history." });
      }
      if (usable.length > MOST_FILES || usable.reduce((sum, { file }) => sum + file.size, 0) > LARGEST) {
        throw new Trouble({ what: `${called}: that is more than 8 MiB or ${MOST_FILES} files.`, why: "The page opens a play; a long history is for the report.",
          fix: "run `quotaproof audit FOLDER --report html=report.html`, or `quotaproof play FOLDER --since TIME`." });
      }
      const answer = await api.open(await Promise.all(usable.map(plainText)));
      byId("opening").close();
      const done = await this.open(answer.game);
      const left = [answer.left_out ?? []].flat();
      if (chosen.length > usable.length) left.push(`${counted(chosen.length - usable.length, "file")} of other kinds`);
      if (done && left.length) this.notice(`${called} opened. Left out: ${left.join("; ")}`);
    });
  }

  acceptDrops() {
    let depth = 0;
    const holds = (event) => event.dataTransfer?.types.includes("Files");
    const show = (on) => byId("drop").toggleAttribute("hidden", !on);
    addEventListener("dragenter", (event) => {
      if (holds(event)) show((depth += 1) > 0);
    });
    addEventListener("dragleave", (event) => {
      if (holds(event)) show((depth -= 1) > 0);
    });
    addEventListener("dragover", (event) => {
      if (holds(event)) event.preventDefault();
    });
    addEventListener("drop", (event) => {
      if (!holds(event)) return;
      event.preventDefault();
      show((depth = 0) > 0);
      void this.trouble.watch(async () => {
        const chosen = await dropped(event.dataTransfer);
        if (chosen.length) await this.read(chosen);
      });
    });
  }

  keepMenu() {
    byId("save-scenario").disabled = this.store.looking;
    byId("keep-history").hidden = !this.store.looking;
    byId("keep-at").textContent = this.store.atEnd ? "" : `The slider is at event ${this.store.at}: the play is kept up to there.`;
    openDialog(byId("keeping"));
  }

  saveScenario() {
    return this.trouble.watch(async () => {
      const { name, text } = await api.save(this.store.game, this.store.at);
      this.download(name, text, "application/yaml");
    });
  }

  savePicture(frame = this.store.frame) {
    const { name } = this.store.game;
    const { number, said } = frame.line;
    const caption = `${name}, event ${number}: ${said.map((s) => s.sentence).join(" ")}`;
    const text = new XMLSerializer().serializeToString(slide(frame, { width: 960, caption }));
    this.download(`${fileName(name)}-${String(number).padStart(2, "0")}.svg`, text, "image/svg+xml");
  }

  /** A slide for each event from the start to the one that is shown. */
  savePictures() {
    return this.trouble.watch(async () => {
      const { game, at, count } = this.store;
      if (at >= MOST_SLIDES) {
        throw new Trouble({ what: `${count} pictures are too many to save at once.`, why: `At most ${MOST_SLIDES} are.`,
          fix: "move the slider to an earlier event; the pictures end there." });
      }
      for (let n = 0; n <= at; n += 1) this.savePicture((await api.play(game, { at: n, since: count })).frame);
      this.notice(`${at + 1} pictures are saved.`);
    });
  }

  download(name, text, type) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    el("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    byId("keeping").close();
    this.notice(`${name} is saved.`);
  }

  async copyLink() {
    this.address.show(this.store.game, this.store.at);
    const link = await this.address.flush();
    try {
      await navigator.clipboard.writeText(link);
      this.notice("The link is copied. It holds the whole play; whoever has quotaproof opens it with what follows the #.");
    } catch {
      byId("link-text").value = link;
      openDialog(byId("link"), { focus: byId("link-text") });
      byId("link-text").select();
    }
  }
}

/** A file's name and text; what is compressed with gzip is unpacked here. */
async function plainText({ name, file }) {
  if (!/\.gz$/i.test(name)) return { name, text: await file.text() };
  try {
    const unpacked = file.stream().pipeThrough(new DecompressionStream("gzip"));
    return { name: name.slice(0, -3), text: await new Response(unpacked).text() };
  } catch {
    throw new Trouble({ what: `${name} cannot be unpacked.`, why: "By its name it is compressed with gzip, and it is not, or only in part.",
      fix: "unpack it, or fetch it once more." });
  }
}

/** What was dropped, with everything in folders. The entries are asked for at once: the browser forgets them. */
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ name: file.name, file }));
  const found = [];
  const take = async (entry) => {
    if (found.length > MOST_FILES) return;
    if (entry.isFile) {
      const file = await new Promise((done, failed) => entry.file(done, failed));
      found.push({ name: entry.fullPath.replace(/^\//, ""), file });
      return;
    }
    const reader = entry.createReader(); // it gives some at a time
    for (let some = [null]; some.length;) {
      some = await new Promise((done, failed) => reader.readEntries(done, failed));
      for (const one of some) await take(one);
    }
  };
  for (const entry of entries) await take(entry);
  return found;
}

function fileName(name) {
  return name.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[-.]+|-+$/g, "") || "play";
}
