"""What is said of a play agrees with what is drawn: units, shares and numbers in sentences are those of the frame."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.checker.teach.game import Game, Side, Tick
from quotaproof.checker.teach.run import Play
from quotaproof.checker.teach.scenarios import played
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Settle

from ...support.games import games, queue, queues

LACKS = re.compile(r"^(\S+) waits for (\d+) (\S+?) to (borrow|come free)(?:, (\d+) of them to borrow)?\.")
LIMITED = re.compile(r"^(\S+) waits for (\d+) (\S+) of (\S+) to come free: it may not borrow\.")
USES = re.compile(r"(\w+) uses (\d+) of its (\d+)(?: (\S+))?(?: and lends (\d+)(?: to (\d+))?)?\.(?= |$)")
BORROWS = re.compile(r"^(\S+) borrows (\d+) (\S+) of what (\S+) leaves idle: (\d+) in use, limit (\d+)\.$")
AMOUNT = re.compile(r"^(\S+) borrows (\d+) (\S+) ")


def bar_of(frame, share, unit):
    return next(bar for bar in frame.bars if (bar.share, bar.unit) == (share, unit))


def lendable_idle(bar):
    return min(bar.lendable, max(0, bar.limit - bar.own - bar.borrowed))


def lacking(frame, job, unit):
    """What has to come free of a unit, from the numbers of the picture."""
    state = next(u for u in frame.units if u.unit == unit)
    bars = [bar for bar in frame.bars if bar.unit == unit]
    size, own = job.size[unit], bar_of(frame, job.share, unit)
    more = max(0, size - own.reserved_idle)
    borrows = own.own + own.borrowed + size > own.limit
    there = min(state.capacity, sum(bar.limit for bar in bars)) if borrows else state.capacity
    physical = state.used + size - state.capacity
    return max(physical, state.used + state.reserved_idle + more - there) if more else physical


def loan(frame, job, unit):
    """What its share borrows for it once all that drains has stopped."""
    bar = bar_of(frame, job.share, unit)
    claimed = bar.claimed - (job.size[unit] if job.name in frame.claims else 0)
    used = bar.own + bar.borrowed - bar.draining + claimed
    return min(job.size[unit], max(0, used + job.size[unit] - bar.limit))


def only_unit(frame):
    return frame.units[0].unit if len(frame.units) == 1 else ""


def check_waiting(frame, job):
    said = job.waits.sentence
    if found := LACKS.match(said):
        unit = only_unit(frame) or found[3]
        assert unit in job.size and int(found[2]) == lacking(frame, job, unit) > 0, said
        borrows = int(found[2]) if found[4] == "borrow" else int(found[5] or 0)
        assert borrows == min(int(found[2]), loan(frame, job, unit)), said
        for share, used, limit, of, least, most in USES.findall(said):
            told = bar_of(frame, share, of or unit)
            assert told.unit == unit, said
            assert (told.own + told.borrowed, told.limit) == (int(used), int(limit)), said
            assert (told.lent_least, told.lent_most) == (int(least or 0), int(most or least or 0)), said
    elif found := LIMITED.match(said):
        bar = bar_of(frame, job.share, only_unit(frame) or found[3])
        assert int(found[2]) == bar.own + bar.borrowed + job.size[bar.unit] - bar.limit and found[4] == job.share
    else:
        assert not re.match(r"\S+ waits for \d", said), said


def check_start(before, after):
    job = next(j for j in after.jobs if j.name == after.line.job)
    told = {found[3]: int(found[2]) for one in after.line.said if (found := AMOUNT.match(one.sentence))}
    for unit in job.size:
        had, has = (bar_of(f, job.share, unit).borrowed for f in (before, after))
        assert told.get(unit, 0) == has - had
    for one in after.line.said:
        if found := BORROWS.match(one.sentence):
            assert lendable_idle(bar_of(before, found[4], found[3])) >= int(found[2]), one.sentence
            bar = bar_of(after, found[1], found[3])
            assert (bar.own + bar.borrowed, bar.limit) == (int(found[5]), int(found[6]))


@settings(max_examples=40, deadline=None)
@given(games())
def test_sentences_name_the_units_shares_and_numbers_of_the_frame(game):
    play = Play(game, lenient=True)
    before = play.frame(0)
    for number in range(play.count):
        frame = play.frame(number)
        for job in frame.jobs:
            if job.waits is not None:
                check_waiting(frame, job)
            if any(job.borrows.values()):
                assert job.stage in ("SCHEDULED", "STARTING", "RUNNING")
                assert all(
                    bar_of(frame, job.share, u).borrowed > 0 and n <= job.size[u] for u, n in job.borrows.items()
                )
        if frame.line.kind == "dispatch":
            check_start(before, frame)
        for unit in frame.units:
            kept = unit.capacity - unit.used - unit.reserved_idle - unit.free
            assert kept <= 0 if not frame.claims else kept <= sum(b.claimed for b in frame.bars if b.unit == unit.unit)
        assert all(bar.reachable <= (bar.reachable if bar.borrowable is None else bar.borrowable) for bar in frame.bars)
        before = frame


@settings(max_examples=25, deadline=None)
@given(queues(), st.sampled_from(["owners", "void", "borrowable"]), st.data())
def test_what_a_share_can_borrow_starts_in_an_empty_queue_and_one_more_never_does(config, surplus, data):
    side = Side(assume={"A5": surplus})
    bar = data.draw(st.sampled_from(Play(Game("q", config, (), side)).frame(0).bars))
    if bar.limit > next(n for unit, n in config.environment.capacity.items() if unit == bar.unit):
        return
    for more, starts in ((bar.reachable, True), (bar.reachable + 1, False)):
        moves = (ev.Submit("job", bar.share, {bar.unit: bar.limit + more}, 1), Settle())
        play = Play(Game("q", config, moves, side))
        kinds = {line.kind for line in play.lines()}
        others_keep = starts and bar.reachable == 0 and "dispatch" not in kinds
        assert ("dispatch" in kinds) == starts or others_keep


def said_of(play, kind, job=""):
    return [
        " ".join(s.sentence for s in line.said)
        for line in play.lines()
        if line.kind == kind and line.job in (job, line.job)
    ]


SHARES = [
    {"name": "a", "limits": {"u": 1}, "strategy": "LEND_AND_BORROW"},
    {"name": "b", "limits": {"u": 1}, "strategy": "LEND"},
]


def submit(job, share, size, priority=1, retries=None):
    return ev.Submit(job, share, {"u": size}, priority, retries)


def test_whose_machines_are_borrowed_follows_the_amounts():
    moves = (submit("j", "a", 4), Settle())
    play = Play(Game("q", queue(SHARES, {"u": 4}), moves, Side(assume={"A5": "borrowable"})))
    assert (
        "a borrows 3 u (1 of what b leaves idle, 2 that no share owns): 4 in use, limit 1."
        in said_of(play, "dispatch")[0]
    )
    kept = [*SHARES, {"name": "c", "limits": {"u": 1}, "strategy": "RESERVE"}]
    play = Play(Game("q", queue(kept, {"u": 3}), (submit("j", "a", 3), Settle()), Side("lends-reserve")))
    assert "a borrows 2 u (1 of what b leaves idle, 1 that no lender leaves idle)" in said_of(play, "dispatch")[0]
    play = Play(replace(played("reserve-idle"), side=Side("lends-reserve")), lenient=True)
    third = said_of(play, "dispatch")[2]
    assert "borrows 1 ml.g5.xlarge that no lender leaves idle" in third


@pytest.mark.parametrize(("assume", "code"), [({"A23": "no"}, "A23"), ({}, "G7")])
def test_why_nothing_is_kept_is_the_reading_that_says_so(assume, code):
    moves = (submit("j1", "a", 1), submit("j2", "a", 1), Settle(), submit("own", "b", 1), Tick())
    play = Play(Game("q", queue(SHARES, {"u": 2}), moves, Side(assume=assume)))
    told = next(line for line in play.lines() if line.kind == "claim").said[-1]
    assert told.code == code
    assert ("whoever comes first takes it" in told.sentence) == (code == "A23")


def test_nothing_is_kept_for_a_job_that_takes_a_loan_over():
    shares = [{**SHARES[0], "inSharePreemption": True}, SHARES[1]]
    moves = (submit("low", "a", 2, 0), Settle(), submit("high", "a", 2, 5), Tick())
    told = next(line for line in Play(Game("q", queue(shares, {"u": 2}), moves)).lines() if line.kind == "claim").said[
        -1
    ]
    assert told.sentence == "Nothing is kept for high: part of what it asks for is not its share's own."


@pytest.mark.parametrize(("retries", "says"), [
    (None, "It fails, though no number of preemptions was set after which it does: preemption 1."),
    (1, "It fails: this was preemption 1, 1 retry after preemption was allowed."),
    (7, "It fails: this was preemption 1, 7 retries after preemption were allowed."),
])  # fmt: skip
def test_a_job_that_fails_says_how_often_it_might_be_stopped(retries, says):
    moves = (submit("j1", "a", 1, 9), submit("j2", "a", 1, 1, retries), Settle(), submit("own", "b", 1), Settle())
    play = Play(Game("q", queue(SHARES, {"u": 2}), moves, Side("never-requeues")))
    assert said_of(play, "stopped")[0].endswith(says)


def test_a_limit_below_what_is_used_says_by_how_much_and_one_above_says_nothing():
    moves = (submit("j1", "b", 1), Settle(), ev.SetLimits("b", {"u": 1}))
    assert said_of(Play(Game("q", queue(SHARES, {"u": 2}), moves)), "set-limits") == ["The limits of b become 1 u."]
    moves = (submit("j1", "a", 2), Settle(), ev.SetLimits("a", {"u": 1}))
    told = said_of(Play(Game("q", queue(SHARES, {"u": 2}), moves)), "set-limits")[0]
    assert told.endswith("a uses 1 u more than that: its jobs may be stopped when somebody else needs them.")


@pytest.mark.parametrize(("cut", "says"), [
    (True, "a uses more u than it may ever use (2 in use, limit 1): b takes back what is its own."),
    (False, "a uses 1 u more than its own (2 in use, limit 1): b takes back what is its own."),
])  # fmt: skip
def test_a_stop_says_whether_its_share_has_borrowed_or_its_limit_was_lowered(cut, says):
    a = {"name": "a", "limits": {"u": 2 if cut else 1}, "strategy": "LEND" if cut else "LEND_AND_BORROW"}
    moves = (submit("j1", "a", 1), submit("j2", "a", 1), Settle(), *([ev.SetLimits("a", {"u": 1})] if cut else []),
             submit("own", "b", 1), Settle())  # fmt: skip
    play = Play(Game("q", queue([a, {"name": "b", "limits": {"u": 1}, "strategy": "LEND"}], {"u": 2}), moves))
    told = next(line for line in play.lines() if line.kind == "claim").said[1]
    assert told.sentence == says
    assert ("48" in told.source) == cut


def test_an_end_cites_draining_only_where_the_job_drains_and_a_step_names_the_stage():
    moves = (submit("j1", "a", 1), Settle(), ev.Advance("j1"), ev.Advance("j1"), ev.Finish("j1"))
    lines = Play(Game("q", queue(SHARES, {"u": 2}), moves)).lines()
    assert [line.said[0].sentence for line in lines[-3:-1]] == ["j1 is STARTING now.", "j1 is RUNNING now."]
    assert lines[-1].said[0].source == "rule 29"
    moves = (submit("j1", "a", 1, 9), submit("j2", "a", 1), Settle(), submit("own", "b", 1), Tick(), ev.Finish("j2"))
    assert Play(Game("q", queue(SHARES, {"u": 2}), moves)).lines()[-1].said[0].source == "A34"


def test_while_something_drains_the_scheduler_waits_for_it():
    moves = (submit("j1", "a", 1, 9), submit("j2", "a", 1), Settle(), submit("own", "b", 1), Settle(drains=False))
    line = Play(Game("q", queue(SHARES, {"u": 2}), moves)).lines()[-1]
    assert line.said[0].sentence == "The scheduler does nothing until j2 has stopped."


def test_a_promise_broken_at_rest_says_who_owns_who_has_it_and_which_job_waits():
    moves = (submit("j1", "a", 2), Settle(), submit("own", "b", 1), Settle())
    line = Play(Game("q", queue(SHARES, {"u": 2}), moves, Side("never-reclaims"))).lines()[-1]
    assert line.broken[0].sentence == (
        "b owns what its head own asks for (with it 1 of its 1 u in use); a uses 1 u more than its own, and nobody is told to "
        "stop."
    )
    assert line.broken[0].job == "own"
    assert line.said[0].sentence == "The scheduler does nothing more."


def test_a_job_that_is_partly_a_loan_says_why_nobody_is_stopped_for_it():
    shares = [{"name": "a", "limits": {"u": 1, "w": 1}, "strategy": "LEND_AND_BORROW"},
              {"name": "b", "limits": {"u": 1, "w": 1}, "strategy": "LEND_AND_BORROW"}]  # fmt: skip
    moves = (submit("guest", "a", 2), Settle(), ev.Submit("both", "b", {"u": 1, "w": 2}, 1), Settle())
    play = Play(Game("q", queue(shares, {"u": 2, "w": 2}), moves))
    told = next(job for job in play.frame(play.count - 1).jobs if job.name == "both").waits.sentence
    assert told == (
        "both waits for 1 u to come free. Others use u that b owns; nobody is stopped for it, since part of it would be a loan "
        "(A24). a uses 2 u, its limit is 1."
    )


def test_a_job_that_waits_beside_a_free_machine_says_for_whom_that_is_kept():
    taken = {"name": "c", "limits": {"u": 1}, "strategy": "RESERVE"}
    moves = (
        submit("j1", "a", 2, 9),
        submit("j2", "a", 1),
        Settle(),
        submit("own", "b", 2, 3),
        Tick(),
        ev.Stopped("j2"),
    )
    shares = [{**SHARES[0], "limits": {"u": 2}}, {**SHARES[1], "limits": {"u": 2}}, taken]
    play = Play(Game("q", queue(shares, {"u": 5}), moves))
    told = {job.name: job.waits.sentence for job in play.frame(play.count - 1).jobs if job.waits}
    assert told["j2"].startswith(
        "j2 waits for machines that are kept for own: with it 6 machines would be in use, kept for own or kept idle by c; "
        "there are 5."
    )


def test_a_given_choice_between_two_equal_states_is_no_circle():
    moves = (submit("j0", "b", 5), Tick(), ev.Misconfigured("j0", "x"), Tick())
    play = Play(Game("q", queue(SHARES, {"u": 2}), moves))
    assert [b.code for line in play.lines() for b in line.broken] == []
