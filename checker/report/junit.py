"""What a command found out as JUnit XML, for build servers: one suite, one case for each finding and each check.

Failed is a failure, undecided an error; accepted, open and not applicable are skipped with the reason. What is noted
passes and says so in its output. A verdict that is no yes although no case says so has a case of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from ...spec.rules.guarantees import GUARANTEES
from ..promised import Promised
from ..results import SHOWN_BY_HISTORY, Event, Finding, Result, Verification
from .headline import headline
from .layout import plain
from .options import Options
from .outcome import Word, outcome
from .partition import Class, Judged, classify, waiver
from .words import accepted, details, title

if TYPE_CHECKING:
    from junitparser import TestCase

VERDICT = "verdict"
"""Class name of the case that no event stands for."""


def write(events: Iterable[Event], options: Options) -> str:
    """The XML document."""
    from junitparser import JUnitXml, TestSuite

    clean = plain(Verification.of(events))
    suite = TestSuite(f"quotaproof {clean.began.command} {clean.began.subject}")
    cases = [_case(event, clean, options) for event in clean.judged]
    suite.add_testcases([*cases, *_verdict(clean, options)])  # at once: each call counts all of them again
    document = JUnitXml("quotaproof")
    document.add_testsuite(suite)
    document.update_statistics()
    suite.time = document.time = round(clean.ended.seconds, 3)  # of the clock, not the sum of what was measured alone
    content = BytesIO()
    document.write(content, pretty=True)
    return content.getvalue().decode("utf-8")


def _case(event: Judged, verification: Verification, options: Options) -> TestCase:
    from junitparser import Error, Failure, Skipped, TestCase

    about, kind = _about(event)
    found = classify(event, options)
    named = about if about and kind not in ("finding", "guarantee", "promise") else f"{event.code} {about}".strip()
    case = TestCase(named, classname=f"{verification.began.command}.{kind}")
    if isinstance(event, Result) and event.seconds is not None:
        case.time = round(event.seconds, 6)
    what = title(event)
    result = event.result if isinstance(event, Promised) else event
    because = what if isinstance(result, Finding) else result.because
    lines = [what, *details(event, verification.began.assumed, plain(options.out))]
    if isinstance(event, Finding) and event.place:
        lines.append(event.place)
    match found:
        case Class.FAILED:
            case.result = Failure(what, found.value)
        case Class.UNDECIDED if _not_run(event):
            case.result = Skipped(because, found.value)
        case Class.UNDECIDED:
            case.result = Error(f"not decided: {because}", found.value)
        case Class.WAIVED:
            by = waiver(event)
            case.result = Skipped(accepted(by) if by else what, found.value)
        case Class.OPEN | Class.SKIPPED:
            case.result = Skipped(f"{_skipped(event, found)}: {because}", found.value)
        case Class.NOTED:
            case.system_out = "\n".join(["noted", *lines])
        case Class.PASSED:
            pass
    for result in case.result:
        result.text = "\n".join(lines)
    return case


def _about(event: Judged) -> tuple[str, str]:
    """Whom or what the event is about, and of what kind it is."""
    if isinstance(event, Finding):
        return f"{event.share} {event.unit}".strip(), "finding"
    if isinstance(event, Promised):
        return f"{event.term} {event.result.subject}".strip(), "promise"
    return event.subject, "guarantee" if event.code in GUARANTEES else event.code.lower()


def _not_run(event: Judged) -> bool:
    """A scenario that nobody was given: no error of its own, what is missing is one."""
    return isinstance(event, Result) and event.skipped and event.code not in GUARANTEES


def _skipped(event: Judged, found: Class) -> str:
    """Why nothing is said of it."""
    if isinstance(event, Promised):
        return event.how if event.in_force else f"not in force ({event.valid})"
    if isinstance(event, Result) and event.verdict in SHOWN_BY_HISTORY:
        return event.verdict.lower()
    if isinstance(event, Result) and event.skipped:
        return "not run"
    return "not proved" if found is Class.OPEN else "does not apply"


def _verdict(verification: Verification, options: Options) -> list[TestCase]:
    """The verdict, where it is no yes and no case is an error for it."""
    from junitparser import Error, TestCase

    judged = outcome(verification, options)
    if judged.word is not Word.UNUSABLE and (
        judged.word is not Word.UNKNOWN or not all(map(_not_run, judged.undecided))
    ):
        return []
    case = TestCase(judged.word.value, classname=VERDICT)
    case.result = Error(headline(verification, judged)[0], "undecided")
    return [case]
