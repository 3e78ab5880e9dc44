"""All lessons that are shipped, in order."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ....spec.formats import yaml_text
from ....spec.formats.errors import InputError, shown
from .model import Lesson
from .read import read


@cache
def lessons() -> tuple[Lesson, ...]:
    """Every lesson, by its number."""
    found = sorted(
        (file for file in files(__name__.rpartition(".")[0]).iterdir() if file.name.endswith(".yaml")),
        key=lambda f: f.name,
    )
    return tuple(read(yaml_text.parse(file.name, file.read_text(encoding="utf-8"))) for file in found)


def lesson(number: int | str, where: str = "--lesson") -> Lesson:
    """The lesson of that number, which was asked for at `where`. Raises InputError."""
    for found in lessons():
        if str(found.number) == str(number):
            return found
    known = [found.number for found in lessons()]
    raise InputError(f"there is no lesson {shown(number)}", where=where, why=f"There are {len(known)}.",
                     fix=f"choose one of {known[0]} to {known[-1]}.")  # fmt: skip
