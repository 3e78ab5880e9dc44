"""The screen: what stands first, what is left out when there is much, and that nothing can harm a terminal."""

from __future__ import annotations

import random
import string
from dataclasses import replace
from typing import Any

import pytest
from quotaproof.checker.report.headline import kinds_read
from quotaproof.checker.report.layout import plain, shorten
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.table import distinct
from quotaproof.checker.report.text import write
from quotaproof.checker.results import Event, Source, Verdict, Waiver
from quotaproof.spec.rules.guarantees import GUARANTEES

from ...support.queues import queue, share
from .samples import BROKEN, BROKEN_IF, ERROR, FAILED, HOLDS, LIMIT, OPEN, PROVED, RESTS, WARNING, sample

MEANS = [("A23", "no"), ("A58", "freed")]
GOOD = queue({"u": 2}, share("a", {"u": 2}), name="my-queue")
LISTED = (Source("list-quota-shares.json", "list-quota-shares.json", "list-quota-shares"),)


def text(events: list[Event], **options: Any) -> str:
    return write(events, Options(**options))


def quiet(events: list[Event]) -> str:
    return text(events, quiet=True)


def test_a_good_queue_is_ok_in_the_first_line() -> None:
    lines = text(sample(GOOD, sources=LISTED)).splitlines()
    assert lines[:3] == [
        "read    list-quota-shares",
        "",
        "OK      my-queue: every share keeps what it was given, whatever jobs arrive.",
    ]
    assert lines[-1].strip() == "0 errors     0.0 s   exit 0"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"queue.yaml": "queue form"}, "queue form (queue.yaml)"),
        ({"a": "create-job-queue", "create-quota-share_1.json": "create-quota-share"},
         "create-job-queue (a), -quota-share"),
        ({f"{i}.json": "create-quota-share" for i in range(5)},
         "create-quota-share x5 (0.json, 1.json, 2.json and 2 more)"),
        ({"create-quota-share.json": "create-quota-share", "b.json": "create-quota-share"},
         "create-quota-share x2 (b.json)"),
        ({"-": "list-quota-shares"}, "list-quota-shares (standard input)"),
        ({}, ""),
    ],
)  # fmt: skip
def test_what_was_read_names_its_kind_or_its_file(files: dict[str, str], said: str) -> None:
    assert kinds_read([Source(name, name, kind) for name, kind in files.items()]) == said


def test_what_is_accepted_until_two_dates_ends_first_on_the_earlier() -> None:
    waivers = [Waiver("why not", date, "w.yaml:1") for date in ("2027-03-01", "2027-01-31")]
    found = [replace(ERROR, waiver=w) for w in waivers]
    assert quiet(sample(GOOD, found=found)) == (
        "WAIVED  my-queue: 19 p5 given, 16 exist; accepted until 2027-01-31 at first.\n"
    )


def test_what_is_accepted_stands_apart_from_what_is_to_mend() -> None:
    waiver = Waiver("why not", "2027-01-31", "w.yaml:1")
    lines = text(sample(GOOD, replace(BROKEN, waiver=waiver), found=[WARNING])).splitlines()
    assert lines[0] == "WAIVED  my-queue: G14 is broken; accepted until 2027-01-31."
    assert lines.index("Fix these") < lines.index("Accepted")
    assert lines[lines.index("Accepted") + 3] == "        accepted until 2027-01-31: why not (w.yaml:1)"
    assert "accepted: G14" in " ".join(lines)
    assert lines[-1].strip() == "0 errors, 1 warning     0.0 s   exit 0"


def test_what_an_answer_rests_on_is_said_with_the_scenario_that_shows_it() -> None:
    got = text(sample(GOOD, *HOLDS, RESTS), out="out/")
    assert 'One answer rests on something AWS does not document: see "Rests on".' in got
    assert "A23     A machine freed for a waiting owner goes to that owner; or A15" in got
    assert "both an owner can wait for ever (G14). See it: quotaproof replay out/A23-A15.json" in got
    assert "4 of 5 checks; 1 rests on readings. Assumes A23, A24." in got


def test_what_only_decides_how_a_share_gets_its_own_back_is_one_line() -> None:
    means = [type(RESTS)("G7", RESTS.verdict, "", combinations=({code: choice},)) for code, choice in MEANS]
    got = text(sample(GOOD, *HOLDS, *means, RESTS))
    assert 'One answer rests on something AWS does not document: see "Rests on".' in got
    assert "        A23 (G7), A58 (G7) decide how a share gets its own back, not whether.\n" in got


def test_an_unfamiliar_assumption_is_put_in_the_words_of_its_reading() -> None:
    odd = type(RESTS)("G14", RESTS.verdict, "", combinations=({"A28": "greedy"},))
    got = " ".join(text(sample(GOOD, odd)).split())
    assert "A28 How many victims? Assumed: none unless the plan suffices. With A28=greedy, G14 is broken." in got


def test_a_broken_guarantee_is_named_with_its_reason() -> None:
    lines = text(sample(GOOD, BROKEN)).splitlines()
    said = " ".join(" ".join(lines).split())
    promise = GUARANTEES["G14"].sentence
    assert said.startswith(f"BROKEN my-queue: G14 is broken. G14: {promise}")
    assert f"G14 speech: {promise} an owner waits for ever." in said
    assert "        See it: quotaproof replay quotaproof-out/G14.json" in lines


