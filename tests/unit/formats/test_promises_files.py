"""Which file of promises is read: one among the files, one beside a single file, or the one that is named."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from quotaproof.spec.formats import InputError, Loaded, load
from quotaproof.spec.readings import Readings

QUEUE = "quotaproof: 1\nqueue: q\nenvironment: {u: 2}\nshares:\n- {name: a, limits: {u: 2}, strategy: LEND}\n"
YAML = "promises: 1  # the version\n{queue}promises:\n- {{id: P1, says: it fits, owner: o, fits: {{u: 2}}}}\n"
Write = Callable[..., str]


def read(*paths: str, promises: str | None = "") -> Loaded:
    return load([*paths], readings=Readings(), promises=promises)


def promises(queue: str = "") -> str:
    return YAML.format(queue=f"queue: {queue}\n" if queue else "")


def test_a_file_among_the_others_is_found_and_told_of(write: Write) -> None:
    loaded = read(write("queue.yaml", QUEUE), write("what-we-said.yaml", promises("q")))
    assert loaded.promises is not None
    assert [(s.name, s.kind) for s in loaded.sources] == [
        ("queue.yaml", "queue form"),
        ("what-we-said.yaml", "promises"),
    ]
    assert loaded.promises.promises[0].place == "what-we-said.yaml:4"


@pytest.mark.parametrize("name", ["promises.yaml", "promises.yml", "promises.json"])
def test_beside_a_single_file_it_is_found_by_its_name(write: Write, name: str) -> None:
    tree = {"version": 1, "promises": [{"id": "P1", "says": "s", "owner": "o", "fits": {"u": 1}}]}
    write(name, tree if name.endswith("json") else promises())
    write("other.json", "{")
    loaded = read(write("queue.yaml", QUEUE))
    assert loaded.promises is not None and loaded.promises.name == name


def test_beside_several_files_nothing_is_looked_for(write: Write) -> None:
    write("promises.yaml", promises())
    loaded = read(
        write("queue.yaml", QUEUE),
        write("waivers.yaml", "waivers: 1\naccept:\n- {finding: QP101, until: 2099-01-01, reason: r}\n"),
    )
    assert loaded.promises is None


def test_two_files_are_an_error_that_names_both(write: Write) -> None:
    paths = write("queue.yaml", QUEUE), write("a.yaml", promises()), write("b.yaml", promises())
    with pytest.raises(InputError, match=r"two files of promises: a.yaml and b.yaml") as caught:
        read(*paths)
    assert "--promises" in caught.value.fix


def test_of_another_queue_found_it_is_left_out_and_named_it_is_an_error(write: Write) -> None:
    queue, other = write("queue.yaml", QUEUE), write("promises.yaml", promises("other"))
    loaded = read(queue)
    assert loaded.promises is None
    assert loaded.left_out == ("promises.yaml, promises: they are about the queue other",)
    with pytest.raises(InputError, match='the promises are about the queue "other"') as caught:
        read(queue, promises=other)
    assert caught.value.where == "promises.yaml:2, queue other, queue"


def test_what_another_queue_is_promised_is_not_looked_at(write: Write) -> None:
    own = write("promises.yaml", promises("q"))
    other = write("other.yaml", "promises: 1\nqueue: other\npromises: nonsense\n")
    loaded = read(write("queue.yaml", QUEUE), own, other)
    assert loaded.promises is not None and loaded.promises.name == "promises.yaml"


def test_the_named_file_counts_alone(write: Write, tmp_path) -> None:
    queue, found = write("queue.yaml", QUEUE), write("promises.yaml", promises())
    named = write("named.yaml", promises("q").replace("P1", "N1"))
    loaded = read(queue, found, promises=str(tmp_path / "." / "named.yaml"))
    assert loaded.promises is not None and loaded.promises.promises[0].code == "N1"
    assert loaded.left_out == (f"promises.yaml, promises: --promises names {named}",)
    again = read(queue, found, named, promises=f"{tmp_path}//named.yaml")
    assert again.promises == loaded.promises


def test_a_named_file_that_holds_no_promises_is_an_error(write: Write) -> None:
    queue = write("queue.yaml", QUEUE)
    with pytest.raises(InputError, match="no file of promises"):
        read(queue, promises=queue)


def test_who_does_not_ask_for_promises_is_told_that_they_are_left_out(write: Write) -> None:
    loaded = read(write("queue.yaml", QUEUE), write("p.yaml", promises("q")), promises=None)
    assert loaded.promises is None
    assert loaded.left_out == ("p.yaml, promises: not judged here",)


def test_promises_alone_are_no_configuration(write: Write) -> None:
    with pytest.raises(InputError, match="nothing here says how a queue is configured") as caught:
        read(write("p.yaml", promises()))
    assert "p.yaml, promises" in caught.value.why


def test_the_version_of_yaml_may_stand_under_either_name_and_lines_stay(write: Write) -> None:
    text = promises().replace("promises: 1  # the version", "# about q\nversion: 1")
    loaded = read(write("queue.yaml", QUEUE), write("p.yaml", text))
    assert loaded.promises is not None and loaded.promises.promises[0].place == "p.yaml:4"
    with pytest.raises(InputError, match=r"p.yaml:2.*\"version\" is given twice"):
        read(write("queue.yaml", QUEUE), write("p.yaml", f"version: 1\n{promises()}"))
    with pytest.raises(InputError, match=r"p.yaml:4.*\"promises\" is given twice"):
        read(
            write("queue.yaml", QUEUE),
            write("p.yaml", f"{promises()}promises: []\n"),
        )


def test_json_has_its_version_under_version_alone(write: Write) -> None:
    text = '{"promises": 1, "promises": []}'
    with pytest.raises(InputError, match="given twice"):
        read(write("queue.yaml", QUEUE), write("p.json", text))
    with pytest.raises(InputError, match="the version is missing") as caught:
        read(write("queue.yaml", QUEUE), write("p.json", json.dumps({"promises": []})))
    assert "version: 1" in caught.value.fix
