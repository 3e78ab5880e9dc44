"""`verify` with promises: found, named, judged, suggested, and told in every form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator
from quotaproof.checker.rollout.promises.judge import JUDGES
from quotaproof.spec import schemas
from quotaproof.spec.formats.promises.terms import READERS
from quotaproof.spec.promises import KEYS, StopsPerJob, Term

from .conftest import HOLDS, Ran

pytestmark = pytest.mark.usefixtures("proved")
Command = Callable[..., Ran]
Prover = Callable[..., object]
EXAMPLES = Path(__file__).parents[2] / "examples"
KEPT, BROKEN = EXAMPLES / "promises", EXAMPLES / "promises-broken"
QUEUE = "quotaproof: 1\nqueue: q\nenvironment: {u: 3}\nshares:\n- {name: a, limits: {u: 2}, strategy: LEND}\n"
QUEUE += "- {name: b, limits: {u: 1}, strategy: LEND_AND_BORROW, borrowLimit: 200}\n"
SCHEMA = Draft202012Validator(
    json.loads(files(schemas).joinpath("verification.schema.json").read_text(encoding="utf-8"))
)
ONE = "promises: 1\npromises:\n- {{id: P1, says: It is as it was said., owner: o, why: w, share: {share}, {term}}}\n"


def words(out: str) -> dict[str, str]:
    """What the screen says of each promise."""
    block = out[out.index("\nPromises") :]
    heads = re.findall(r"^(P\d+) .*  (\S.*)$", block[: block.index("\n\n", 1)], re.MULTILINE)
    return dict(heads)


def test_every_kind_of_term_has_one_key_one_reader_and_one_judge() -> None:
    assert set(KEYS) == set(get_args(Term)) == set(JUDGES) == {*READERS, StopsPerJob}
    assert len(set(KEYS.values())) == len(KEYS)


def test_the_example_keeps_what_it_promises_but_for_what_is_accepted(quotaproof: Command) -> None:
    got = quotaproof("verify", str(KEPT))
    assert got.code == 0, got.out
    assert "read    promises, queue form (queue.yaml)" in got.out
    assert got.out.splitlines()[2] == "WAIVED  research: 1 of 13 promises is broken; accepted until 2099-12-31."
    said = words(got.out)
    assert [c for c, word in said.items() if word == "kept"] == ["P1", "P2", "P3", "P4", "P5", "P6"]
    assert (said["P9"], said["P10"], said["P13"]) == ("checked by plan", "recorded", "accepted")


def test_the_other_example_breaks_every_kind_and_shows_each_that_can_be_played(quotaproof: Command, here: Path) -> None:
    got = quotaproof("verify", str(BROKEN), "--out", "shown", "--report", "json=r.json")
    assert got.code == 1
    told: list[dict[str, Any]] = json.loads((here / "r.json").read_text())["promises"]
    failed = [p for p in told if p["class"] == "failed"]
    assert {p["term"] for p in failed} == {k for k in KEYS.values() if k not in ("changes", "measured")}
    played = {p["term"]: p["result"]["witness"] for p in failed if p["result"]["witness"]}
    assert set(played) >= {"gets", "fits", "undisturbed", "at_most", "borrows_at_most", "idle_while_waiting"}
    for name in played.values():
        again = quotaproof("replay", f"shown/{name}")
        promise = next(p for p in failed if p["result"]["witness"] == name)
        assert again.code == 1, again.out
        assert f"\nBROKEN  {promise['code']}: {promise['says']}"[:60] in again.out
        assert "as expected\n" in again.out
    assert "QP252" in got.out


@pytest.mark.parametrize(
    ("share", "term", "code", "word"),
    [
        ("b", "at_most: {u: 3}", 0, "kept"),
        ("b", "at_most: {u: 2}", 1, "BROKEN"),
        ("a", "gets: {u: 2, within: 1h}", 3, "not decided"),
        ("a", "gets: {u: 2, within: at-once}, valid: {until: 2020-01-01}", 0, "not in force"),
    ],
)
def test_what_becomes_of_a_promise_decides_the_exit_code(
    quotaproof: Command, prover: Prover, here: Path, share: str, term: str, code: int, word: str
) -> None:
    prover(HOLDS)
    (here / "queue.yaml").write_text(QUEUE)
    (here / "promises.yaml").write_text(ONE.format(share=share, term=term))
    got = quotaproof("verify", "queue.yaml")
    assert got.code == code, got.out
    assert words(got.out) == {"P1": word}


def test_a_promise_alone_makes_the_verdict_and_fail_on_never_leaves_it(
    quotaproof: Command, prover: Prover, here: Path
) -> None:
    prover(HOLDS)
    (here / "queue.yaml").write_text(QUEUE)
    (here / "said.yaml").write_text(ONE.format(share="b", term="at_most: {u: 2}"))
    got = quotaproof("verify", "queue.yaml", "--promises", "said.yaml")
    assert "BROKEN  q: 1 of 1 promise is broken." in got.out
    assert quotaproof("verify", "queue.yaml", "--promises", "said.yaml", "--fail-on", "never").code == 0
    assert quotaproof("verify", "queue.yaml").code == 0


@pytest.mark.parametrize(
    ("share", "term", "changes", "instead"),
    [
        ("b", "at_most: {u: 2}", ["b borrowLimit 200 % -> 199 %"], []),
        ("b", "borrows_at_most: {u: 0}", ["b LEND_AND_BORROW -> LEND"], []),
        ("a", "fits: {u: 3}", ["a u 2 -> 3", "environment u 3 -> 4 (a purchase)"], []),
        ("b", "undisturbed: {by: by-anyone, always: true}", ["a u 2 -> 1"], ["b LEND_AND_BORROW -> LEND"]),
    ],
)
def test_suggest_says_what_would_keep_it(
    quotaproof: Command, here: Path, share: str, term: str, changes: list[str], instead: list[str]
) -> None:
    (here / "queue.yaml").write_text(QUEUE)
    (here / "promises.yaml").write_text(ONE.format(share=share, term=term))
    got = quotaproof("verify", "queue.yaml", "--suggest", "--report", "json")
    assert got.code == 1
    report = json.loads(got.out)
    SCHEMA.validate(report)
    (told,) = report["promises"]
    said = told["suggestion"]
    assert (said["changes"], said["instead"], said["none"]) == (changes, instead, "")


def test_games_are_told_only_when_asked_for_and_each_is_played(quotaproof: Command, here: Path) -> None:
    queue = str(EXAMPLES / "findings" / "QP240.yaml")
    assert "QP241" not in quotaproof("verify", queue).out
    got = quotaproof("verify", queue, "--games", "--out", "shown", "--report", "json=r.json")
    assert got.code == 0
    report = json.loads((here / "r.json").read_text())
    SCHEMA.validate(report)
    assert {f["code"]: f["title"] for f in report["findings"]} == {
        "QP240": "speech gets more by splitting a job: 2 p5 before vision",
        "QP241": "speech keeps what it borrows by a high priority: vision is stopped instead",
        "QP242": "prod lends nothing while it keeps fillers running: speech loses 2 p5",
    }
    for finding in report["findings"]:
        again = quotaproof("replay", f"shown/{finding['witness']}")
        assert again.code == 0, again.out
        assert "every expectation is met" in again.out


def test_every_form_names_the_promise_and_its_place(quotaproof: Command, prover: Prover, here: Path) -> None:
    prover(HOLDS)
    (here / "queue.yaml").write_text(QUEUE)
    (here / "promises.yaml").write_text(ONE.format(share="b", term="at_most: {u: 2}"))
    files = {form: f"r.{form}" for form in ("json", "md", "html", "junit", "sarif", "badge")}
    quotaproof("verify", "queue.yaml", *(x for form, file in files.items() for x in ("--report", f"{form}={file}")))
    said = {form: (here / file).read_text() for form, file in files.items()}
    assert all("P1" in said[form] for form in files if form != "badge")
    assert json.loads(said["badge"])["message"] == "1 of 1 promise is broken"
    (run,) = json.loads(said["sarif"])["runs"]
    (result,) = [r for r in run["results"] if r["ruleId"] == "P1"]
    where = result["locations"][0]["physicalLocation"]
    assert (where["artifactLocation"]["uri"], where["region"]["startLine"]) == ("promises.yaml", 3)
    assert '<testcase name="P1 at_most b, u" classname="verify.promise">' in said["junit"]


def test_an_unknown_share_or_unit_is_exit_2_with_the_nearest_name(quotaproof: Command, here: Path) -> None:
    (here / "queue.yaml").write_text(QUEUE.replace("name: a", "name: train"))
    (here / "promises.yaml").write_text(ONE.format(share="b", term="fits: {u: 1}").replace("share: b", "share: trian"))
    got = quotaproof("verify", "queue.yaml")
    assert got.code == 2
    assert "promises.yaml:3, promise P1, share: there is no share" in got.err
    assert "did you mean train?" in got.err


def test_no_report_replaces_the_promises(quotaproof: Command, here: Path) -> None:
    (here / "queue.yaml").write_text(QUEUE)
    (here / "promises.json").write_text("{}")
    got = quotaproof("verify", "queue.yaml", "--report", "json=promises.json")
    assert got.code == 2
    assert (here / "promises.json").read_text() == "{}"


def test_explain_shows_the_form_and_a_file_that_is_read(quotaproof: Command, here: Path) -> None:
    from quotaproof.checker.cli.promises_form import EXAMPLE
    from quotaproof.spec.formats import load
    from quotaproof.spec.readings import Readings

    said = quotaproof("explain", "promises").out
    assert EXAMPLE in said
    assert all(f"  {key}: " in said for key in KEYS.values())
    assert json.loads(quotaproof("explain", "promises", "--schema").out)["title"] == "quotaproof's form of promises"
    (here / "p.yaml").write_text(EXAMPLE)
    loaded = load([str(KEPT / "queue.yaml")], readings=Readings(), promises=str(here / "p.yaml"))
    assert loaded.promises is not None and len(loaded.promises.promises) == 2


@pytest.mark.parametrize("command", ["verify", "plan"])
def test_evidence_that_cannot_be_looked_through_is_one_message(
    quotaproof: Command, prover: Prover, here: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It turns out only when promises are judged, after the first events."""
    prover(HOLDS)
    monkeypatch.setattr("quotaproof.spec.formats.promises.evidence.MOST", 2)
    monkeypatch.setattr(
        "quotaproof.spec.formats.promises.evidence._Left.__init__", lambda left: setattr(left, "entries", 2)
    )
    (here / "queue.yaml").write_text(QUEUE)
    for name in "abc":
        (here / f"{name}.md").write_text("")
    (here / "promises.yaml").write_text(ONE.format(share="a", term="recovery: {evidence: '*.md'}"))
    paths = ["queue.yaml", "queue.yaml"] if command == "plan" else ["."]
    got = quotaproof(command, *paths, "--promises", "promises.yaml", "--report", "json=r.json")
    assert (got.code, got.out) == (2, "")
    assert "leads to more than 2 files and folders" in got.err
    assert "leads to more than 2" in (here / "r.json").read_text()
