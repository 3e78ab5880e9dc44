"""Our modules in one script: none imports or exports any more, no name is taken twice, nothing ends the script."""

from __future__ import annotations

import re
from collections import Counter

from quotaproof.checker.report.hypertext import Drawn, document
from quotaproof.checker.teach.assets import inlined, sheet

NAMED = re.compile(r"^(?:async )?(?:function\*?|const|let|class) ([A-Za-z_$][\w$]*)", re.MULTILINE)


def test_the_report_s_script_is_one_of_declarations_whose_names_are_its_own() -> None:
    script = inlined("report.js")
    assert not re.search(r"^(?:import|export)\b", script, re.MULTILINE)
    names = Counter(NAMED.findall(script))
    assert names["drawPlay"] == names["drawTimeline"] == names["bigTable"] == 1
    assert [name for name, times in names.items() if times > 1] == []
    assert script.isascii()


def test_no_module_makes_markup_or_runs_text() -> None:
    script = inlined("report.js")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", script)


def test_a_page_lets_its_own_script_run_and_no_other() -> None:
    page = document("t", [], Drawn("f();", {"name": "</script><b>&\u2028"}, sheet("report.css")))
    assert "script-src 'sha256-" in page
    assert "unsafe-inline'; script-src" in page
    assert page.count("</script>") == 2
    assert "<b>" not in page
    assert page.isascii()
