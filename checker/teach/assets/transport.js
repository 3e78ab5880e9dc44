// Going through a play: step, back, run, play on its own, the slider, undo and redo.

import { byId } from "./dom.js";

export class Transport {
  constructor(store) {
    this.store = store;
    this.playing = false;
    this.slider = byId("slider");
    const on = (id, action) => byId(id).addEventListener("click", () => void action());
    on("back", () => this.back());
    on("step", () => this.step());
    on("run", () => this.run());
    on("go", () => this.toggle());
    on("undo", () => store.undo());
    on("redo", () => store.redo());
    this.slider.addEventListener("input", () => {
      this.stop();
      void store.goTo(Number(this.slider.value));
    });
  }

  back() {
    this.stop();
    return this.store.goTo(this.store.at - 1);
  }

  step() {
    if (this.store.resting) {
      this.rests();
      return null;
    }
    performance.mark("step-start");
    return this.store.step();
  }

  run() {
    if (this.store.resting) {
      this.rests();
      return null;
    }
    return this.store.run();
  }

  rests() {
    byId("announce").textContent = "";
    requestAnimationFrame(() => {
      byId("announce").textContent = byId("rest-hint").textContent;
    });
  }

  toggle() {
    if (this.playing) this.stop();
    else void this.play();
  }

  /** One event after the other until nothing moves, at the speed that is chosen. */
  async play({ pace = null } = {}) {
    this.playing = true;
    this.drawPlaying();
    while (this.playing && !this.store.resting) {
      if (!(await this.store.step())) break;
      const wait = pace ?? Number(byId("speed").value);
      await new Promise((resolve) => (this.wake = setTimeout(resolve, wait)));
    }
    this.stop();
  }

  stop() {
    this.playing = false;
    this.drawPlaying();
  }

  drawPlaying() {
    byId("go").setAttribute("aria-pressed", String(this.playing));
    byId("go-text").textContent = this.playing ? "Pause" : "Play";
    byId("go-shape").textContent = this.playing ? "❚❚" : "▶";
  }

  draw() {
    const { at, last, frame, resting, canUndo, canRedo } = this.store;
    this.slider.max = String(last);
    this.slider.value = String(at);
    this.slider.disabled = last === 0;
    this.slider.setAttribute("aria-valuetext", `${at === 0 ? "start" : `event ${at} of ${last}`}: ${frame.line.said[0]?.sentence ?? frame.line.kind}`);
    byId("place").textContent = `${at} / ${last}`;
    const off = (id, is) => byId(id).setAttribute("aria-disabled", String(is));
    off("back", at === 0);
    off("step", resting);
    off("run", resting);
    off("go", resting && !this.playing);
    off("undo", !canUndo);
    off("redo", !canRedo);
    byId("rest-hint").textContent = this.store.guided ? "The lesson says what happens next."
      : this.store.looking ? "This is the end of what was seen." : "At rest: submit a job, finish one, or change a share.";
    byId("rest-hint").hidden = !resting;
  }
}
