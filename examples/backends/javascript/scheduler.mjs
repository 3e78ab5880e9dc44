// A scheduler that obeys lend and borrow. `next` looks at the queue and returns one step, or nothing when there is
// nothing left to do; `apply` takes it. The order matters: owners before borrowers, and claims in between.

import { RUNNING } from "./queue.mjs";

export class Scheduler {
  constructor(queue) {
    this.queue = queue;
  }

  next() {
    const heads = this.queue.heads();
    const owners = heads.filter((job) => this.withinLimit(job, this.queue.now()));
    const borrowers = heads.filter((job) => !owners.includes(job)).sort((a, b) => a.order - b.order);
    return this.release() ?? this.start(owners) ?? this.claim(heads) ?? this.start(borrowers);
  }

  /** A job starts. */
  start(jobs) {
    const job = jobs.find((candidate) => this.mayStart(candidate));
    return job && { dispatch: job.name };
  }

  mayStart(job) {
    if (!this.queue.environmentEnabled || this.queue.shares.get(job.share).deleting) return false;
    const now = this.queue.now();
    if (!this.fits(job, now) || !this.keepsClaims(job)) return false;
    return this.withinLimit(job, now) || this.yieldsToOwners(job, now);
  }

  // Does a job fit, machines being used as a ledger says?

  fits(job, ledger) {
    return Object.keys(job.size).every((unit) => this.fitsIn(unit, job, ledger));
  }

  fitsIn(unit, job, ledger) {
    const queue = this.queue;
    const after = ledger.copy().add(job.share, job.size);
    const own = after.of(job.share, unit);
    if (queue.used(after, unit) > queue.exists(unit)) return false; // so many machines do not exist
    if (own > queue.most(job.share, unit)) return false; // the share may not borrow that much
    if (own <= queue.kept(job.share, unit)) return true; // reserved: it waits for nobody's loans
    // What others use or keep for themselves stays theirs. An owner may also take what exists and is nobody's.
    const borrows = own > queue.limit(job.share, unit);
    const there = borrows ? Math.min(queue.limits(unit), queue.exists(unit)) : queue.exists(unit);
    return queue.protected(after, unit) <= there;
  }

  /** With the job, its share stays within its own limit in every unit: it does not borrow. */
  withinLimit(job, ledger) {
    return Object.entries(job.size).every(
      ([unit, n]) => ledger.of(job.share, unit) + n <= this.queue.limit(job.share, unit),
    );
  }

  /** What was promised to a claim is there when its victims have stopped, also after this job has started. */
  keepsClaims(job) {
    const own = this.queue.claimOf(job)?.number ?? Infinity;
    return this.queue.claims.every(({ number }) => {
      if (own <= number) return true; // the job's own claim is counted in what is due
      const due = this.queue.due(number).add(job.share, job.size);
      return Object.keys(job.size).every((unit) => {
        if (due.of(job.share, unit) <= this.queue.kept(job.share, unit)) return true;
        return this.queue.protected(due, unit) <= this.queue.exists(unit);
      });
    });
  }

  /** A borrower leaves the head of another share what it is entitled to, where taking back loans can serve it. */
  yieldsToOwners(job, now) {
    const settled = this.queue.due();
    const borrowed = Object.keys(job.size).filter(
      (unit) => now.of(job.share, unit) + job.size[unit] > this.queue.limit(job.share, unit),
    );
    return this.queue.heads().every((owner) => {
      const starts = !this.queue.shares.get(owner.share).deleting; // a share that is being deleted starts nothing more
      if (owner.share === job.share || !starts || this.queue.claimOf(owner)) return true;
      if (!this.withinLimit(owner, settled)) return true;
      const lent = (unit) => this.queue.lentTo(settled, unit, owner.share);
      if (Object.keys(owner.size).some((unit) => this.lacks(owner, settled, unit) > lent(unit))) return true;
      const both = settled.copy().add(job.share, job.size).add(owner.share, owner.size);
      return borrowed
        .filter((unit) => unit in owner.size)
        .every((unit) => this.queue.protected(both, unit) <= this.queue.exists(unit));
    });
  }

  /** How many machines of a unit others must give back before an owner fits. */
  lacks(job, ledger, unit) {
    const after = ledger.copy().add(job.share, job.size);
    const inside = after.of(job.share, unit) <= this.queue.kept(job.share, unit);
    const filled = inside ? this.queue.used(after, unit) : this.queue.protected(after, unit);
    return Math.max(0, filled - this.queue.exists(unit));
  }

