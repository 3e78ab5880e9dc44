"""Write what docs/lessons holds: a slide for each step of each lesson, and the list of lessons in docs/how-to/teach.md.

The slides are drawn by the page's own module in a browser, named by QUOTAPROOF_CHROMIUM or found as `chromium`. Tests ask
whether what is there is current.
"""

import os
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

from quotaproof.checker.teach.assets import inlined
from quotaproof.checker.teach.frame import Frame
from quotaproof.checker.teach.lessons import lessons
from quotaproof.checker.teach.lessons.model import Ask, Lesson
from quotaproof.checker.teach.lessons.slides import folder, slides

DOCS = Path(__file__).resolve().parents[1] / "docs"
BEGIN, END = "<!-- lessons: written by .ci/lessons.py -->\n", "<!-- end of the lessons -->\n"


def drawn(page) -> dict[str, str]:
    """Every slide, by its path in docs/lessons, drawn in a page of a browser."""
    page.evaluate(f"() => {{ {inlined('picture.js')}\nwindow.drawn = slideText; }}")
    draw = "([frame, caption]) => drawn(frame, { caption })"
    return {
        f"{folder(lesson)}/{slide.file}": page.evaluate(draw, [asdict(slide.frame), slide.caption])
        for lesson in lessons()
        for slide in slides(lesson)
    }


def listed() -> str:
    """The list of lessons, Markdown."""
    return "\n".join(line for lesson in lessons() for line in _lesson(lesson))


def page_with(text: str) -> str:
    """The page with its list written anew."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{listed()}\n{END}{rest.split(END)[1]}"


def _lesson(lesson: Lesson) -> list[str]:
    asked = next(i for i, part in enumerate(lesson.parts) if isinstance(part, Ask))
    every = list(slides(lesson))
    last = next((s for s in reversed(every) if s.part < asked), every[0])
    picture = f"../lessons/{folder(lesson)}/{last.file}"
    return [
        f"### {lesson.number}. {lesson.title}",
        "",
        lesson.summary,
        "",
        f"*For: {lesson.audience}* Its answers: {', '.join(ask.certainty for ask in lesson.questions)}.",
        "",
        f"![{last.caption} {_uses(last.frame)}]({picture})",
        "",
        f"[{len(every)} slides](../lessons/{folder(lesson)})",
        "",
    ]


def _uses(frame: Frame) -> str:
    """The picture in a sentence."""
    return f"{'; '.join(f'{b.share} uses {b.own + b.borrowed}, limit {b.limit}' for b in frame.bars)}."


def main() -> None:
    """Write both."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("QUOTAPROOF_CHROMIUM") or shutil.which("chromium")
    if program is None:
        sys.exit("no chromium: name one in QUOTAPROOF_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        found = drawn(browser.new_page())
        browser.close()
    shutil.rmtree(DOCS / "lessons", ignore_errors=True)
    for name, svg in found.items():
        path = DOCS / "lessons" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(svg, encoding="utf-8")
    page = DOCS / "how-to" / "teach.md"
    page.write_text(page_with(page.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"{len(found)} slides of {len(lessons())} lessons")


if __name__ == "__main__":
    main()
