"""What is said of a play: sentences that stand alone."""

from __future__ import annotations

from typing import Any

import pytest
from quotaproof.checker.teach.said import opening
from quotaproof.checker.teach.scenarios import walkthrough
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import VERBS, verb
from quotaproof.spec.model import State, Strategy

VALUES: dict[str, Any] = {
    "job": "a_job", "share": "a_share", "size": {"u": 1}, "priority": 3, "retries": 1, "failed": False, "limits": {"u": 2},
    "capacity": {"u": 3}, "strategy": Strategy.LEND, "borrow_limit": None, "enabled": True, "state": State.DISABLED,
    "victims": ("b_job",), "holds": True, "reason": "MISCONFIGURATION",
}  # fmt: skip


@pytest.mark.parametrize("kind", VERBS.values(), ids=verb)
def test_a_sentence_begins_with_a_name_or_a_capital_letter(kind: type[ev.Event]) -> None:
    given = {name: VALUES[name] for name in kind.__dataclass_fields__}
    names = ("a_job", "a_share")
    if kind is ev.CreateShare:
        given["share"] = share = walkthrough().config.shares[0]
        names = (share.name,)
    said = opening(kind(**given))
    assert said.endswith(".") and (said[0].isupper() or said.startswith(names))
    if kind is ev.Claim:
        assert opening(ev.Claim("a_job")).startswith("What is free ")
