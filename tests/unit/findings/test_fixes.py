"""On random queues: the change that a finding names, made as it says, makes the finding go."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable

from quotaproof.checker.results import Finding
from quotaproof.spec.model import QueueConfig, QuotaShare, ResourceSharing, ShareCapacityLimit, Strategy

from ...support.findings import found
from ...support.queues import queue, share

UNITS = ("ml.p5.48xlarge", "ml.g5.xlarge")
Change = Callable[[QueueConfig, Finding, re.Match[str]], QueueConfig]


def sharing(config: QueueConfig, name: str, strategy: Strategy, borrow: int | None) -> QueueConfig:
    made = ResourceSharing(strategy=strategy, borrow_limit=borrow)

    def changed(s: QuotaShare) -> QuotaShare:
        return s.model_copy(update={"resource_sharing_configuration": made}) if s.name == name else s

    return config.model_copy(update={"shares": tuple(map(changed, config.shares))})


def borrow_limit(config: QueueConfig, finding: Finding, words: re.Match[str]) -> QueueConfig:
    return sharing(config, finding.share, Strategy.LEND_AND_BORROW, int(words[1]))


def lend(config: QueueConfig, finding: Finding, _: re.Match[str]) -> QueueConfig:
    return sharing(config, finding.share, Strategy.LEND, None)


def all_lend(config: QueueConfig, _: Finding, words: re.Match[str]) -> QueueConfig:
    for name in re.split(r", | and ", words[1]):
        config = sharing(config, name, Strategy.LEND, None)
    return config


def give(config: QueueConfig, finding: Finding, words: re.Match[str]) -> QueueConfig:
    def changed(s: QuotaShare) -> QuotaShare:
        if s.name != words[1]:
            return s
        limits = {**s.limits, finding.unit: int(words[3])}
        made = tuple(ShareCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in limits.items())
        return s.model_copy(update={"capacity_limits": made})

    assert config.share(words[1]).limits[finding.unit] == int(words[2])
    return config.model_copy(update={"shares": tuple(map(changed, config.shares))})


FIXES: dict[str, tuple[str, Change]] = {
    "QP102": (r"give \d+ more, for example (\w+) (\d+) -> (\d+); ", give),
    "QP110": (r"write borrowLimit (\d+), or LEND", borrow_limit),
    "QP111": (r"write LEND if", lend),
    "QP112": (r"write the percentage that is meant, or (-1) ", borrow_limit),
    "QP114": (r"write LEND", lend),
    "QP115": (r"write a borrow limit of at most (\d+) %|write LEND", borrow_limit),
    "QP207": (r"write (\d+) if ", borrow_limit),
    "QP220": (r"write LEND if", lend),
    "QP221": (r"write LEND for (.*), or lower", all_lend),
    "QP230": (r"write LEND if", lend),
}


def random_queue(choose: random.Random) -> QueueConfig:
    shares = []
    for name in "abcd"[: choose.randint(1, 4)]:
        units = choose.sample(UNITS, choose.randint(1, 2))
        strategy = choose.choice(["RESERVE", "LEND", "LEND_AND_BORROW", "LEND_AND_BORROW"])
        percents = [None, -1, 0, 10, 25, 50, 100, 150, 400]
        borrow = choose.choice(percents) if strategy == "LEND_AND_BORROW" else None
        shares.append(share(name, {u: choose.randint(1, 6) for u in units}, strategy, borrow))
    given = {u: sum(s.limits.get(u, 0) for s in shares) for u in UNITS}
    return queue({u: max(0, n + choose.choice([-2, 0, 0, 0, 1, 3])) for u, n in given.items()}, *shares)


def test_the_change_that_a_finding_names_makes_it_go() -> None:
    choose = random.Random(1)
    mended: Counter[str] = Counter()
    for _ in range(1500):
        config = random_queue(choose)
        for finding in found(config, *FIXES):
            pattern, change = FIXES[finding.code]
            words = re.match(pattern, finding.fix)
            assert words, finding
            use = change if change is not borrow_limit or words[1] else lend
            again = found(use(config, finding, words), finding.code)
            assert not [f for f in again if f.share == finding.share and f.unit == finding.unit], (
                config,
                finding,
                again,
            )
            mended[finding.code] += 1
    assert set(mended) == set(FIXES)
    assert min(mended.values()) > 20, mended
