"""A backend is found by its name, or it is said what is wrong with the name."""

from __future__ import annotations

import sys

import pytest
from quotaproof.checker.conform.backend import BackendError
from quotaproof.checker.conform.opening import opened
from quotaproof.checker.conform.process import Process
from quotaproof.checker.conform.reference import Reference

MODULE = """
from quotaproof.checker.conform.reference import Reference

ready = Reference("ready")
number = 3

class Held:
    inner = ready

class Kind(Reference):
    pass

def maker():
    return Reference("made")

def fails():
    raise KeyError("GPU")

def nothing():
    return None
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "my_scheduler.py").write_text(MODULE)
    (tmp_path / "broken_scheduler.py").write_text("import no_such_thing\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    for name in ("my_scheduler", "broken_scheduler"):
        sys.modules.pop(name, None)


def test_the_reference_and_a_program_are_told_by_their_form():
    assert isinstance(opened("reference"), Reference)
    process = opened("cmd:node 'my scheduler.js' --fast")
    assert isinstance(process, Process)
    assert process.command == "node 'my scheduler.js' --fast"


@pytest.mark.parametrize(("name", "declared"), [
    ("my_scheduler:ready", "ready"), ("my_scheduler:Held.inner", "ready"), ("my_scheduler:maker", "made"),
    ("my_scheduler:Kind", "reference"),
])  # fmt: skip
@pytest.mark.usefixtures("here")
def test_an_attribute_is_a_backend_or_makes_one(name, declared):
    assert opened(name).declare().name == declared


@pytest.mark.parametrize(("name", "what", "why"), [
    ("scheduler", "names no backend", "module:attribute or cmd:COMMAND"),
    ("node scheduler.js", "names no backend", "cmd:"),
    ("no_such_module:x", "there is no module no_such_module", "looked for"),
    ("broken_scheduler:x", "cannot be imported", "no_such_thing"),
    ("my_scheduler:other", "my_scheduler has no other", "imported from"),
    ("my_scheduler:number", "is no backend", "declare, run, close"),
    ("my_scheduler:fails", "cannot be made", "KeyError: 'GPU'"),
    ("my_scheduler:nothing", "makes is no backend", "lacks declare, run, close"),
])  # fmt: skip
@pytest.mark.usefixtures("here")
def test_a_name_that_cannot_be_used_is_explained(name, what, why):
    with pytest.raises(BackendError) as caught:
        opened(name)
    assert what in caught.value.what
    assert why in caught.value.why
    assert caught.value.fix
