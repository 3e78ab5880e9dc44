"""Planted schedulers: `WRONG` has them all, by what they do wrong. Each names the guarantee that it breaks.

`WRONG["never-reclaims"].backend()` is one under test; `.options(readings)` runs it on a clock.
"""

from __future__ import annotations

from collections.abc import Mapping

from quotaproof.checker.teach import bugs
from quotaproof.reference.policy import CEILING

from . import claims, corners, in_share, limits, lines, victims
from .base import Wrong as Wrong

WRONG: Mapping[str, Wrong] = {
    "one-more-machine": Wrong("G1", bugs.OneMoreMachine),
    "ignores-environment": Wrong("G1", limits.IgnoresEnvironment),
    "frees-drained-early": Wrong("G1", decide=limits.frees_early),
    "forgets-decided": Wrong("G1", decide=limits.forgets_decided),
    "forgets-dropped-units": Wrong("G1", limits.ForgetsDroppedUnits),
    "lends-reserve": Wrong("G2", bugs.LendsReserve),
    "lends-surplus": Wrong("G2", policy={"ceiling": CEILING["borrowable"]}),
    "borrows-one-more": Wrong("G3", bugs.BorrowsOneMore),
    "rounds-up": Wrong("G3", limits.RoundsUp),
    "percent-as-machines": Wrong("G3", limits.PercentAsMachines),
    "lenders-borrow": Wrong("G4", bugs.LendersBorrow),
    "stale-limits": Wrong("G4", limits.StaleLimits),
    "no-limit-is-unlimited": Wrong("G3", limits.NoLimitIsUnlimited),
    "takes-from-owners": Wrong("G5x", policy={"borrows": bugs.takes_from_owners}),
    "already-at-limit": Wrong("G5x", policy={"borrows": victims.already_at_limit}),
    "takes-for-loans": Wrong("G5x", policy={"part_own": True}),
    "labels-undeclared": Wrong(
        "G5x", policy={"borrows": lambda _q, _u, victim, unit: victim.borrowed.get(unit, 0) > 0}
    ),
    "reclaims-for-the-deleted": Wrong("G5x", decide=victims.reclaims_for_the_deleted),
    "in-share-for-the-deleted": Wrong("G5s", decide=victims.in_share_for_the_deleted),
    "in-share-always": Wrong("G5s", bugs.InShareAlways),
    "equals-preempt": Wrong("G5s", victims.EqualsPreempt, policy={"drop_of_priority_counts": False}),
    "stops-one-more": Wrong("G6", decide=bugs.stops_one_more),
    "drains-leave-nothing": Wrong("G6", claims.DrainsLeaveNothing),
    "insufficient-plan": Wrong("G6+", policy={"insufficient": True}),
    "gives-claimed-away": Wrong("G7", bugs.GivesClaimedAway),
    "holds-freed-only": Wrong("G7", claims.HoldsFreedOnly),
    "forgets-empty-claims": Wrong("G7", claims.ForgetsEmptyClaims),
    "ended-claims-count": Wrong("G7", claims.EndedClaimsCount),
    "later-drains-count": Wrong("G7", claims.LaterDrainsCount),
    "sticky-claim": Wrong("G7", claims.StickyClaim),
    "never-releases": Wrong("G7", decide=claims.never_releases),
    "counts-own-draining": Wrong("G7", decide=claims.counts_own_draining),
    "oldest-share-first": Wrong("G7", decide=claims.oldest_share_first),
    "borrowers-first": Wrong("G8", policy={"entitled_first": False}),
    "low-priority-first": Wrong("G9", bugs.LowPriorityFirst),
    "smallest-first": Wrong("G9", lines.SmallestFirst),
    "priority-at-submit": Wrong("G9", lines.PriorityAtSubmit),
    "backfills-undeclared": Wrong("G9", policy={"backfill": True}),
    "tells-twice": Wrong("G10", victims.TellsTwice),
    "return-is-a-preemption": Wrong("G11", lines.ReturnIsAPreemption),
    "fails-one-early": Wrong("G11", lines.FailsOneEarly),
    "never-requeues": Wrong("G11", bugs.NeverRequeues),
    "requeues-for-ever": Wrong("G11", lines.RequeuesForEver),
    "counts-from-zero": Wrong("G11", telling=lines.counts_from_zero),
    "names-the-attempt": Wrong("G12", telling=lines.names_the_attempt),
    "takes-while-disabled": Wrong("G13", lines.TakesWhileDisabled),
    "starts-while-disabled": Wrong("G13", lines.StartsWhileDisabled),
    "never-reclaims": Wrong("G14", bugs.NeverReclaims),
    "spares-running": Wrong("G14", victims.SparesRunning),
    "one-reclaim-ever": Wrong("G14", claims.OneReclaimEver),
    "forgives-one": Wrong("G14", policy={"borrows": victims.forgives_one}),
    "priority-decides": Wrong("G14", decide=bugs.priority_decides),
    "one-lender-only": Wrong("G14", decide=victims.one_lender_only),
    "one-victim-only": Wrong("G14", decide=victims.one_victim_only),
    "earlier-head-blocks": Wrong("G14", decide=victims.earlier_head_blocks),
    "zero-is-a-request": Wrong("G14", limits.ZeroIsARequest),
    "starts-no-loans": Wrong("G16", decide=bugs.starts_no_loans),
    "unlimited-as-zero": Wrong("G16", limits.UnlimitedAsZero),
    "borrow-limit-in-all": Wrong("G16", limits.BorrowLimitInAll),
    "any-head-blocks": Wrong("G16", decide=limits.any_head_blocks),
    "entitled-blocks": Wrong("G16", decide=limits.entitled_blocks),
    "yields-to-the-deleted": Wrong("G16", decide=limits.yields_to_the_deleted),
    "debt-blocks-reserve": Wrong("G16", decide=limits.debt_blocks_reserve),
    "one-share-only": Wrong("G16", decide=limits.one_share_only),
    "disabled-share-waits": Wrong("G16", policy={"disabled_run": False}),
    "loses-requeued": Wrong("G16", lines.LosesRequeued),
    "loses-returned": Wrong("G16", lines.LosesReturned),
    "starts-unsaid": Wrong("G16", telling=lines.starts_unsaid),
    "settled-too-early": Wrong("G16", decide=lines.one_step),
    "spares-lenders": Wrong("G17", policy={"borrows": victims.spares_lenders}),
    "thrashes": Wrong("G18", choices={"A24": "b"}),
    "victims-return": Wrong("G18", choices={"A15": "no", "A23": "no"}),
    "deleted-stays": Wrong("G19", platform=lines.stops_only),
    "victims-stay": Wrong("G20", platform=lines.deletes_only),
    "never-in-share": Wrong("G21", decide=bugs.never_in_share),
    "in-share-on-arrival": Wrong("G21", in_share.RemembersPriorities, decide=in_share.on_arrival),
    "in-share-when-full": Wrong("G21", decide=in_share.when_full),
    "one-in-share-victim": Wrong("G21", decide=in_share.one_victim),
    "in-share-of-loans": Wrong("G21", decide=in_share.loans_only),
    "owners-only-reclaim": Wrong("G21", decide=in_share.owners_reclaim),
    "fourth-unit-unlimited": Wrong("G3", corners.FourthUnitUnlimited),
    "percent-of-the-first-unit": Wrong("G3", corners.PercentOfTheFirstUnit),
    "priority-as-text": Wrong("G9", corners.PriorityAsText),
    "priority-of-one-byte": Wrong("G9", corners.PriorityOfOneByte),
    "priority-of-two-digits": Wrong("G9", corners.PriorityOfTwoDigits),
    "two-retries-at-most": Wrong("G11", corners.TwoRetriesAtMost),
    "many-retries-are-for-ever": Wrong("G11", corners.ManyRetriesAreForEver, jobs=6),
    "priority-forgives-preemptions": Wrong("G11", corners.PriorityForgivesPreemptions),
    "five-victims-only": Wrong("G14", decide=corners.five_victims_only, jobs=8),
    "two-borrowers-only": Wrong("G14", decide=corners.two_borrowers_only),
    "two-units-only": Wrong("G14", decide=corners.two_units_only),
    "stopped-once-takes-nothing": Wrong("G14", decide=corners.stopped_once_takes_nothing),
    "stopped-twice-takes-nothing": Wrong("G14", decide=corners.stopped_twice_takes_nothing),
    "takes-nothing-late": Wrong("G14", decide=corners.takes_nothing_late, jobs=30),
    "takes-nothing-for-new-shares": Wrong("G14", decide=corners.takes_nothing_for_new_shares),
    "takes-nothing-while-disabled": Wrong("G14", decide=corners.takes_nothing_while_disabled),
    "spares-deleted": Wrong("G14", policy={"borrows": corners.spares_deleted}),
    "capacity-of-one-byte": Wrong("G16", corners.CapacityOfOneByte),
}
"""By what it does wrong."""

IN_WEEKS = (
    "never-reclaims", "borrows-one-more", "lends-reserve", "lenders-borrow", "one-more-machine", "low-priority-first",
    "gives-claimed-away", "in-share-always", "stops-one-more", "starts-no-loans", "takes-from-owners", "borrowers-first",
)  # fmt: skip
"""Those that show in any busy week, with the guarantee that they break first."""
