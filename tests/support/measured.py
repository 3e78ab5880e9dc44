"""Promises measured on small histories: a promise from its terms, and what an audit says of it in short."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from quotaproof.checker.audit.promises.kept import kept
from quotaproof.checker.audit.promises.watch import Window
from quotaproof.checker.promised import Promised
from quotaproof.spec.observations import History, Seen
from quotaproof.spec.promises import Promise, Promises, Scope, Term
from quotaproof.spec.readings import Readings

from .small_histories import MINUTE


def promise(*terms: Term, shares: Iterable[str] = ("a",), **more) -> Promise:
    """A promise P1 about these shares."""
    of_scope = {"scope": Scope(tuple(shares)), **more}
    return Promise(
        **{"code": "P1", "says": "As it was said.", "terms": terms, "owner": "o", "place": "p.yaml:1", **of_scope}
    )


def measured(
    of: History, *promises: Promise, counts: Window | None = None, readings: Readings | None = None, **file
) -> list[Promised]:
    """What an audit says of the promises; jobs save every 30 minutes."""
    window = counts or Window(of.start, of.end + 1)
    return list(kept(of, readings or Readings(), Promises(promises, **file), window, saves_every=30 * MINUTE))


def said(of: History, *promises: Promise, **more) -> list[tuple[str, str]]:
    """Verdict and subject of each."""
    return [(p.result.verdict.name, p.result.subject) for p in measured(of, *promises, **more)]


def coarse(of: History, width: int) -> History:
    """The same history, of which each time is known to an interval and equal times have no order."""
    seen: list[Seen] = []
    for one in of.seen():
        at = one.at - one.at % width
        seen.append(replace(one, at=at, until=at + width - 1))
    return replace(of, seen=lambda: iter(seen), ordered=False, end=max(of.end, *(s.until for s in seen)))
