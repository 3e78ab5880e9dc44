"""Pictures of plays and of histories in a real browser: nothing covers anything, names are text, colours can be read.

The modules are served from their folder to a page without anything else, under the content policy of `play`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import frames

from . import web
from .conftest import ROOT
from .timed import timed

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

pytestmark = pytest.mark.browser
ASSETS = ROOT / "checker" / "teach" / "assets"
HOME = "http://localhost/"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:"
PAGE = """<!doctype html><html lang="en"><title>Picture</title><link rel="stylesheet" href="picture.css">
<link rel="stylesheet" href="page.css"><main><div id="picture"></div></main></html>"""
SHEET = """:root { color-scheme: light dark; } body { margin: 0; font-family: sans-serif; background: #fff; color: #111; }
@media (prefers-color-scheme: dark) { body { background: #14181d; color: #eee; } }"""
TYPES = {".js": "text/javascript", ".css": "text/css"}
HOSTILE = (
    web.HOSTILE,
    "</svg><script>alert(2)</script>",
    "x" * 200,
    "שלום עולם מבחן ארוך",
    "a\u202eb\u2028c",
    "W" * 60,
)

FAULTS, FAINT = (Path(__file__).with_name(name).read_text("utf-8") for name in ("faults.js", "contrast.js"))


@dataclass(frozen=True)
class Easel:
    """A page that draws."""

    page: Page

    def draw(self, frame: object, **options: Any) -> None:
        """One frame; with `picks` its jobs and shares are buttons, and what was picked is in `picked`."""
        self.page.evaluate(
            """async ([frame, {picks, ...options}]) => {
                const { drawPlay } = await import("/picture.js");
                window.picked ??= [];
                const pick = kind => (name) => picked.push([kind, name]);
                const acts = picks ? {onJob: pick("job"), onShare: pick("share")} : {};
                drawPlay(document.getElementById("picture"), frame, {...options, ...acts});
            }""",
            [frame, options],
        )

    def timeline(self, timeline: object, **options: Any) -> None:
        """A timeline; what was picked is in `picked`, where it stands in `range`."""
        self.page.evaluate(
            """async ([timeline, options]) => {
                const { drawTimeline } = await import("/timeline.js");
                const acts = {onPick: index => window.picked = index, onRange: (a, b) => window.range = [a, b]};
                window.view = drawTimeline(document.getElementById("picture"), timeline, {...options, ...acts});
            }""",
            [timeline, options],
        )

    def ask(self, function: str) -> Any:
        """What a function says of the picture."""
        return self.page.locator("#picture > svg").first.evaluate(function)


@pytest.fixture
def easel(contexts: Callable[..., BrowserContext]) -> Easel:
    """An empty page with the modules beside it."""

    def served(route: Route) -> None:
        name = route.request.url.removeprefix(HOME)
        content = {"": PAGE, "page.css": SHEET}.get(name)
        if content is None:
            content = (ASSETS / name).read_text("utf-8") if (ASSETS / name).is_file() else ""
        kind = TYPES.get(Path(name).suffix, "text/html")
        headers = {"content-security-policy": POLICY, "content-type": f"{kind}; charset=utf-8"}
        route.fulfill(status=200, body=content, headers=headers)

    page = contexts().new_page()
    page.route("**/*", served)
    page.goto(HOME)
    return Easel(page)


def _hostile() -> frames.Drawn:
    jobs = [
        (f"{name}{k}", share, k) for k, (name, share) in enumerate(zip(HOSTILE, ("QS1", "QS1", "QS2") * 2, strict=True))
    ]
    return frames.queue(*jobs)


@cache
def _scenarios() -> dict[str, frames.Drawn]:
    return frames.of_scenarios()


@pytest.mark.parametrize("width", [320, 700, 1280])
def test_nothing_covers_anything_in_any_step_of_any_seed_scenario(easel: Easel, width: int) -> None:
    easel.page.set_viewport_size({"width": width, "height": 800})
    seen = 0
    plays = {"walkthrough": frames.walkthrough(), "hostile": _hostile(), **_scenarios()}
    for name, play in plays.items():
        for frame in play if name == "walkthrough" else play[-1 : -len(play) : -4]:
            easel.draw(frame, picks=True)
            number = frame["line"]["number"]
            assert easel.ask(FAULTS) == [], f"{name}, step {number}, {width} wide"
            seen += 1
    web.no_sideways_scroll(easel.page)
    assert seen > 100


@pytest.mark.parametrize("width", [320, 1100])
def test_two_plays_beside_each_other_say_where_they_differ(easel: Easel, width: int) -> None:
    easel.page.set_viewport_size({"width": width, "height": 800})
    play = frames.walkthrough()
    easel.draw(play[-1], beside=play[-3], label="reference", besideLabel="never-reclaims")
    assert easel.ask(FAULTS) == []
    assert easel.ask("svg => [...svg.querySelectorAll('text')].filter(t => t.textContent === '≠').length") > 1
    web.no_sideways_scroll(easel.page)


def test_names_that_are_markup_or_turn_the_writing_round_are_text(easel: Easel) -> None:
    for frame in _hostile()[-3:]:
        easel.draw(frame, picks=True, beside=frame, selected=web.HOSTILE)
        assert easel.page.locator("#picture img, #picture script").count() == 0
    titles = easel.page.locator("#picture title").all_text_contents()
    for name in HOSTILE[:4]:
        assert any(name in title for title in titles), name
    assert not any("\u202e" in title for title in titles)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_of_a_picture_can_be_read(easel: Easel, scheme: Any) -> None:
    easel.page.emulate_media(color_scheme=scheme)
    play = frames.walkthrough()
    seen = 0
    for frame in play[-4:]:
        for more in ({}, {"beside": play[3]}):
            easel.draw(frame, **more)
            faint, count = easel.ask(FAINT)
            assert faint == []
            seen += count
    assert seen > 100


def test_a_picture_says_in_words_what_it_shows(easel: Easel) -> None:
    easel.draw(frames.walkthrough()[-1])
    picture = easel.page.get_by_role("img", name="Quota shares and their jobs")
    assert "2 of 3 ml.g5.xlarge machines in use" in (picture.locator("desc").first.text_content() or "")
    told = easel.page.locator("#picture li").all_text_contents()
    assert any("qs1_job_low" in line and "priority 1" in line for line in told)
    web.axe(easel.page)


def test_jobs_and_shares_are_reached_and_picked_by_keys_and_keep_the_focus(easel: Easel) -> None:
    play = frames.walkthrough()
    easel.draw(play[-2], picks=True)
    web.axe(easel.page)
    press = easel.page.keyboard.press
    press("Tab")
    for key in ("Enter", "ArrowRight", " ", "End", "Enter"):
        press(key)
    picked = easel.page.evaluate("picked")
    assert picked[0] == ["share", "QS1"]
    assert picked[1][0] == "job"
    assert len(picked) == 3
    before = easel.page.evaluate("document.activeElement.dataset.share")
    easel.draw(play[-1], picks=True)
    assert easel.page.evaluate("document.activeElement.dataset.share") == before == "QS3"
    assert easel.page.locator("#picture [tabindex='0']").count() == 1


def test_a_slide_stands_alone(easel: Easel) -> None:
    said = ["The lender takes its machine back", f"{web.HOSTILE} & more", "Priority plays no part between shares."]
    text, size = easel.page.evaluate(
        """async ([frame, caption]) => {
            const { slideText } = await import("/picture.js");
            const text = slideText(frame, {width: 960, caption});
            const image = new Image();
            image.src = URL.createObjectURL(new Blob([text], {type: "image/svg+xml"}));
            await image.decode();
            return [text, [image.naturalWidth, image.naturalHeight]];
        }""",
        [_hostile()[-1], said],
    )
    assert size[0] == 960
    assert size[1] > 300
    for outside in ("class=", "style=", "url(", "href=", "<script", "<img", "@import", "currentColor"):
        assert outside not in text
    assert text.count("<svg") == 1


def _timeline(shares: int, events: int) -> dict[str, Any]:
    """Shares that use, borrow and are stopped at random; the same each time."""
    draw = random.Random(11)
    start, span = 1_790_000_000_000, 30 * 86_400_000
    rows: list[dict[str, Any]] = []
    stops: list[dict[str, Any]] = []
    for k in range(shares):
        name, limit, used, waiting = f"team-{k}", draw.randint(3, 12), 0, 0
        times = sorted(draw.sample(range(span), events // shares))
        columns: dict[str, list[int]] = {"used": [], "draining": [], "waiting": []}
        for t in times:
            used = max(0, min(2 * limit, used + draw.choice((-1, -1, 1, 2))))
            waiting = max(0, min(9, waiting + draw.choice((-1, 0, 1))))
            if stopped := used > limit and draw.random() < 0.05:
                kind = draw.choice(("cross-share", "in-share", ""))
                reason = "A lender takes its own back."
                stop = {
                    "t": start + t,
                    "job": f"job-{t}",
                    "share": name,
                    "by": "",
                    "kind": kind,
                    "reason": reason,
                    "unit": "",
                }
                stops.append(stop)
            for column, value in (("used", used), ("draining", int(stopped)), ("waiting", waiting)):
                columns[column].append(value)
        at = [start + t for t in times]
        series = {column: [at, values] for column, values in columns.items()}
        constant = {"limit": [[start], [limit]], "most": [[start], [None if k % 2 else 2 * limit]]}
        rows.append({"name": name, "unit": frames.G5, **constant, **series})
    gap = {"from": start + span // 3, "to": start + span // 3 + 43_200_000, "why": "the collector was off"}
    whole = {"unit": frames.G5, "capacity": [[start], [12 * shares]], "used": rows[0]["used"]}
    return {"time": "ms", "start": start, "end": start + span, "units": [frames.G5], "shares": rows, "capacity": [whole],
            "stops": sorted(stops, key=lambda s: s["t"]), "gaps": [gap]}  # fmt: skip


def test_a_timeline_is_moved_through_by_keys_buttons_dragging_and_the_wheel(easel: Easel) -> None:
    timeline = _timeline(3, 600)
    easel.timeline(timeline)
    page, whole = easel.page, timeline["end"] - timeline["start"]
    web.axe(page)

    def shown() -> float:
        start, end = page.evaluate("view.range()")
        assert timeline["start"] <= start < end <= timeline["end"]
        return (end - start) / whole

    assert shown() == 1
    page.keyboard.press("Tab")
    page.get_by_role("group", name="Timeline").focus()
    page.keyboard.press("+")
    assert shown() == pytest.approx(0.5)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("view.range()")[1] == timeline["end"]
    page.get_by_role("button", name="Closer").click()
    assert shown() == pytest.approx(0.25)
    page.get_by_role("button", name="The whole time").click()
    assert shown() == 1
    page.keyboard.press("Tab")
    page.get_by_role("group", name="Timeline").focus()
    page.keyboard.press("n")
    page.keyboard.press("n")
    page.keyboard.press("p")
    assert page.evaluate("picked") == 0
    assert timeline["stops"][0]["job"] in page.locator(".qp-readout").inner_text()
    page.mouse.move(400, 200)
    page.mouse.down()
    page.mouse.move(600, 205, steps=3)
    page.mouse.up()
    assert 0.1 < shown() < 0.3
    before = shown()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -40)
    page.keyboard.up("Control")
    web.until(page, f"view.range()[1] - view.range()[0] < {before * 0.9 * whole}")


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (900, "dark")])
def test_nothing_covers_anything_in_a_timeline(easel: Easel, width: int, scheme: Any) -> None:
    easel.page.set_viewport_size({"width": width, "height": 800})
    easel.page.emulate_media(color_scheme=scheme)
    timeline = _timeline(4, 2_000)
    for share in timeline["shares"]:
        share["name"] = f"{HOSTILE[2]}{share['name']}"
    for end in (timeline["end"], timeline["start"] + 40_000_000, timeline["start"] + 60_000):
        easel.timeline(timeline, to=end)
        svg = easel.page.locator(".qp-timeline > svg")
        assert svg.evaluate(FAULTS) == []
        assert svg.evaluate(FAINT)[0] == []
    web.no_sideways_scroll(easel.page)


def test_a_picture_of_20_shares_of_5_units_with_200_jobs_is_drawn_at_once(easel: Easel) -> None:
    (play,) = frames.of_scenarios(["twenty-shares-five-units"]).values()
    frame = json.loads(json.dumps(play[-1]))
    template = next(j for j in frame["jobs"])
    frame["jobs"] = []
    for k in range(200):
        bar = frame["bars"][k % len(frame["bars"])]
        held = {"stage": "RUNNING", "place": 0} if k < 100 else {"stage": "RUNNABLE", "place": k}
        job = {**template, **held, "name": f"job-{k}", "share": bar["share"], "size": {bar["unit"]: 1}, "waits": None}
        frame["jobs"].append(job)
        bar["own"] = 1
    easel.page.set_viewport_size({"width": 1280, "height": 900})
    easel.draw(frame, picks=True)
    assert easel.page.locator("#picture [data-job]").count() == 200
    timed("a picture of 20 x 5 and 200 jobs", _drawings(easel, "drawPlay", "/picture.js", frame), 100)


def test_a_timeline_of_100_000_events_is_drawn_at_once(easel: Easel) -> None:
    timeline = _timeline(20, 100_000)
    easel.page.set_viewport_size({"width": 1280, "height": 900})
    timed("a timeline of 100,000 events", _drawings(easel, "drawTimeline", "/timeline.js", timeline), 50)
    lengths = easel.page.locator(".qp-timeline path").evaluate_all("all => all.map(e => e.getAttribute('d').length)")
    assert sum(lengths) < 2_000_000


def _drawings(easel: Easel, name: str, module: str, data: object) -> list[float]:
    """Milliseconds of each of ten drawings, layout by the browser included."""
    measured: list[float] = easel.page.evaluate(
        """async ([name, module, data]) => {
            const draw = (await import(module))[name], target = document.getElementById("picture"), found = [];
            for (let k = 0; k < 12; k++) {
                const start = performance.now();
                draw(target, data, {onJob() {}, from: data.start + k});
                target.getBoundingClientRect();
                found.push(performance.now() - start);
                await new Promise(done => setTimeout(done));
            }
            return found.slice(2);
        }""",
        [name, module, data],
    )
    return measured


def test_the_time_line_of_steps_counts_events(easel: Easel) -> None:
    series = [list(range(0, 40, 4)), [k % 4 for k in range(10)]]
    row = {
        "name": "A",
        "unit": "u",
        "limit": [[0], [2]],
        "most": [[0], [2]],
        "used": series,
        "draining": [[], []],
        "waiting": [[], []],
    }
    easel.timeline(
        {
            "time": "step",
            "start": 0,
            "end": 40,
            "units": ["u"],
            "shares": [row],
            "capacity": [],
            "stops": [],
            "gaps": [],
        }
    )
    told = easel.page.locator(".qp-timeline text").all_text_contents()
    ticks = [int(text) for text in told if text.isdigit()]
    assert "number of the event" in told
    assert len(ticks) > 3
    assert all(b - a == ticks[1] - ticks[0] for a, b in pairwise(ticks))