  // Preemption. A head that does not fit claims what it asks: its victims are told to stop, and whatever they free and
  // whatever is free already is kept for it until it starts.

  claim(heads) {
    if (!this.queue.environmentEnabled) return undefined;
    for (const job of heads) {
      const idle = this.queue.shares.get(job.share).deleting || this.queue.claimOf(job);
      if (idle || (this.fits(job, this.queue.now()) && this.keepsClaims(job))) continue;
      const plan = this.plan(job);
      if (plan) return plan;
    }
    return undefined;
  }

  /** Whom to stop for a job. Who drains counts as gone, and who has a claim as running. */
  plan(job) {
    const settled = this.queue.due();
    if (this.fits(job, settled)) {
      return this.isHeld(job, settled) ? { claim: job.name, victims: [] } : undefined; // enough drains already
    }
    const entitled = this.withinLimit(job, settled);
    const victims = (entitled && this.fromOthers(job, settled)) || this.fromOwnShare(job, settled);
    if (!victims) return undefined;
    const left = victims.reduce((ledger, victim) => ledger.add(victim.share, victim.size, -1), settled.copy());
    const held = this.isHeld(job, left) ? {} : { holds: false };
    return { claim: job.name, victims: victims.map((victim) => victim.name), ...held };
  }

  /** Machines are kept for a job that stays within its share's limit; one that borrows takes its chance. */
  isHeld(job, left) {
    const after = left.copy().add(job.share, job.size);
    const funded = Object.keys(job.size).every((unit) => this.queue.protected(after, unit) <= this.queue.exists(unit));
    return funded && this.withinLimit(job, left);
  }

  /** Reclaim: an owner gets its own back from shares that are above their limits, whatever the priorities. */
  fromOthers(job, settled) {
    const borrows = (victim, unit, left) => left.of(victim.share, unit) > this.queue.limit(victim.share, unit);
    return this.victims(job, settled, (victim, unit, left) => victim.share !== job.share && borrows(victim, unit, left));
  }

  /** In-share preemption: where it is switched on, a higher priority stops lower ones of its own share. */
  fromOwnShare(job, settled) {
    if (!this.queue.shares.get(job.share).inSharePreemption) return undefined;
    return this.victims(job, settled, (victim) => victim.share === job.share && victim.priority < job.priority);
  }

  /** Victims one by one until the job fits, or nobody: never some that do not suffice. Lowest priority, newest first. */
  victims(job, settled, eligible) {
    const left = settled.copy();
    const victims = [];
    while (!this.fits(job, left)) {
      const lacking = Object.keys(job.size).filter((unit) => !this.fitsIn(unit, job, left));
      const [victim] = this.queue
        .live()
        .filter((other) => RUNNING.includes(other.state) && !victims.includes(other))
        .filter((other) => lacking.some((unit) => unit in other.size && eligible(other, unit, left)))
        .sort((a, b) => a.priority - b.priority || b.started - a.started);
      if (!victim) return undefined;
      victims.push(victim);
      left.add(victim.share, victim.size, -1);
    }
    return victims;
  }

  /** A claim ends when its job is no longer the head of its share, no longer entitled, or can no longer be served. */
  release() {
    const settled = this.queue.due();
    const over = this.queue.claims.find(({ job, number }) => {
      const due = this.queue.due(number);
      const units = Object.keys(job.size);
      return (
        this.queue.waiting(job.share)[0] !== job ||
        this.queue.shares.get(job.share).deleting ||
        units.some((unit) => settled.of(job.share, unit) > this.queue.limit(job.share, unit)) ||
        units.some((unit) => this.queue.protected(due, unit) > this.queue.exists(unit))
      );
    });
    return over && { release: over.job.name };
  }

  apply(step) {
    const queue = this.queue;
    const job = queue.jobs.get(step.dispatch ?? step.claim ?? step.release);
    if (step.dispatch) {
      queue.move(job, "SCHEDULED");
      job.started = queue.clock++;
    } else if (step.release) {
      queue.endClaim(job);
    } else {
      const number = ++queue.claimsOpened;
      for (const victim of step.victims.map((name) => queue.jobs.get(name))) {
        queue.move(victim, "DRAINING");
        victim.drainsFor = number;
      }
      if (step.holds !== false) queue.claims.push({ job, number });
    }
  }
}