def test_what_the_user_chose_is_named_as_the_cause() -> None:
    broken = replace(RESTS, verdict=Verdict.BROKEN_IF, asked=True)
    serving = replace(broken, code="G7", combinations=({"A23": "no"},), witness="")
    lines = text(sample(GOOD, serving, broken, assumed={"A23": "no", "A15": "no"})).splitlines()
    assert lines[0] == "BROKEN  my-queue: G14, G7 are broken with A15=no and A23=no."
    assert f"G14 {GUARANTEES['G14'].sentence} Not with A15=no and A23=no." in " ".join(" ".join(lines).split())
    assert "        See it: quotaproof replay quotaproof-out/A23-A15.json" in lines
    g7 = next(k for k, line in enumerate(lines) if line.startswith("G7 "))
    assert lines[g7 + 1] == "        Not with A23=no."


def test_undecided_is_never_shown_as_success() -> None:
    got = text(sample(GOOD, *HOLDS, LIMIT))
    assert got.startswith("UNKNOWN my-queue: could not decide G7. That is not a yes.")
    assert "Not decided: G7: the solver reached its limit" in got
    assert got.rstrip().endswith("exit 3")


def test_an_open_theorem_is_named_though_it_does_not_count() -> None:
    got = text(sample(GOOD, *HOLDS, OPEN, theorems=(PROVED, FAILED)))
    assert got.startswith("OK ")
    assert "4 of 5 checks; open: G18." in got
    assert "Theorems without a proof: T5." in got


def test_know_this_and_fix_these_appear_only_with_something_to_say() -> None:
    assert "Fix these" not in text(sample(GOOD))
    assert "Know this" not in text(sample(GOOD))
    assert "Fix these" in text(sample(queue({"u": 1}, share("a", {"u": 2}))))


def test_quiet_is_the_verdict_in_one_line() -> None:
    assert quiet(sample(GOOD)) == "OK      my-queue: every share keeps what it was given, whatever jobs arrive.\n"


def test_verbose_lists_every_check_and_theorem() -> None:
    got = text(sample(GOOD, *HOLDS, RESTS, BROKEN_IF), verbose=True)
    assert "G1      HOLDS for every configuration. theorem B" in got
    assert "breaks with A15=no and A23=no" in got
    assert "B       proved, 270 conditions: no step makes an excess larger" in got


def test_a_thousand_shares_show_what_is_wrong_and_the_number_of_the_rest() -> None:
    fine = [share(f"s{i}", {"u": 1}) for i in range(1000)]
    got = text(sample(queue({"u": 1000}, *fine)))
    assert "1000 more, with nothing wrong: --verbose" in got
    assert len(got.splitlines()) < 20
    wrong = text(sample(queue({"u": 1}, *fine)))
    assert "960 more: --verbose" in wrong
    assert len(wrong.splitlines()) < 80
    assert len(text(sample(queue({"u": 1000}, *fine)), verbose=True).splitlines()) > 1000


def test_no_name_can_act_on_the_terminal() -> None:
    unit = "ml.\x1b[31mp5\x07\r\n\u202e\u2028.x"
    config = queue({"other": 1, unit: 1}, share("a", {unit: 2}))
    got = text(sample(config, sources=(Source("a\x1b[2J", "a", "k\x1b[2J"),)), out="o\x1b[0m", verbose=True)
    assert got.isascii()
    assert all(c == "\n" or c.isprintable() for c in got)
    assert "ml.\\x1b[31mp5\\x07\\r\\n\\u202e\\u2028.x" in got


@pytest.mark.parametrize("seed", range(30))
def test_six_shares_fit_a_screen_of_48_lines_and_100_columns(seed: int) -> None:
    choose = random.Random(seed)
    units = ["".join(choose.choices(string.printable, k=choose.choice([5, 20, 256]))) for _ in range(5)]
    shares = [
        share(
            "".join(choose.choices(string.ascii_letters + "-_", k=choose.choice([3, 16, 17, 127]))) + str(i),
            {u: choose.choice([1, 30, 10**9]) for u in choose.sample(units, choose.randint(1, 5))},
            *choose.choice([("LEND", None), ("RESERVE", None), ("LEND_AND_BORROW", choose.choice([None, 0, 999]))]),
        )
        for i in range(6)
    ]
    capacity = {u: choose.choice([0, 40, 3 * 10**9 // 3]) for u in units if choose.random() < 0.8}
    config = queue(capacity or {"u": 1}, *shares, name="q" * 128)
    got = text(sample(config, *HOLDS, RESTS, OPEN, sources=(Source("s" * 90, "s", "r " * 150),), left_out=("l" * 900,)))
    lines = got.splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 48
    assert max(len(line) for line in text(sample(config, RESTS), verbose=True).splitlines()) <= 100


def test_shortened_names_stay_apart() -> None:
    names = {f"{'a' * 20}{i}{'b' * 20}" for i in range(12)}
    short = distinct(names, 16)
    assert len(set(short.values())) == 12
    assert max(map(len, short.values())) == 16


def test_a_short_name_is_left_alone_even_when_a_long_one_shortens_to_it() -> None:
    short = distinct({"aaaaaaa...bbbbbb", "a" * 20 + "b" * 20}, 16)
    assert short["aaaaaaa...bbbbbb"] == "aaaaaaa...bbbbbb"
    assert len(set(short.values())) == 2


def test_shortening_keeps_both_ends() -> None:
    assert shorten("abcdefghijkl", 9) == "abc...jkl"
    assert shorten("abc", 3) == "abc"
    assert plain(("a\tb", {"k\n\udc80": 1})) == ("a\\tb", {"k\\n\\udc80": 1})
