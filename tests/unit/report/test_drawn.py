"""What an HTML report draws: its numbers are the JSON report's, its names are hidden where they are to be, and stay text."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.checker.audit.audit import Asked
from quotaproof.checker.report import html
from quotaproof.checker.report import json as json_report
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.redact import redacted
from quotaproof.checker.results import Began, Ended, Event, Witness

from ...support.drawn import data_of, drawn_audit, week

HOUR = 3_600_000
NASTY = "</script><script>alert(1)</script>\u2028\u202e\x00<img src=x onerror=alert(1)>"


def drawn(events: list[Event]) -> dict[str, Any]:
    (timeline,) = data_of(html.write(events, Options()))["timelines"]
    return timeline


@settings(derandomize=True, deadline=None, max_examples=6, database=None)
@given(st.integers(0, 10_000), st.integers(2, 60), st.booleans())
def test_the_numbers_drawn_are_those_of_the_json_report(seed: int, jobs: int, part: bool) -> None:
    of = week(jobs, seed)
    since = (of.start + of.end) // 2 if part else None
    events = drawn_audit(of, Asked(since=since))
    told, ledger = drawn(events), json_report.document(events, Options())["audit"]
    table, shares = told["jobs"], told["shares"]
    share_of = [shares[k] for k in table["share"]]
    machines = [sum(n for _, n in table["sizes"][k]) for k in table["size"]]
    for name in shares:
        hours = [h for h in ledger["hours"] if h["share"] == name]
        mine = [k for k, share in enumerate(share_of) if share == name]
        held = sum(machines[k] * table["ran"][k] for k in mine) / HOUR
        assert abs(held - sum(h["own"] + h["borrowed"] for h in hours)) < 1e-3
        assert abs(sum(table["borrowed"][k] for k in mine) - sum(h["borrowed"] for h in hours)) < 1e-3
        row = next((j for j in ledger["jobs"] if j["share"] == name), None)
        assert sum(table["stops"][k] for k in mine) == (row["stops"] if row else 0)
        assert sum(table["submitted"][k] >= told["start"] for k in mine) == (row["submitted"] if row else 0)
        assert sum(table["state"][k] == 0 for k in mine) == (row["waiting"] if row else 0)
        new = [k for k in mine if table["submitted"][k] >= told["start"] and table["started"][k] >= 0]
        waited = [table["started"][k] - table["submitted"][k] for k in new]
        assert max(waited, default=0) / 1000 == ((row["waits"]["worst"] if row else None) or 0)
    assert len(told["happened"]["at"]) == ledger["observed"]["observations"]


def test_a_timeline_ends_as_it_was_and_never_goes_back() -> None:
    told = drawn(drawn_audit(week(60, 3)))
    assert told["tracks"]
    for track in told["tracks"]:
        for name in ("limit", "most", "used", "draining", "waiting"):
            at, n = track[name]
            assert len(at) == len(n)
            assert at == sorted(set(at))
            assert told["start"] <= at[0]
            assert at[-1] <= told["end"]
        assert track["used"][1][-1] == 0
        assert max(track["used"][1]) > 0


def test_every_stop_says_for_whom_and_why_and_how_long_it_drained() -> None:
    told = drawn(drawn_audit(week(400, 1)))
    stops, texts = told["stops"], told["stops"]["texts"]
    assert len(stops["at"]) > 20
    assert stops["at"] == sorted(stops["at"])
    assert {120_000} == set(stops["drained"]) - {-1}
    assert all("AWS rules" in texts[k] for k in stops["why"])
    assert any(k >= 0 for k in stops["by"])


def test_a_redacted_report_has_no_job_s_name_in_its_data() -> None:
    events = drawn_audit(week(60, 3), Asked(names=True))
    plain, hidden = drawn(events), html.write(redacted(events), Options())
    names = {name for name in plain["jobs"]["name"] if len(name) > 1}
    assert names
    told = json.dumps(data_of(hidden))
    assert not [name for name in names if re.search(rf"(?<![\w-]){name}(?![\w-])", told)]
    assert len(data_of(hidden)["timelines"][0]["jobs"]["name"]) == len(plain["jobs"]["name"])


def scenario(job: str) -> dict[str, Any]:
    share = {"name": "a", "limits": {"u": 1}, "strategy": "LEND", "inSharePreemption": False}
    queue = {"quotaproof": 1, "queue": "q", "environment": {"u": 1}, "shares": [share]}
    steps = [{"submit": job, "share": "a", "size": {"u": 1}}, {"settle": "all"}]
    return {"scenario": 1, "name": job, "about": job, "queue": queue, "steps": steps}


def test_a_name_is_never_markup_in_what_is_drawn() -> None:
    page = html.write([Began("replay", "q"), Witness("", scenario(NASTY)), Ended(0.1)], Options())
    assert page.isascii()
    assert page.count("<script") == page.count("</script>") == 2
    assert "<img" not in page
    assert "\\u2028" in json.dumps(data_of(page)["plays"][0]["parts"])


def test_a_redacted_scenario_is_drawn_without_the_names_of_its_jobs() -> None:
    events = redacted([Began("replay", "q", jobs=("secret-job",)), Witness("", scenario("secret-job")), Ended(0.1)])
    page = html.write(list(events), Options())
    assert "secret-job" not in page
    assert "job-1" in json.dumps(data_of(page)["plays"])


def test_a_script_stands_only_where_something_is_drawn() -> None:
    page = html.write([Began("verify", "q"), Ended(0.1)], Options())
    assert "<script" not in page
    assert "script-src" not in page
