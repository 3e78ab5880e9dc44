"""The kill matrix: every mutant and who finds it, by which promise. `python -m tests.support.killing.matrix` makes it anew.

Rows are the one-point mutants of the rules, the bugs planted in guards, and the wrong schedulers. A cell is what was
broken and where; '' where nothing was found; 'n/a: ...' where an engine has nothing to say. A row that nobody kills has a
`why`. A new matrix is written only if it keeps every kill of the old one, or with `--lose ID=WHY` for each lost one.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from zlib import crc32

from quotaproof.spec.rules.mutants import Mutant, mutants

from ...quality.planted import FORGOTTEN, codes, forgetting, refuted
from ..wrong import WRONG
from . import explored, theorem
from .running import Differing, Example, any_of_them, by_rules, corpus_examples, examples, fault
from .survivors import NOT_REACHED, why_not

FILE = Path(__file__).parents[2] / "quality" / "kills.json"
ENGINES = ("theorem", "explorer", "corpus", "generated")
GENERATED = 150
"""Generated scenarios that a mutant is given."""
MORE = 2000
"""Those that one is given which could be found and was not, or that was found before; and every planted scheduler."""
SEEDS = 1
"""Schedulers by which each scenario of the corpus is run."""
CODE = "n/a: the mistake is in code"
PLATFORM = "n/a: no guard of the scheduler's own steps"
SAMPLE = "n/a: not in the sample"
PLANTED = "planted"
"""The rows of planted bugs, among what may be made anew."""


@dataclass(frozen=True)
class Row:
    """One mutant."""

    id: str
    theorem: str = ""
    explorer: str = ""
    corpus: str = ""
    generated: str = ""
    why: str = ""
    """Of a mutant that nobody kills: why."""

    @property
    def killers(self) -> dict[str, str]:
        """Engine -> what was broken and where."""
        cells = {engine: getattr(self, engine) for engine in ENGINES}
        return {engine: cell for engine, cell in cells.items() if cell and not cell.startswith("n/a")}


def read() -> dict[str, Row]:
    """The matrix as it was recorded."""
    rows = json.loads(FILE.read_text(encoding="utf-8"))["mutants"] if FILE.is_file() else []
    return {row["id"]: Row(**row) for row in rows}


def write(rows: Iterable[Row]) -> None:
    """Record a matrix, one line a mutant."""
    lines = [json.dumps({k: v for k, v in asdict(row).items() if v}) for row in sorted(rows, key=lambda r: r.id)]
    FILE.write_text('{"mutants": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


def lost(old: Mapping[str, Row], new: Mapping[str, Row]) -> list[str]:
    """Kills of the old matrix that the new one has not: 'ID ENGINE'. Rows of rules that changed are gone, not lost."""
    return [
        f"{row.id} {engine}"
        for row in old.values()
        if row.id in new
        for engine in row.killers
        if engine not in new[row.id].killers
    ]


def sampled(asked: Sequence[Mutant]) -> list[Mutant]:
    """Every dropped clause, and of every operator one mutant a rule: which, does not depend on the other rules."""
    drawn: dict[tuple[str, str], Mutant] = {}
    for mutant in sorted(asked, key=lambda m: crc32(m.id.encode())):
        drawn.setdefault((mutant.rule, re.sub(r"-\d+$", "", mutant.point.operator)), mutant)
    chosen = {*drawn.values(), *(m for m in asked if m.point.position == 0)}
    return [m for m in asked if m in chosen]


def explored_ones(asked: Iterable[Mutant]) -> list[Mutant]:
    """What the explorer is asked about: the clauses of the guards themselves, each dropped, and one mutant an operator."""
    chosen: dict[str, Mutant] = {}
    for mutant in asked:
        whole = mutant.point.position == 0
        if not whole or not mutant.point.code.startswith("settled."):
            chosen.setdefault(mutant.id if whole else re.sub(r"-\d+$", "", mutant.point.operator), mutant)
    return list(chosen.values())


# the columns


def by_theorem(asked: Iterable[Mutant]) -> Iterator[tuple[Mutant, str]]:
    for mutant in asked:
        found = theorem.refutes(mutant)
        if found:
            given = "".join(f" {code}={choice}" for code, choice in found.readings.items())
            yield mutant, f"{found.code} {found.name}{' with' + given if given else ''}"


def by_explorer(asked: Iterable[Mutant]) -> Iterator[tuple[Mutant, str]]:
    for mutant in asked:
        try:
            found = explored.breaks(mutant)
        except KeyError:
            yield mutant, "n/a: it asks for what the model has not"
            continue
        if found:
            yield mutant, " ".join(found)


def by_runs(asked: Sequence[Mutant], given: Iterable[Example]) -> Iterator[tuple[Mutant, str]]:
    alive, differing = set(asked), Differing(asked)
    for example in given:
        name, seed, scenario = example
        for mutant in sorted(differing.among(example) & alive):
            code = fault(by_rules(mutant)(seed), scenario)
            if code:
                alive.discard(mutant)
                yield mutant, f"{code} {name}"


def wrong_schedulers() -> Iterator[Row]:
    """The planted schedulers in the corpus and in generated scenarios."""
    for name, wrong in sorted(WRONG.items()):
        backend = wrong.backend(name)
        cells = {}
        for engine, given in (
            ("corpus", corpus_examples(1, any_of_them)),
            ("generated", examples(MORE, any_of_them)),
        ):
            broken = ((fault(backend, scenario), where) for where, _, scenario in given)
            cells[engine] = next((f"{code} {where}" for code, where in broken if code), "")
        yield Row(f"scheduler:{name}", CODE, CODE, **cells)


def forgotten() -> Iterator[Row]:
    """Clauses forgotten in every guard at once, the platform's and the users' too."""
    for code, expected in FORGOTTEN.items():
        broken = codes(refuted(forgetting(code), expected.readings))
        given = "".join(f" {question}={choice}" for question, choice in expected.readings.items())
        cell = " ".join(sorted(broken)) + (f" with{given}" if given else "")
        own = f"n/a: see {code}/0/clause-dropped" if any(f":{code}/0/" in m.id for m in mutants()) else PLATFORM
        yield Row(f"forgotten:{code}", cell, own, own, own)


COLUMNS: Mapping[str, Callable[[Sequence[Mutant]], Iterator[tuple[Mutant, str]]]] = {
    "corpus": lambda asked: by_runs(asked, corpus_examples(SEEDS)),
    "generated": lambda asked: by_runs(asked, examples(GENERATED)),
    "theorem": by_theorem,
    "explorer": lambda asked: by_explorer(explored_ones(asked)),
}


def mutant_rows(asked: Sequence[Mutant], engines: Iterable[str], old: Mapping[str, Row]) -> dict[Mutant, Row]:
    """The rows of these mutants: these columns made anew, the others as they were."""
    began = time.monotonic()
    blank = {m: Row(m.id, explorer="" if m in explored_ones(asked) else SAMPLE) for m in asked}
    made = {m: replace(old.get(m.id, row), why="") for m, row in blank.items()}
    same = {m for m in asked if theorem.equivalent(m)}
    different = [m for m in asked if m not in same]
    print(f"{len(asked)} mutants, {len(same)} equivalent, {time.monotonic() - began:.0f} s", flush=True)
    for engine in engines:
        made = {m: replace(row, **{engine: getattr(blank[m], engine)}) for m, row in made.items()}
        for mutant, cell in COLUMNS[engine](different):
            made[mutant] = replace(made[mutant], **{engine: cell})
        killed = sum(engine in row.killers for row in made.values())
        print(f"{engine}: {killed} killed, {time.monotonic() - began:.0f} s", flush=True)
    why = {m: why_not(m) for m, row in made.items() if not row.killers}
    if "generated" in engines:
        unseen = [m for m, reason in why.items() if reason.startswith(NOT_REACHED)]
        was = {row.id for row in old.values() if "generated" in row.killers}
        unseen += [m for m, row in made.items() if m.id in was and "generated" not in row.killers]
        for mutant, cell in by_runs(unseen, examples(MORE)):
            made[mutant] = replace(made[mutant], generated=cell)
        print(f"{len(unseen)} in more scenarios, {time.monotonic() - began:.0f} s", flush=True)
    return {m: row if row.killers else replace(row, why=why[m]) for m, row in made.items()}


def main() -> None:
    """Make the matrix anew and record it, unless it has lost a kill for which no reason is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every mutant, not the sample")
    parser.add_argument(
        "--engine", action="append", choices=[*COLUMNS, PLANTED], help="make only this; may be repeated"
    )
    parser.add_argument("--lose", action="append", default=[], metavar="ID=WHY", help="a kill may be gone, and why")
    given = parser.parse_args()
    old = read()
    asked = list(mutants()) if given.all else sampled(mutants())
    engines = given.engine or [*COLUMNS, PLANTED]
    new = {row.id: row for row in mutant_rows(asked, [e for e in engines if e != PLANTED], old).values()}
    if PLANTED in engines:
        new |= {row.id: row for row in (*forgotten(), *wrong_schedulers())}
    else:
        new |= {i: row for i, row in old.items() if i.startswith(("forgotten:", "scheduler:"))}
    allowed = dict(one.partition("=")[::2] for one in given.lose)
    gone = [kill for kill in lost(old, new) if not allowed.get(kill.rpartition(" ")[0])]
    if gone:
        raise SystemExit("not written, these kills are lost:\n" + "\n".join(gone))
    write(new.values())
    print(f"{len(new)} rows, {sum(bool(row.killers) for row in new.values())} killed")


if __name__ == "__main__":
    main()
