"""Coverage-guided fuzzing of everything that is read: `python tests/fuzz/formats.py --seconds 20`.

Bytes are also read as a scenario, which the reference has to pass.

Needs `pip install -e '.[fuzz]'`; the seeds are the files in examples/. Anything but an InputError that gets out of a
parser, an input that takes more than ten seconds, and one that takes more memory than is allowed end the run with exit
code 1 and are saved in --save. An input's first byte says what it is read as (`READERS`).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
SLOWEST = 10
"""Seconds for one input."""
SUFFIXES = (".json", ".ndjson", ".yaml", ".yml", ".swf", ".csv")
"""Of the examples that are seeds."""


def _load(file: str) -> None:
    from quotaproof.spec.formats import load
    from quotaproof.spec.readings import Readings

    loaded = load([file], readings=Readings())
    for share in loaded.config.shares:
        for field in ("share", "strategy", "borrowLimit", "inSharePreemption", "state"):
            loaded.place(share.name, field)
        for unit in share.limits:
            loaded.place(share.name, "limit", unit)
            loaded.place(None, "capacity", unit)


def _load_change(file: str) -> None:
    from quotaproof.spec.formats import InputError
    from quotaproof.spec.formats.changes import load_change
    from quotaproof.spec.readings import Readings

    live = [str(EXAMPLES / "plan" / "live")]
    for new, apply in (([], [file]), ([file], [])):
        with suppress(InputError):
            load_change(live, new, apply=apply, readings=Readings())


def _load_promises(file: str) -> None:
    from quotaproof.spec.formats import load
    from quotaproof.spec.formats.promises import load_promises
    from quotaproof.spec.readings import Readings

    queue = load([str(EXAMPLES / "promises" / "queue.yaml")], readings=Readings()).config
    load_promises(file, queue)


def _load_scenario(file: str) -> None:
    from quotaproof.spec.formats.scenario_text import load_scenario

    load_scenario(file)


def _load_history(file: str) -> None:
    from quotaproof.spec.formats.history import load_history
    from quotaproof.spec.readings import Readings

    queue = [str(path) for path in sorted((EXAMPLES / "history").glob("*.json"))]
    history = load_history([file], config=queue, readings=Readings())
    for seen in history.seen():
        history.place(seen)


def _load_trace(file: str) -> None:
    from quotaproof.spec.formats.trace import read_trace

    history = read_trace(file)
    for seen in history.seen():
        history.place(seen)


def _load_workload(file: str) -> None:
    from quotaproof.spec.formats import InputError, load
    from quotaproof.spec.formats.workloads import load_workload
    from quotaproof.spec.readings import Readings

    with suppress(InputError):
        load_workload([file])
    load_workload([file], load([str(EXAMPLES / "simulate" / "queue.yaml")], readings=Readings()).config)


def _load_answer(file: str) -> None:
    from quotaproof.checker.conform.failures import Failure
    from quotaproof.checker.conform.protocol import answer, greeting

    raw = Path(file).read_bytes()
    for read in (answer, greeting):
        with suppress(Failure):
            read(raw)


def _try_scenario(file: str) -> None:
    from quotaproof.checker.conform.reference import Reference
    from quotaproof.checker.conform.verdict import Status, judged
    from quotaproof.checker.generate.scenarios import decoded

    scenario, backend = decoded(Path(file).read_bytes()), Reference()
    (told,) = backend.run([scenario])
    tested = judged(scenario, told, backend.declare())
    if tested.status is not Status.PASSED:
        raise AssertionError(f"the reference is {tested.status}: {tested.broken or tested.why}")


READERS: tuple[tuple[str, Callable[[str], None]], ...] = (
    (".json", _load),
    (".yaml", _load),
    (".template", _load),
    (".json", _load_change),
    (".yaml", _load_promises),
    (".json", _load_promises),
    (".yaml", _load_scenario),
    (".json", _load_scenario),
    (".swf", _load_workload),
    (".ndjson", _load_history),
    (".ndjson", _load_trace),
    (".answer", _load_answer),
    (".bytes", _try_scenario),
)
ANSWERS = (
    b'{"protocol":1,"name":"first","features":["gangs"],"claims":true,"choices":{"A13":"a"},"deadline":5}',
    b'{"id":1,"trace":[{"submit":"a1","share":"a","size":{"u":2},"priority":0,"retries":null},{"claim":"a1","victims":'
    b'["b1"],"number":1},{"preempted":"b1","stage":"RUNNABLE","count":1},{"dispatch":"a1"},{"settled":true}]}',
    b'{"id":2,"skipped":"no gangs"}',
    b'{"id":3,"errored":"out of memory"}',
)
"""Seeds of what a backend says; scenarios need none, since every byte string is one."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60, help="how long to run")
    parser.add_argument("--memory", type=int, default=1024, help="MiB that the fuzzer may take")
    parser.add_argument("--save", type=Path, default=Path(), help="folder for the input that failed")
    parser.add_argument("--corpus", type=Path, help="folder that keeps what was found for the next run")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    given, options = parser.parse_known_args()
    if given.worker:
        fuzz(given.worker, options)
    if options:
        parser.error(f"there is no option {options[0]}")
    if find_spec("atheris") is None:
        parser.error("atheris is not installed: pip install -e '.[fuzz]'")
    given.save.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        corpus = given.corpus or Path(folder, "corpus")
        corpus.mkdir(parents=True, exist_ok=True)
        words = seed(corpus)
        Path(folder, "words").write_text("".join(f'"{word}"\n' for word in words), encoding="ascii")
        options = [
            f"-max_total_time={given.seconds}",
            f"-rss_limit_mb={given.memory}",
            f"-timeout={SLOWEST}",
            f"-artifact_prefix={given.save}/",
            f"-dict={Path(folder, 'words')}",
            "-max_len=20000",
            "-print_final_stats=1",
        ]
        done = subprocess.run([sys.executable, __file__, "--worker", folder, *options, str(corpus)], check=False)
    return 1 if done.returncode else 0


