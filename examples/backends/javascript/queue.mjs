// What a quota-share queue knows: shares, jobs, and the claims of jobs that machines are kept for.
// Nothing is decided here; `Scheduler` does that.

export const RUNNING = ["SCHEDULED", "STARTING", "RUNNING"]; // told to stop when a job is preempted
const HOLDING = [...RUNNING, "DRAINING"]; // a victim holds its machines until it has stopped
const ENDED = ["SUCCEEDED", "FAILED"];

/** Machines in use, counted for each share and unit: now, or as they will be. */
export class Ledger {
  #counts = new Map();

  add(share, size, times = 1) {
    for (const [unit, n] of Object.entries(size)) {
      this.#counts.set(`${unit} ${share}`, this.of(share, unit) + times * n);
    }
    return this;
  }

  of(share, unit) {
    return this.#counts.get(`${unit} ${share}`) ?? 0;
  }

  copy() {
    const copy = new Ledger();
    copy.#counts = new Map(this.#counts);
    return copy;
  }
}

export class Queue {
  constructor(form) {
    this.capacity = form.environment; // unit -> machines that exist
    this.environmentEnabled = true;
    this.enabled = true;
    this.shares = new Map();
    this.jobs = new Map();
    this.claims = []; // { job, number }: what the job asks is kept for it
    this.claimsOpened = 0;
    this.clock = 0; // orders submissions and starts
    form.shares.forEach((share) => this.addShare(share));
  }

  addShare(form) {
    const { name, limits, strategy, borrowLimit = -1, inSharePreemption = false, state = "ENABLED" } = form;
    this.shares.set(name, { name, limits, strategy, borrowLimit, inSharePreemption, state, deleting: false });
  }

  // The three numbers of a share for a unit: what is its own, what of that nobody else may ever use, and the most
  // that it may hold when it borrows.

  limit(share, unit) {
    return this.shares.get(share).limits[unit] ?? 0;
  }

  kept(share, unit) {
    return this.shares.get(share).strategy === "RESERVE" ? this.limit(share, unit) : 0;
  }

  most(share, unit) {
    const { strategy, borrowLimit, limits } = this.shares.get(share);
    const limit = this.limit(share, unit);
    if (strategy !== "LEND_AND_BORROW" || !(unit in limits)) return limit;
    return borrowLimit === -1 ? Infinity : limit + Math.floor((limit * borrowLimit) / 100);
  }

  // Sums over the shares.

  exists(unit) {
    return this.capacity[unit] ?? 0;
  }

  limits(unit) {
    return this.#sum((share) => this.limit(share, unit));
  }

  used(ledger, unit) {
    return this.#sum((share) => ledger.of(share, unit));
  }

  /** Machines in use, and those that nobody but their idle owner may use. */
  protected(ledger, unit) {
    return this.#sum((share) => Math.max(ledger.of(share, unit), this.kept(share, unit)));
  }

  /** What the shares other than `share` use beyond their limits. */
  lentTo(ledger, unit, share) {
    return this.#sum((other) => (other === share ? 0 : Math.max(0, ledger.of(other, unit) - this.limit(other, unit))));
  }

  #sum(number) {
    return [...this.shares.keys()].reduce((total, share) => total + number(share), 0);
  }

  // Usage now, and as it will be once victims have stopped and claims are served.

  now() {
    return this.live().reduce((all, job) => (HOLDING.includes(job.state) ? all.add(job.share, job.size) : all), new Ledger());
  }

  due(upTo = Infinity) {
    const ledger = this.now();
    for (const job of this.live()) {
      if (job.state === "DRAINING" && job.drainsFor <= upTo) ledger.add(job.share, job.size, -1);
    }
    for (const { job, number } of this.claims) {
      if (number <= upTo) ledger.add(job.share, job.size);
    }
    return ledger;
  }

  // Jobs.

  live() {
    return [...this.jobs.values()].filter((job) => !ENDED.includes(job.state));
  }

  claimOf(job) {
    return this.claims.find((claim) => claim.job === job);
  }

  /** The share's waiting jobs: by priority; of equals the one with a claim, then the oldest. Its head is the first. */
  waiting(share) {
    const claims = (job) => (this.claimOf(job) ? 1 : 0);
    return this.live()
      .filter((job) => job.share === share && job.state === "RUNNABLE")
      .sort((a, b) => b.priority - a.priority || claims(b) - claims(a) || a.order - b.order);
  }

  heads() {
    return [...this.shares.keys()].map((share) => this.waiting(share)[0]).filter(Boolean);
  }

  move(job, state) {
    job.state = state;
    if (state !== "DRAINING") this.endClaim(job);
  }

  endClaim(job) {
    this.claims = this.claims.filter((claim) => claim.job !== job);
  }
}
