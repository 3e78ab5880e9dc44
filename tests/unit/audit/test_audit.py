"""The stream of an audit: verdicts from what was judged, bounds of time, faults with the lines around them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from quotaproof.checker.audit.audit import HIDDEN, Asked, audit
from quotaproof.checker.audit.raw import raw_lines
from quotaproof.checker.judge.judged import Fault, Judged
from quotaproof.checker.measured import FaultSeen, Observed, Period, RuledOut, UnitHours
from quotaproof.checker.report import json as json_form
from quotaproof.checker.report import md, text
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.outcome import outcome
from quotaproof.checker.results import Began, Event, Result, Verdict, Verification
from quotaproof.spec import events as ev
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.observations import Completeness, Gap, History, Problem, Seen
from quotaproof.spec.readings import Readings
from quotaproof.spec.rules.guarantees import GUARANTEES

from ...support.queues import queue, share
from ...support.small_histories import MINUTE, history, submitted

CONFIG = queue(4, share("a", 2), share("b", 2, "LEND_AND_BORROW"))
OF = history(
    CONFIG,
    (1, submitted("j", "b", 4, priority=1)), (2, ev.Dispatch("j")), (3, submitted("k", "a", 2, priority=1)),
    (4, ev.SetPriority("k", 2)), (5, ev.Finish("j")), (6, ev.Dispatch("k")), (7, ev.Finish("k")),
    start=MINUTE, end=7,
)  # fmt: skip
JUDGED = Judged(
    7, {"G1": 2, "G5x": 1}, unseen={"G5x": "no claimant", "G6+": "no claimant."}, pending={"G14": 2, "G1": 1}
)


def events(of: History = OF, judged: Judged = JUDGED, **asked) -> list[Event]:
    return list(audit(of, Readings(), lambda _: judged, lambda seen: [""] * len(seen), asked=Asked(**asked)))


def results(told: list[Event]) -> list[tuple[str, str, str]]:
    return [(e.code, e.verdict.name, e.subject) for e in told if isinstance(e, Result)]


def exit_code(told: list[Event], *, strict: bool = False) -> int:
    return outcome(Verification.of(told), Options(strict=strict)).exit_code


def fault(number: int, code: str = "G4", window: tuple[int, int] = (0, 0)) -> Fault:
    return Fault(code, number, list(OF.seen())[number], "b would exceed its limit", "dispatch.limit", window)


def test_every_guarantee_has_a_verdict() -> None:
    told = results(events())
    assert {code for code, _, _ in told} == set(GUARANTEES)
    named = [r for r in told if r[1] != "NEVER_CAME_UP"]
    assert named == [
        ("G1", "KEPT", ""),
        ("G1", "PENDING", ""),
        ("G5x", "KEPT", ""),
        ("G5x", "NOT_SEEN", "strict form"),
        ("G6+", "NOT_SEEN", ""),
        ("G14", "PENDING", ""),
    ]


@pytest.mark.parametrize(
    ("judged", "plain", "strict"),
    [
        (Judged(1, dict.fromkeys(GUARANTEES, 1)), 0, 0),
        (JUDGED, 0, 3),
        (Judged(1, {"G1": 1}, pending={"G1": 1}), 0, 3),
        (Judged(1, {"G1": 1}, undecided={"G2": (3, "more than 4,096 states")}), 3, 3),
        (Judged(1, {"G1": 1}, (fault(1),), undecided={"G2": (3, "more than 4,096 states")}), 1, 1),
    ],
)
def test_verdicts_decide_the_exit_code(judged: Judged, plain: int, strict: int) -> None:
    told = events(judged=judged)
    assert (exit_code(told), exit_code(told, strict=True)) == (plain, strict)


def test_a_problem_of_the_input_is_never_a_yes() -> None:
    bad = replace(OF, problems=[Problem("trace.ndjson:9", "the line is cut off")])
    kept = Judged(1, dict.fromkeys(GUARANTEES, 1))
    told = events(bad, kept)
    assert ("INPUT", "UNKNOWN", "") in results(told)
    assert exit_code(told) == 3
    assert exit_code(events(bad, replace(kept, faults=(fault(1),)))) == 1


def test_faults_are_told_with_the_observations_around_them_and_one_result_a_code() -> None:
    told = events(judged=Judged(7, {"G4": 3, "G1": 3}, (fault(1), fault(5), fault(6, "G1"))))
    broken = [e for e in told if isinstance(e, Result) and e.verdict is Verdict.BROKEN_HERE]
    assert [(r.code, r.count, r.place) for r in broken] == [("G1", 1, "trace.ndjson:7"), ("G4", 2, "trace.ndjson:2")]
    assert broken[1].because == "day 1 00:02:00 j starts: b would exceed its limit"
    assert broken[1].more == ("1 more of them",)
    first, second, _ = [e for e in told if isinstance(e, FaultSeen)]
    assert [(w.number, w.what, w.place) for w in first.window] == [
        (0, "b submits j: 4 u, priority 1", "trace.ndjson:1"),
        (1, "j starts", "trace.ndjson:2"),
        (2, "a submits k: 2 u, priority 1", "trace.ndjson:3"),
        (3, "k gets priority 2", "trace.ndjson:4"),
        (4, "j ends", "trace.ndjson:5"),
    ]
    assert [w.number for w in second.window] == [2, 3, 4, 5, 6]


def test_the_window_holds_all_whose_order_was_tried_where_they_are_few() -> None:
    told = events(judged=Judged(7, {}, (fault(5, window=(1, 5)),)))
    (seen,) = [e for e in told if isinstance(e, FaultSeen)]
    assert [w.number for w in seen.window] == list(range(7))


def test_what_was_before_is_followed_and_not_counted() -> None:
    told = events(judged=Judged(7, {"G4": 3}, (fault(1), fault(5))), since=int(5.5 * MINUTE))
    observed = next(e for e in told if isinstance(e, Observed))
    assert (observed.start, observed.observations, observed.jobs) == (int(5.5 * MINUTE), 2, 0)
    assert [e.number for e in told if isinstance(e, FaultSeen)] == [5]
    began = next(e for e in told if isinstance(e, Began))
    assert began.notes == (
        "1 broken rule before day 1 00:05:30 does not count.",
        "How often a rule was kept is counted over the whole history, also before the time that counts.",
    )
    (unit,) = [e for e in told if isinstance(e, UnitHours)]
    assert unit.busy == pytest.approx(2 / 60)


def test_what_is_from_the_end_on_is_neither_judged_nor_counted() -> None:
    given: list[int] = []

    def judge(of: History) -> Judged:
        given.append(len(list(of.seen())))
        return JUDGED

    told = list(audit(OF, Readings(), judge, lambda _: (), asked=Asked(until=5 * MINUTE)))
    assert given == [4]
    (period,) = [e for e in told if isinstance(e, Period)]
    assert (period.start, period.end) == (MINUTE, 5 * MINUTE)


def test_two_columns_add_up_to_one() -> None:
    whole = next(e for e in events() if isinstance(e, UnitHours))
    parts = [e for e in events(before=4 * MINUTE) if isinstance(e, UnitHours)]
    assert [p.period for p in parts] == ["before", "after"]
    assert sum(p.busy for p in parts) == pytest.approx(whole.busy)
    assert parts[0].busy == pytest.approx(4 * 2 / 60)


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({"since": 8 * MINUTE}, "--since and --until leave nothing"),
        ({"until": MINUTE}, "--since and --until leave nothing"),
        ({"since": 3 * MINUTE, "until": 2 * MINUTE}, "--since and --until leave nothing"),
        ({"before": MINUTE}, "--before does not part the time that counts"),
        ({"before": 6 * MINUTE, "until": 6 * MINUTE}, "--before does not part the time that counts"),
    ],
)
def test_bounds_that_leave_nothing_are_refused_at_once(asked: dict[str, int], what: str) -> None:
    with pytest.raises(InputError, match=what) as refused:
        audit(OF, Readings(), lambda _: JUDGED, lambda _: (), asked=Asked(**asked))
    assert "name a time of day 1 00:01:00 to" in str(refused.value)


def test_a_history_without_observations_has_no_time_and_no_tables() -> None:
    nothing = replace(OF, seen=lambda: iter(()), start=0, end=0, jobs={})
    told = events(nothing, Judged(0))
    for form in (text, md, json_form):
        said = form.write(told, Options(verbose=True))
        assert "1970" not in said
        assert form is json_form or ("nothing was seen" in said and "lending" not in said)
    with pytest.raises(InputError, match="leave nothing"):
        events(nothing, Judged(0), since=MINUTE)


def test_a_history_that_does_not_say_its_time_is_read_for_it() -> None:
    (period,) = [e for e in events(replace(OF, start=0, end=0)) if isinstance(e, Period)]
    assert (period.start, period.end) == (MINUTE, 7 * MINUTE)


def test_completeness_and_gaps_are_told_as_they_are_known() -> None:
    gap = Gap(2 * MINUTE, 3 * MINUTE, "no event")
    of = replace(OF, completeness=Completeness(8, 7, (gap,), ("No limit history.",)), notes=("today's configuration",))
    told = events(of)
    observed = next(e for e in told if isinstance(e, Observed))
    assert (observed.expected, observed.seen, observed.gaps) == (8, 7, (gap,))
    assert observed.notes == ("No limit history.",)
    assert next(e for e in told if isinstance(e, Began)).notes == ("today's configuration",)


def test_readings_that_are_ruled_out_have_their_place_in_the_stream() -> None:
    found = RuledOut("A13", "a", "trace.ndjson:3", "it says so")
    told = list(audit(OF, Readings(), lambda _: JUDGED, lambda _: (), rules_out=lambda _: iter([found])))
    assert found in told


def test_whoever_watches_sees_every_observation_once_a_pass() -> None:
    passes: dict[str, int] = {}

    def watch(seen: Iterator[Seen], doing: str) -> Iterator[Seen]:
        for one in seen:
            passes[doing] = passes.get(doing, 0) + 1
            yield one

    def judge(of: History) -> Judged:
        return Judged(sum(1 for _ in of.seen()), {"G1": 1})

    list(audit(OF, Readings(), judge, lambda _: (), watch=watch))
    assert passes == {"measuring": 7, "judging": 7}


def test_names_are_known_before_anything_is_told_where_they_are_to_be_hidden() -> None:
    said = 'job "left-out" is of no share; so is 01234567-89ab-4def-8123-456789abcdef'
    of = replace(OF, jobs={}, attempts={"training-1": "j"}, problems=[Problem("", said)])
    began = events(of, names=True)[0]
    assert isinstance(began, Began)
    assert set(began.jobs) == {"j", "k", "training-1", "left-out", "01234567-89ab-4def-8123-456789abcdef"}
    assert events(of)[0] == replace(began, jobs=())


def test_a_payload_is_not_shown_where_names_are_to_be_hidden() -> None:
    judged = Judged(7, {}, (fault(1),))
    payload = '{"serviceRequestPayload": "{}"}'
    for names, shown in ((True, HIDDEN), (False, payload)):
        told = list(audit(OF, Readings(), lambda _: judged, lambda _: [payload], asked=Asked(names=names)))
        assert [e.raw for e in told if isinstance(e, FaultSeen)] == [shown]


@pytest.mark.parametrize("packed", [False, True])
def test_the_raw_line_is_the_one_in_the_file(tmp_path: Path, packed: bool) -> None:
    spread = json.dumps({"detail": {"a": 1}}, indent=1)
    text = f'{{"n": 1}}\n{{"n": 2}}\n{spread}\n{"x" * 9000}\n'
    file = tmp_path / "a.ndjson"
    file.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    of = replace(OF, files=("a.ndjson", "gone"), paths=(str(file), str(tmp_path / "gone")))
    at = [Seen(0, 0, ev.Finish("j"), 0, n) for n in (2, 3, 8, 0)] + [Seen(0, 0, ev.Finish("j"), 1, 1)]
    assert raw_lines(of)(at) == ['{"n": 2}', '{ "detail": { "a": 1 } }', "", "", ""]