def seed(corpus: Path) -> list[str]:
    """Write every example to the corpus, once for each reader of its notation, and list the words in them."""
    words: set[str] = set()
    for number, path in enumerate(sorted(p for p in EXAMPLES.rglob("*") if p.suffix in SUFFIXES)):
        content = path.read_bytes()
        words |= set(re.findall(r"[A-Za-z!$][\w:$!.-]{2,40}", content.decode("utf-8", "replace"), re.ASCII))
        scenario = b"scenario" in content
        for first, (suffix, reader) in enumerate(READERS):
            if (reader is _load_scenario) == scenario and suffix in (path.suffix, ".template"):
                Path(corpus, f"seed-{number}-{first}").write_bytes(bytes([first]) + content)
    index = [reader for _, reader in READERS].index(_load_answer)
    for number, line in enumerate(ANSWERS):
        Path(corpus, f"seed-answer-{number}").write_bytes(bytes([index]) + line)
    return sorted(words)


def fuzz(folder: Path, options: list[str]) -> None:
    """Run libFuzzer in this process; it ends the process."""
    import atheris

    watched = ["quotaproof.spec.formats", "quotaproof.checker.conform.protocol", "json_source_map"]
    with atheris.instrument_imports(include=watched):
        from quotaproof.checker.conform import protocol  # noqa: F401
        from quotaproof.spec.formats import (  # noqa: F401
            InputError,
            aws_history,
            changes,
            history,
            scenario_text,
            trace,
            workloads,
        )  # fmt: skip

    files = [str(folder / f"input-{i}{suffix}") for i, (suffix, _) in enumerate(READERS)]

    def one(data: bytes) -> None:
        if not data:
            return
        index = data[0] % len(READERS)
        Path(files[index]).write_bytes(data[1:])
        try:
            READERS[index][1](files[index])
        except InputError as error:
            if len(str(error).split("\n")) != 3 or not str(error).replace("\n", "").isprintable():
                raise AssertionError(f"a message that a terminal cannot show: {error!r}") from error

    atheris.Setup([sys.argv[0], *options], one)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
