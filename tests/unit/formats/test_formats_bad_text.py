"""Bytes and text that cannot be used: each is refused with its place, why, and how to mend it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from quotaproof.spec.formats import load
from quotaproof.spec.readings import Readings

OWN = "quotaproof: 1\nqueue: r\nshares:\n- {name: a, limits: {u: 1}, strategy: LEND}\n"

BAD_TEXT = {
    # name of the file, content, what, where, fix
    "empty JSON": ("e.json", "", "the file is empty", "e.json", "write the file again"),
    "blank YAML": ("e.yaml", "\n  \n", "the file is empty", "e.yaml", "write the file again"),
    "only comments": ("c.yaml", "# nothing\n", "empty apart from comments", "c.yaml", "examples/own-form"),
    "not UTF-8": ("l.json", b'{\n"a": "\xe9"}', "not UTF-8: byte 0xe9 at offset 8", "l.json:2", "as UTF-8"),
    "UTF-16": ("w.yaml", OWN.encode("utf-16"), "not UTF-8: byte 0xff", "w.yaml:1", "as UTF-8"),
    "JSON syntax": ("s.json", '{"a": 1,\n "b" 2}', "delimiter in column 6", "s.json:2", "correct the syntax"),
    "JSON cut short": ("t.json", '{"quotaShares": [', "not valid JSON", "t.json:1", "correct the syntax"),
    "text after JSON": ("x.json", "{}\n{}", "extra data in column 1", "x.json:2", "correct the syntax"),
    "raw control character": (
        "k.json",
        '{"a":\n "\x07"}',
        "invalid control character",
        "k.json:2",
        "correct the syntax",
    ),
    "NaN": ("n.json", '{"s": "NaN",\n"a": [1, NaN]}', "NaN is not a number", "n.json:2, a[1]", "whole number"),
    "Infinity": ("i.json", '{"a":\n\n-Infinity}', "-Infinity is not a number", "i.json:3, a", "write -1"),
    "long number": ("d.json", '{"b": 1,\n"a": ' + "7" * 5000 + "}", "a number of 5000", "d.json:2, a", "was meant"),
    "long fraction": ("f.json", '{"a": 0.' + "7" * 5000 + "}", "a number of 5002", "f.json:1, a", "was meant"),
    "100,000 brackets": ("b.json", '{"a":\n' + "[" * 100_000, "nested too deeply", "b.json:2", "unchanged"),
    "100,000 braces": ("o.json", '{"a":' * 100_000, "nested too deeply", "o.json:1", "unchanged"),
    "twice in JSON": (
        "w.json",
        '{"x": [{"b": 1}, {"b": 2,\n"c": 1, "\\u0062": 3}]}',
        '"b" is given twice',
        "w.json:2, x[1].b",
        "delete one of the two",
    ),
    "YAML syntax": ("s.yaml", "quotaproof: 1\nqueue: [r\n", "not valid YAML", "s.yaml:3", "correct the syntax"),
    "YAML tab": ("b.yaml", "quotaproof: 1\n\tqueue: r\n", "not valid YAML", "b.yaml:2", "indent with spaces"),
    "YAML control": ("k.yaml", OWN + "# \x1b[31m\n", "a control character, \\x1b", "k.yaml:5", "delete it"),
    "anchor": ("a.yaml", "quotaproof: 1\nqueue: &q r\n", 'an anchor or alias ("q")', "a.yaml:2, queue", "values out"),
    "alias": ("a.yaml", "quotaproof: 1\nqueue: *q\n", 'an anchor or alias ("q")', "a.yaml:2, queue", "values out"),
    "bomb": (
        "bomb.yaml",
        "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"b{i}: &b{i} [*a,*a,*a,*a]\n" for i in range(30)),
        "an anchor or alias",
        "bomb.yaml:1, a",
        "values out",
    ),
    "python tag": (
        "t.yaml",
        "quotaproof: 1\nqueue: !!python/object/apply:os.system [ls]\n",
        'a tag ("tag:yaml.org,2002:python/object/apply:os.system")',
        "t.yaml:2, queue",
        "delete the tag",
    ),
    "harmless tag": ("t.yaml", "quotaproof: 1\nqueue: !!str 5\n", "a tag", "t.yaml:2, queue", "may be quoted"),
    "own tag": ("t.yaml", "quotaproof: 1\nqueue: !x r\n", 'a tag ("!x")', "t.yaml:2, queue", "delete the tag"),
    "twice in YAML": (
        "w.yaml",
        "quotaproof: 1\nqueue: r\nshares:\n- name: a\n  limits: {u: 1}\n  name: b\n",
        '"name" is given twice',
        "w.yaml:6, shares[0].name",
        "delete one of the two",
    ),
    "documents": ("m.yaml", OWN + "---\n" + OWN, "a second document begins here", "m.yaml:5", "one file of each"),
    "list as key": ("k.yaml", "quotaproof: 1\n? [a]\n: 1\n", "used as a key", "k.yaml:2", "key: value"),
    "deep YAML": ("d.yaml", "a: " + "[" * 100_000, "nested too deeply", "d.yaml:1", "examples/own-form"),
    "long YAML number": ("l.yaml", f"quotaproof: {'9' * 5000}", "5000 characters", "l.yaml:1, quotaproof", "was meant"),
    ".inf": ("i.yaml", "quotaproof: .inf", ".inf is not a number", "i.yaml:1, quotaproof", "write -1"),
    "big escape": ("e.yaml", 'quotaproof: "\\UFFFFFFFF"', "not valid YAML", "e.yaml", "correct the"),
    "large YAML": ("big.yaml", "# " + "x" * (1 << 20), "the YAML file has 1,048,578 characters", "big.yaml:1", "split"),
    "large JSON": ("big.json", b" " * (60 << 20), "larger than 16 MiB", "big.json", "only the files of one queue"),
    "text": ("readme", "Hello, world", "text stands where an object is expected", "readme:1", "its own file"),
    "list": ("list.json", "[{}]", "a list stands where an object is expected", "list.json:1", "its own file"),
    "null": ("null.json", "null", "null stands where an object is expected", "null.json:1", "its own file"),
    "no keys": ("none.json", "{}", "has no keys", "none.json", "list-quota-shares"),
    "unknown kind": ("u.json", '{"colour": 1}', 'its first key is "colour"', "u.json", "list-quota-shares"),
    "nearly a kind": (
        "u.json",
        '{"quotaShare": []}',
        'its first key is "quotaShare"',
        "u.json",
        "did you mean quotaShares",
    ),
    "only promises": (
        "p.yaml",
        "promises: 1\npromises:\n- id: P1\n",
        "nothing here says",
        "p.yaml",
        "list-quota-shares",
    ),
}


@pytest.fixture(params=["libyaml", "without libyaml"])
def yaml_reader(request, monkeypatch):
    """PyYAML is built with libyaml on most machines, not on all."""
    if request.param == "without libyaml":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


@pytest.mark.parametrize(
    ("name", "content", "what", "where", "fix"),
    [case for case in BAD_TEXT.values() if case[0].endswith("yaml")],
    ids=[name for name, case in BAD_TEXT.items() if case[0].endswith("yaml")],
)
@pytest.mark.usefixtures("yaml_reader")
def test_yaml_is_refused_alike_with_and_without_libyaml(refused, write, name, content, what, where, fix):
    error = refused(write(name, content))
    assert what in error.what
    assert error.where.startswith(where)
    assert fix in error.fix


@pytest.mark.parametrize(
    ("name", "content", "what", "where", "fix"),
    [case for case in BAD_TEXT.values() if not case[0].endswith("yaml")],
    ids=[name for name, case in BAD_TEXT.items() if not case[0].endswith("yaml")],
)
def test_text_that_cannot_be_used_is_refused_in_its_place(refused, write, name, content, what, where, fix):
    error = refused(write(name, content))
    assert what in error.what
    assert error.where == where or error.where.startswith(f"{where},")
    assert fix in error.fix


def test_an_unknown_object_lists_the_kinds_that_are_known(refused, write):
    error = refused(write("u.json", {"colour": 1}))
    assert "create-job-queue, create-quota-share, create-scheduling-policy" in error.why
    assert "quotaproof: 1" in error.why


def test_no_path_at_all_is_refused(refused):
    assert refused().what == "no file is given"


def test_a_missing_file_is_named(refused, tmp_path):
    error = refused(tmp_path / "gone.json")
    assert error.what == "there is no such file or folder"
    assert error.where.endswith("gone.json")


def test_an_empty_folder_is_refused(refused, tmp_path):
    assert refused(tmp_path).what == "the folder holds no .json, .yaml, .yml or .template file"


@pytest.mark.parametrize("path", ["", "a\0b.json"])
def test_what_can_be_no_path_is_refused(refused, path):
    assert "is not a path" in refused(path).what


@contextmanager
def as_somebody():
    """Without the rights of root, who may read every file."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_file_that_may_not_be_read_is_refused(refused):
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder, "secret.json")
        path.write_text("{}", encoding="utf-8")
        path.chmod(0)
        with as_somebody():
            assert refused(path).what == "cannot be read: permission denied"


