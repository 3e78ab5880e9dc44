"""Figures of a simulation: the same bytes each time, names as they are, and a message where nothing can draw them."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from quotaproof.checker.report.figures import figures, overview
from quotaproof.checker.report.simulate import page
from quotaproof.checker.why.page import Part
from quotaproof.spec.formats.errors import InputError

from ...support.queues import queue, share
from ...support.simulations import RECLAIMED, TWO, compared

FOUND = compared(TWO, RECLAIMED, "lend-borrow", "pool")


def drawn(simulation, name):
    return next(f for f in figures(simulation) if f.name == name)


def texts(svg):
    return [t.text for t in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_there_is_a_figure_of_waits_of_shares_of_costs_and_of_usage_in_each_column():
    assert [f.name for f in figures(FOUND)] == ["waiting", "shares", "lost", "usage-lend-borrow", "usage-pool"]


def test_the_same_simulation_gives_the_same_bytes_without_a_date(monkeypatch):
    import matplotlib

    first = drawn(FOUND, "waiting")
    svg, png = first.svg(), first.png()
    monkeypatch.setitem(matplotlib.rcParams, "font.size", 30)
    again = drawn(compared(TWO, RECLAIMED, "lend-borrow", "pool"), "waiting")
    assert (again.svg(), again.png()) == (svg, png)
    assert matplotlib.rcParams["font.size"] == 30
    assert "dc:date" not in svg
    assert png.startswith(b"\x89PNG")


def test_axes_have_labels_with_units_and_columns_a_legend():
    waiting = texts(drawn(FOUND, "waiting").svg())
    assert {"jobs that had started (%)", "lend-borrow", "pool", "1 min"} <= set(waiting)
    usage = texts(drawn(FOUND, "usage-lend-borrow").svg())
    assert {"machines", "time (minutes)", "a", "b", "within its own limit", "beyond it", "its limit"} <= set(usage)
    lost = texts(drawn(FOUND, "lost").svg())
    assert {"machine-hours", "lost", "draining", "lend-borrow"} <= set(lost)
    assert "pool" not in lost  # nothing was stopped there


def test_names_are_drawn_as_they_are_and_are_no_mathematics_or_markup():
    odd = replace(FOUND, columns=tuple(replace(c, column=f"_${c.column}$ <b>&") for c in FOUND.columns),
                  curves=tuple(replace(c, column=f"_${c.column}$ <b>&") for c in FOUND.curves))  # fmt: skip
    assert "$pool$ <b>&" in "".join(map(str, texts(drawn(odd, "waiting").svg())))


def test_a_figure_within_a_page_refers_to_nothing_that_another_has():
    inline = drawn(FOUND, "waiting").inline()
    ids = {e.get("id") for e in ElementTree.fromstring(inline).iter() if e.get("id")}
    assert inline.startswith("<svg")
    assert not any(i.startswith(("figure", "axes", "patch", "text")) for i in ids)


def test_without_matplotlib_a_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"matplotlib is not installed(.|\n)*pip install \"quotaproof\[plot\]\""):
        list(figures(FOUND))


def test_a_name_with_dollars_is_no_mathematics_in_any_figure():
    odd = "a$\\frac$"
    found = compared(TWO, RECLAIMED, "lend-borrow", queues={odd: TWO, "b": TWO})
    found = replace(found, simulating=replace(found.simulating, workload=odd))
    whole = texts(overview(found).svg())
    assert odd in whole
    assert f"{odd}: 3 jobs" in whole
    assert f"{odd}: machines in use by each share" in texts(drawn(found, f"usage-{odd}").svg())


def test_ids_of_an_svg_are_by_their_place_and_what_refers_to_them_still_does():
    svg = drawn(FOUND, "waiting").svg()
    ids = [e.get("id") for e in ElementTree.fromstring(svg).iter() if e.get("id")]
    assert len(set(ids)) == len(ids)
    assert [re.sub(r"^[^0-9]+", "", i) for i in ids] == [str(k) for k in range(len(ids))]
    assert set(re.findall(r"(?:url\(|href=\")#([^\")]+)", svg)) <= set(ids)


def test_two_units_are_drawn_apart_and_never_added_up():
    config = queue({"p5": 2, "g5": 4}, share("a", {"p5": 1, "g5": 2}, "LEND_AND_BORROW"), share("b", {"g5": 2}, "LEND"))
    jobs = [replace(w, submit=replace(w.submit, size={unit: 1})) for w in RECLAIMED[:2] for unit in ("p5", "g5")]
    jobs = [replace(w, submit=replace(w.submit, job=f"{w.submit.job}-{k}")) for k, w in enumerate(jobs)]
    found = compared(config, jobs, "lend-borrow", "static")
    usage = texts(drawn(found, "usage-lend-borrow").svg())
    assert {"a, p5", "a, g5", "b, g5"} <= set(usage)
    assert "b, p5" not in usage  # it has none and used none
    most = {(u.share, u.unit): max(map(sum, zip(u.own, u.borrowed, strict=True))) for u in found.usages}
    assert most == pytest.approx(most | {("", "p5"): 2, ("", "g5"): 2, ("b", "g5"): 0}, rel=0.02)
    found = replace(found, worth=tuple(replace(w, machines=3, reached=0.0) for w in found.worth))
    said = " ".join(sentence for block in page(found) if isinstance(block, Part) for sentence in block.sentences)
    assert "of 6: 2 p5, 4 g5, each in proportion" in said


def test_what_stops_cost_is_no_figure_where_they_cost_nothing():
    assert "lost" not in [f.name for f in figures(compared(TWO, RECLAIMED, "pool"))]
