// Opening and keeping: seed scenarios, files of this computer, the scenario of a play, its link, its picture.

import { api, Trouble } from "./api.js";
import { button, byId, el, fill, openDialog } from "./dom.js";
import { slide } from "./picture.js";

const LARGEST = 8 << 20;
const MOST_SLIDES = 60;

export class Files {
  constructor(store, address, { trouble, notice, menu, open }) {
    Object.assign(this, { store, address, trouble, notice, menu, open });
    byId("file").addEventListener("change", (event) => {
      const [file] = event.target.files;
      event.target.value = "";
      if (file) void this.read(file);
    });
    byId("open").addEventListener("click", () => this.openMenu());
    byId("save").addEventListener("click", () => this.keepMenu());
    this.acceptDrops();
    byId("scenario-filter").addEventListener("input", () => this.filter());
    fill(byId("scenarios"), menu.scenarios.map((s) => el("li", { "data-text": `${s.name} ${s.about}`.toLowerCase() },
      button([el("strong", {}, s.name), el("span", { class: "hint" }, s.about)], () => void this.scenario(s.name)))));
  }

  openMenu() {
    byId("scenario-filter").value = "";
    this.filter();
    openDialog(byId("opening"));
  }

  filter() {
    const words = byId("scenario-filter").value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const item of byId("scenarios").children) {
      item.hidden = !words.every((word) => item.dataset.text.includes(word));
      shown += item.hidden ? 0 : 1;
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

  /** A file of this computer: scenario, witness, configuration or history; the server says which it is. */
  read(file) {
    return this.trouble.watch(async () => {
      if (file.size > LARGEST) {
        throw new Trouble({ what: `${file.name} is larger than 8 MiB.`, why: "The page opens a play; a long history is for the report.",
          fix: `run \`quotaproof audit ${file.name} --report html=report.html\`.` });
      }
      const answer = await api.open(file.name, await file.text());
      byId("opening").close();
      await this.open(answer.game);
      const left = [answer.left_out ?? []].flat();
      if (left.length) this.notice(`${file.name} is open. Left out: ${left.join("; ")}`);
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
      const [file] = event.dataTransfer.files;
      if (file) void this.read(file);
    });
  }

  keepMenu() {
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

function fileName(name) {
  return name.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[-.]+|-+$/g, "") || "play";
}
