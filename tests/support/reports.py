"""Public bug reports of real schedulers: which scenario of the corpus puts each to the test, and who does what it reports.

`REPORTS` has the scenario's name, the wrong scheduler (of `WRONG` or `REPORTED`) and what went wrong; upstream reference
and guarantee stand in the scenario. `LEFT_OUT` says of every other report why quota shares have no words for it.
`python -m tests.support.reports` writes docs/reference/findings/public-reports.md from both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from quotaproof.checker.conform.corpus import find
from quotaproof.spec.rules.guarantees import GUARANTEES

from .wrong import WRONG, Wrong
from .wrong.reported import REPORTED

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "findings" / "public-reports.md"
SCHEDULERS: Mapping[str, Wrong] = {**WRONG, **REPORTED}


@dataclass(frozen=True)
class Report:
    """What one scenario is there for. `wrong`: of SCHEDULERS; `what`: what was reported, in a sentence."""

    wrong: str
    what: str


REPORTS: Mapping[str, Report] = {
    "report-volcano-1373": Report(
        "above-in-every-unit",
        "A queue was a borrower only if it was above its share in every resource, so the owner's second task waited.",
    ),
    "report-volcano-1461": Report(
        "nothing-while-it-runs",
        "Of the queue with the larger weight one job started, the second waited, and nothing was taken back for it.",
    ),
    "report-volcano-3842": Report(
        "nothing-at-a-limit",
        "A queue that had used up its share of one resource was refused every reclaim, of other resources too.",
    ),
    "report-volcano-4151": Report(
        "smaller-frees-nothing",
        "A job smaller than the reclaiming one in any resource was no victim, though several together would have sufficed.",
    ),
    "report-volcano-4658": Report(
        "nothing-without-all-limits",
        "A queue whose quota named only the accelerator could not reclaim it: what is not named counted as none deserved.",
    ),
    "report-volcano-4808": Report(
        "spares-the-last",
        "Of the borrowing queue's pods one was never taken back, and the owner's last pod waited for it.",
    ),
    "report-volcano-4918": Report(
        "frees-another-unit",
        "The resources that the reclaiming job asks for were not looked at: pods were evicted that freed nothing of them.",
    ),
    "report-volcano-4947": Report(
        "least-used-first",
        "After the eviction the victim's queue used least of its share and was served first: evict, restart, evict, for ever.",
    ),
    "report-volcano-5881": Report(
        "idle-does-not-count",
        "The queue asked for more than was idle, another was above what it deserved, and nothing was reclaimed.",
    ),
    "report-volcano-5896": Report(
        "as-the-plan-began",
        "With the documented plugin tiers a queue was taken below what it deserved, and then took from others to get it back.",
    ),
    "report-kai-374": Report(
        "unservable-blocks",
        "Reclaim between two departments failed because a third one asked for quota that it could not get.",
    ),
    "report-kai-1565": Report(
        "borrowers-take-from-owners",
        "A queue far above its share had running jobs of a queue below its share evicted, several times what it asked for.",
    ),
    "report-kueue-4333": Report(
        "loan-of-whole-percents",
        "The borrower's weighted share was rounded to 0: it did not count as borrowing and the owner could not reclaim.",
    ),
    "report-kueue-3779": Report(
        "borrowers-take-from-borrowers",
        "A tenant above its quota preempted a best-effort job, which had the lower share and came back first, for ever.",
    ),
    "report-kueue-7101": Report(
        "victims-return",
        "One job was preempted more than thirty times: its victims were admitted again before it could start.",
    ),
    "report-kueue-2821": Report(
        "oldest-job-first",
        "First-in first-out across queues: a preempted job kept its time of creation, came first and was preempted again.",
    ),
    "report-kueue-1866": Report(
        "earlier-head-blocks",
        "A job of another queue that had waited longer, and could not start, kept the owner from reclaiming.",
    ),
    "report-kueue-9406": Report(
        "largest-loan-decides",
        "What a queue borrowed of one flavor counted against its own quota of another flavor, which it could not get back.",
    ),
    "report-kueue-804": Report(
        "forgets-decided",
        "Two queues reclaimed in the same cycle and both were admitted, together beyond the capacity.",
    ),
    "report-kueue-2678": Report(
        "forgets-dropped-units",
        "A resource was removed from a queue's configuration, its usage was forgotten and given away a second time.",
    ),
    "report-kueue-1974": Report(
        "own-limit-in-share",
        "A job of high priority evicted all jobs of its own queue, because the queue was to end within its nominal quota.",
    ),
    "report-kueue-1399": Report(
        "any-head-blocks",
        "A head that could not be admitted, in a strict first-in first-out queue, kept all other queues from borrowing.",
    ),
    "report-kueue-4809": Report(
        "keeps-idle-for-waiting",
        "The idle quota of a queue with a pending job was kept for that job, which could not start, and lent to nobody.",
    ),
    "report-kueue-7301": Report(
        "sticky-claim",
        "A job whose preemption was under way stayed first in its queue, before jobs of higher priority that came later.",
    ),
    "report-kueue-13662": Report(
        "gives-claimed-away",
        "Victims that ended at different times were admitted again one by one; the preemptor never had all at once.",
    ),
    "report-kueue-13320": Report(
        "parks-while-others-drain",
        "A large job was skipped whenever its victims were wanted by another job as well, and starved beside busy neighbours.",
    ),
    "report-kueue-4961": Report(
        "whoever-may-borrow",
        "A queue of weight 0 always counted as the largest borrower: its jobs within its own quota were preempted.",
    ),
    "report-kueue-14543": Report(
        "own-victims-put-back",
        "Victims of the own queue lowered its share, which justified a victim of another queue, and were then left running.",
    ),
    "report-kueue-2520": Report(
        "zero-is-a-request",
        "A request of 0 for a resource that was used up made the job look as if it had to borrow, and kept it from preempting.",
    ),
    "report-kueue-10171": Report(
        "takes-for-loans",
        "A preemptor that itself had to borrow took a large job from a queue, which was left below its nominal quota.",
    ),
    "report-kueue-14468": Report(
        "victims-return",
        "Several contending queues kept a job in a spin of admission, reclaim and admission without any progress.",
    ),
    "report-kueue-10181": Report(
        "one-reclaim-ever",
        "The scheduler went on waiting for a preemption that had long ended or failed, and started no other.",
    ),
    "report-kueue-11480": Report(
        "hears-only-stops",
        "After a race during an eviction the preemptor waited for ever for what was already over.",
    ),
    "report-yunikorn-759": Report(
        "asks-once",
        "Each ask triggered preemption once and reserved nothing; others took what was freed, below the queue's guarantee.",
    ),
    "report-yunikorn-660": Report(
        "owners-in-the-way",
        "Additional victims were collected without need, among them jobs of a queue below its guaranteed resources.",
    ),
    "report-yunikorn-659": Report(
        "in-share-always",
        "Preemption happened inside one queue, where it was not to, and shut down a production application.",
    ),
    "report-yunikorn-909": Report(
        "every-candidate",
        "The list of candidates was sent out in place of the victims that were chosen from it: too many were preempted.",
    ),
    "report-yunikorn-1164": Report(
        "too-large-ends-the-search",
        "The search for victims was broken off at the first candidate too large for the asking queue, and preemption starved.",
    ),
    "report-scheduler-plugins-683": Report(
        "usage-within-all-limits",
        "Usage with the new pod was above the sum of all minimums, so it was refused before anybody was preempted.",
    ),
    "report-koordinator-2432": Report(
        "unused-is-the-borrowers",
        "The borrower's runtime quota still held what the lender had not used before its job came, and nothing was given back.",
    ),
    "report-koordinator-1355": Report(
        "own-victims-only",
        "A group whose pod failed to be scheduled looked for victims in the same group only, not in those it had lent to.",
    ),
    "report-koordinator-2391": Report(
        "checks-before-adding",
        "A quota that owned 4 and could have 10 at most was seen with 12 in use (asked as a question, and closed).",
    ),
    "report-slurm-203": Report(
        "insufficient-plan",
        "For one component of a heterogeneous job others were preempted while its second component could not start.",
    ),
    "report-armada-2611": Report(
        "takes-from-owners",
        "Every queue was considered for eviction, those below their fair share too.",
    ),
    "report-hadoop-4110": Report(
        "rounds-quotas-down",
        "A guarantee of one percent was rounded to no cores at all, and the queue's containers were preempted as if borrowed.",
    ),
    "report-htcondor-4696": Report(
        "looks-at-three",
        "One large backlog used up the budget of the negotiation, and jobs that matched idle slots were never offered.",
    ),
    "report-nomad-12712": Report(
        "one-machine-only",
        "A task that reserved ten cores got no preemption, while ten tasks of one core each did.",
    ),
    "report-nomad-27820": Report(
        "second-unit-is-stale",
        "With several devices in a task the second request was checked against what had been in use before the preemption.",
    ),
    "report-nomad-9890": Report(
        "loses-requeued",
        "A dispatched job that was preempted was never placed again.",
    ),
    "report-kueue-16049": Report(
        "larger-than-its-limit",
        "A job larger than its queue's own quota preempted nobody, not even a lower priority in its own queue.",
    ),
    "report-aws-eda-slurm-95": Report(
        "in-share-when-full",
        "A job of high priority waited for licenses that jobs of lower priority held, and preempted none of them.",
    ),
}
"""By scenario."""

_TREE = "It rests on a tree of cohorts; the shares of a queue are all side by side."
_FLAVORS = "It rests on a choice between flavors; a job of a quota-share queue names its instance type."
_CRASH = "The scheduler crashed or hung in one decision; a backend that does so is ERRORED, whatever the steps."
_VICTIM_CHOICE = (
    "Which of several possible victims is stopped is a free choice (rule 41), also from one time to the next."
)
_ONE_AT_A_TIME = "One preemption at a time is allowed: reclaim is promised once every drain has ended."

LEFT_OUT: Mapping[str, str] = {
    "kubernetes-sigs/kueue#3948": _TREE,
    "kubernetes-sigs/kueue#3705": _TREE,
    "kubernetes-sigs/kueue#10417": _TREE,
    "kubernetes-sigs/kueue#10131": f"{_TREE} {_VICTIM_CHOICE}",
    "kubernetes-sigs/kueue#1770": "It rests on a lending limit below the quota; a share lends all that is idle, or nothing.",
    "kubernetes-sigs/kueue#1875": _VICTIM_CHOICE,
    "armadaproject/armada#5071": _VICTIM_CHOICE,
    "kubernetes-sigs/kueue#13607": _FLAVORS,
    "kubernetes-sigs/kueue#1332": _FLAVORS,
    "kubernetes-sigs/kueue#1366": _FLAVORS,
    "kubernetes-sigs/kueue#5529": _FLAVORS,
    "kubernetes-sigs/kueue#8309": "The head of a share blocks those behind it, whatever they ask for: here a rule (32).",
    "kubernetes-sigs/kueue#2596": _ONE_AT_A_TIME,
    "kubernetes-sigs/kueue#6488": _ONE_AT_A_TIME,
    "kubernetes-sigs/kueue#7393": "A job above its limit in one type is entitled to none (A24): here it is right to refuse.",
    "kubernetes-sigs/kueue#746": "A wrong number was shown; what a share is said to have borrowed is no part of a trace.",
    "kubernetes-sigs/kueue#12740": "A sort went wrong in a race inside the process; no sequence of steps brings it about.",
    "kubernetes-sigs/kueue#13187": _CRASH,
    "kubernetes-sigs/kueue#2439": _CRASH,
    "kubernetes-sigs/kueue#10891": _CRASH,
    "kai-scheduler/KAI-Scheduler#1866": _CRASH,
}
"""Public report -> why it is no scenario."""


def link(report: str) -> str:
    """A public report as a link."""
    repository, number = report.split("#")
    return f"[{report}](https://github.com/{repository}/issues/{number})"


def page() -> str:
    """The page of both tables."""
    return "".join(f"{line}\n" for line in _page())


def _page() -> Iterator[str]:
    told = sum(len(find(name).scenario.reported) for name in REPORTS)
    yield "# Public bug reports as scenarios"
    yield ""
    yield "Users and developers of real schedulers have reported how lending, borrowing and taking back went wrong. What they"
    yield f"describe often fits quota shares, in other words. {told} such reports are {len(REPORTS)} scenarios of the corpus"
    yield "(`quotaproof explain corpus`, kind `report`), so that every scheduler under test is asked to do better."
    yield ""
    yield "For each there is a wrong scheduler: the reference with one thing changed so that it does what was reported. The"
    yield "guarantee of the row is the first that it breaks in that scenario. The reference and every legal scheduler of the"
    yield "tests pass all of them. Where a report does not say why the scheduler did what it did, the change is one cause that"
    yield "would explain it, not a claim about that scheduler's code. Reports of one cause share a scenario."
    yield ""
    yield "| report | what went wrong | guarantee | scenario | wrong scheduler |"
    yield "|---|---|---|---|---|"
    for name, report in REPORTS.items():
        scenario = find(name).scenario
        upstream = ", ".join(link(one) for one in scenario.reported)
        (code,) = scenario.checks
        yield f"| {upstream} | {report.what} | {code} {GUARANTEES[code].name} | `{name}` | `{report.wrong}` |"
    yield ""
    yield "Wrong schedulers are in `tests/support/wrong`; `tests/quality/test_public_reports.py` holds each row to its word."
    yield ""
    yield "## Reports that are no scenario"
    yield ""
    yield "| report | why |"
    yield "|---|---|"
    for report, why in LEFT_OUT.items():
        yield f"| {link(report)} | {why} |"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