def test_a_link_that_leads_to_itself_is_refused(refused, tmp_path):
    loop = tmp_path / "loop.json"
    loop.symlink_to(loop)
    assert refused(loop).what.startswith("cannot be read")


def test_a_file_without_end_is_refused_after_16_mib(refused):
    assert "larger than 16 MiB" in refused("/dev/zero").what


def test_control_characters_in_a_path_are_escaped(refused, tmp_path):
    error = refused(tmp_path / "a\x1b[31m\nb.json")
    assert "a\\x1b[31m\\nb.json" in error.where


def test_long_values_are_shortened(refused, write):
    error = refused(write("u.json", {"x" * 100_000: 1}))
    assert len(str(error)) < 800
    assert "xxx...xxx" in error.what


def test_two_files_of_the_same_name_are_told_apart_by_their_folders(tmp_path):
    for folder, limit in (("old", 1), ("new", 2)):
        (tmp_path / folder).mkdir()
        share = f"{{name: a, limits: {{u: {limit}}}, strategy: LEND}}"
        text = f"quotaproof: 1\nqueue: q\nenvironment: {{u: 2}}\nshares: [{share}]\n"
        (tmp_path / folder / "queue.yaml").write_text(text, encoding="utf-8")
    loaded = load([str(tmp_path / "old"), str(tmp_path / "new")], readings=Readings())
    assert [s.name for s in loaded.sources] == ["old/queue.yaml", "new/queue.yaml"]
    assert [(d.place, d.other_place) for d in loaded.drift] == [("old/queue.yaml:4", "new/queue.yaml:4")]
