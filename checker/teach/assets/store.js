// The play on the page: its game, the frame that is shown, undo and redo. One thing happens at a time, in order.
//
// Undo takes back the last event; where the last thing done was no event (another scheduler, an assumption, a move that
// cut off what came after it), it takes that back. Nothing changes when the server says no.

import { api } from "./api.js";

export class Store {
  constructor(onTrouble) {
    this.onTrouble = onTrouble;
    this.listeners = [];
    this.queue = Promise.resolve();
    this.wanted = null;
    this.game = null;
    this.past = [];
    this.future = [];
    this.lines = [];
    this.guided = false;
  }

  /** `listener(store, cause)` is called after every change. */
  listen(listener) {
    this.listeners.push(listener);
  }

  get last() {
    return this.count - 1;
  }

  get atEnd() {
    return this.at === this.last;
  }

  /** What was seen of a real queue is looked at: nothing can be added to it, and nobody else can schedule it. */
  get looking() {
    return Boolean(this.game?.history);
  }

  /** Nothing is left to do, and that has been judged; or a lesson says what happens next. */
  get resting() {
    return this.atEnd && (this.guided || this.looking || this.rests);
  }

  get canUndo() {
    return !this.guided && !this.looking && (this.past.length > 0 || this.last > 0);
  }

  get canRedo() {
    return !this.guided && !this.looking && this.future.length > 0;
  }

  /** One after the other; what goes wrong is told, and gives false. */
  inTurn(work) {
    const done = this.queue.then(work).then(
      () => true,
      (trouble) => {
        this.onTrouble(trouble);
        return false;
      },
    );
    this.queue = done;
    return done;
  }

  load(game, at, { opened = false, how = "load" } = {}) {
    return this.inTurn(async () => {
      let answer = await api.play(game);
      const to = at === undefined ? answer.at : Math.max(0, Math.min(at, answer.count - 1)); // a link may name any number
      if (to !== answer.at) answer = { ...(await api.play(game, { at: to, since: answer.count })), lines: answer.lines };
      this.past = [];
      this.future = [];
      this.accept(answer, { how, opened });
    });
  }

  /** Adds moves at the frame that is shown; what came after it is cut off, and undo brings it back. */
  move(...moves) {
    return this.inTurn(async () => {
      const before = { game: this.game, at: this.at };
      const cuts = !this.atEnd;
      const { game } = cuts ? await api.cut(this.game, this.at) : before;
      const since = this.at + 1;
      const answer = await api.play({ ...game, moves: [...game.moves, ...moves] }, { since, adds: true });
      this.future = [];
      if (cuts || answer.count - since === 1) this.past.push({ before, count: answer.count });
      this.accept(answer, { how: "move" });
    });
  }

  /** The same moves, with something else about the play changed. */
  change(changes) {
    return this.inTurn(async () => {
      const before = { game: this.game, at: this.at };
      const answer = await api.play({ ...this.game, ...changes }, this.atEnd ? {} : { at: this.at });
      this.future = [];
      this.past.push({ before, count: answer.count });
      this.accept(answer, { how: "change" });
    });
  }

  /** Shows frame `at`; while the slider moves only the newest wish counts. */
  goTo(at) {
    this.wanted = at;
    return this.inTurn(async () => {
      if (this.wanted === null) return;
      const to = Math.max(0, Math.min(this.wanted, this.last));
      this.wanted = null;
      if (to === this.at) return;
      this.accept(await api.play(this.game, { at: to, since: this.count }), { how: "go" });
    });
  }

  /** The next event that is there, or one more step of whoever schedules. */
  step() {
    return this.atEnd ? this.move({ tick: 1 }) : this.goTo(this.at + 1);
  }

  /** To the end of what is there; from there until nothing moves. */
  run() {
    return this.atEnd ? this.move({ settle: "all" }) : this.goTo(this.last);
  }

  undo() {
    return this.inTurn(async () => {
      if (!this.canUndo) return;
      const now = { game: this.game, at: this.at };
      const top = this.past.at(-1);
      const given = top !== undefined && this.count <= top.count;
      const to = given ? top.before : { game: (await api.cut(this.game, this.last - 1)).game, at: this.last - 1 };
      const answer = await api.play(to.game, { at: to.at });
      if (given) this.past.pop();
      this.future.push({ ...now, past: given ? top : null });
      this.accept(answer, { how: "undo" });
    });
  }

  redo() {
    return this.inTurn(async () => {
      if (!this.canRedo) return;
      const next = this.future.at(-1);
      const answer = await api.play(next.game, { at: next.at });
      this.future.pop();
      if (next.past) this.past.push(next.past);
      this.accept(answer, { how: "redo" });
    });
  }

  accept(answer, cause) {
    const first = answer.lines.length ? answer.lines[0].number : Infinity;
    const kept = this.lines.filter((line) => line.number < first && line.number < answer.count);
    Object.assign(this, {
      game: answer.game,
      at: answer.at,
      count: answer.count,
      frame: answer.frame,
      beside: answer.beside ?? null,
      label: answer.label,
      besideLabel: answer.beside_label ?? "",
      rests: answer.rests,
      possible: answer.possible,
      lines: [...kept, ...answer.lines],
    });
    this.tell(cause);
  }

  tell(cause) {
    for (const listener of this.listeners) listener(this, cause);
  }
}
