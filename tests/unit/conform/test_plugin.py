"""The pytest plugin: nothing is imported until it is used, and every verdict is the outcome of pytest that it should be."""

from __future__ import annotations

from quotaproof.checker.conform.corpus import corpus

pytest_plugins = "pytester"

TELLS_WHAT_WAS_IMPORTED = """
import sys

def pytest_unconfigure():
    heavy = ("z3", "hypothesis", "numpy", "quotaproof.spec", "quotaproof.reference", "quotaproof.checker.judge")
    print("imported:", [name for name in heavy if name in sys.modules])
"""
PLANTED = """
from quotaproof.checker.conform.backend import Declaration, Unable
from quotaproof.checker.conform.reference import Reference
from quotaproof.reference.queue import Queue

class NeverReclaims(Queue):
    def stoppable(self, share=None):
        return []

never = Reference("never", queue=NeverReclaims)

class Falls:
    declaration = Declaration("falls", claims=True)
    step = lambda *_: ()

    def configure(self, config):
        raise RuntimeError("no room")

class Skips(Reference):
    def run(self, scenarios):
        return (Unable("not today", skipped=True) for _ in scenarios)

class Odd:
    declaration = Declaration("odd", features=frozenset({"gang"}))
    configure = step = lambda *_: ()
"""
SOME = ("-q", "-k", "aws-demo")


def test_without_its_option_it_imports_nothing(pytester):
    pytester.makeconftest(TELLS_WHAT_WAS_IMPORTED)
    pytester.makepyfile("def test_nothing(): pass")
    for options in ((), ("--help",)):
        ran = pytester.runpytest_subprocess(*options, "-p", "no:hypothesispytest")
        assert ran.ret == 0
        ran.stdout.fnmatch_lines(["*imported: []*"])


def test_the_reference_passes_and_generated_scenarios_follow(pytester):
    ran = pytester.runpytest_subprocess("--quotaproof-backend", "reference", "--quotaproof-seed", "3", "-q",
                                        "-k", "aws-demo or generated-3-1 or profile")  # fmt: skip
    outcomes = ran.parseoutcomes()
    assert set(outcomes) == {"passed", "deselected"}
    assert outcomes["passed"] == 1 + 11 + 1, "the walkthrough, generated-3-1 and -10 to -19, the profile"
    ran.stdout.fnmatch_lines([f"reference, profile aws-batch: {len(corpus()) + 11} scenarios"])


def test_a_broken_promise_is_a_failure_with_its_sentence(pytester):
    pytester.makepyfile(planted=PLANTED)
    ran = pytester.runpytest_subprocess("--quotaproof-backend", "planted:never", *SOME)
    assert ran.parseoutcomes()["failed"] == 1
    ran.stdout.fnmatch_lines(["never breaks G14, *", "false here: *"])


def test_a_crash_is_an_error_and_no_failure(pytester):
    pytester.makepyfile(planted=PLANTED)
    ran = pytester.runpytest_subprocess("--quotaproof-backend", "planted:Falls", *SOME)
    assert ran.parseoutcomes()["errors"] == 1
    assert "failed" not in ran.parseoutcomes()
    ran.stdout.fnmatch_lines(["falls did not run aws-demo-1: it raised RuntimeError: no room (at planted.py:*"])


def test_what_is_of_the_core_and_skipped_is_a_failure_and_the_profile_says_what_lacks(pytester):
    pytester.makepyfile(planted=PLANTED)
    ran = pytester.runpytest_subprocess("--quotaproof-backend", "planted:Skips", "-q", "-k", "aws-demo or profile")
    assert set(ran.parseoutcomes()) == {"failed", "deselected"}
    ran.stdout.fnmatch_lines(["reference skipped a scenario of the core: not today",
                              "reference conforms to aws-batch in part at most:", "*scenarios were not run to an end: *",
                              "these never came up: G1, *", "never reached: borrowed, *"])  # fmt: skip


def test_what_cannot_be_used_is_one_message(pytester):
    pytester.makepyfile(planted=PLANTED)
    for backend, options, said in (
        ("planted:nobody", (), "planted has no nobody"),
        ("planted:Odd", (), "there is no feature 'gang'"),
        ("reference", ("--quotaproof-profile", "aws"), "there is no profile 'aws'"),
    ):
        ran = pytester.runpytest_subprocess("--quotaproof-backend", backend, *options)
        assert ran.ret == 4
        ran.stderr.fnmatch_lines([f"*{said}*", "*Fix: *"])
