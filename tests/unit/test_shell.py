"""A printed command means the same to a shell, whatever is in its words."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from quotaproof.checker.shell import command, to_replay


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_reads_the_words_again():
    words = ["a", "x'y z", "o ü'x", "\x1b[31m\\n", "$HOME", "", "日1", "\udcff"]
    line = command(words)
    assert line.isascii() and line.isprintable()
    told = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True).stdout
    assert told == b"".join(w.encode("utf-8", "surrogateescape") + b"\0" for w in words)


def test_an_ordinary_witness_is_told_without_quotes():
    assert to_replay("quotaproof-out/", "conform/G7-1.json") == "quotaproof replay quotaproof-out/conform/G7-1.json"
    assert to_replay("o x'y", "w.json") == """quotaproof replay 'o x'"'"'y/w.json'"""
