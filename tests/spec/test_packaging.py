"""What is packaged is what is there: a package that is not listed works when editable and is missing from the wheel."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_folder_with_code_is_listed_and_nothing_else():
    found = {
        "quotaproof." + ".".join(folder.relative_to(ROOT).parts)
        for top in ("spec", "reference", "checker", "examples")
        for folder in (ROOT / top, *(ROOT / top).rglob("*"))
        if folder.is_dir() and (folder / "__init__.py").is_file()
    }
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == found
    for top in ("spec", "reference", "checker"):
        for file in (ROOT / top).rglob("*.py"):
            assert (file.parent / "__init__.py").is_file(), file


def test_the_schemas_are_package_data():
    shipped = {p.name for p in files("quotaproof.spec.schemas").iterdir() if p.name.endswith(".json")}
    forms = (
        "promises",
        "protocol",
        "queue",
        "scenario",
        "simulation",
        "status",
        "trace",
        "verification",
        "waivers",
        "why",
        "workload",
    )
    assert shipped == {f"{form}.schema.json" for form in forms}


def test_every_file_beside_the_code_is_package_data():
    """What a folder of a package holds that is no code ships too: lessons, the page, corpora, scenarios."""
    roots = PROJECT["tool"]["setuptools"]["package-dir"]
    there = {
        file
        for path in roots.values()
        for file in (ROOT / path).rglob("*")
        if file.is_file() and file.suffix not in (".py", ".pyc")
    }
    shipped = set[Path]()
    for package, patterns in PROJECT["tool"]["setuptools"]["package-data"].items():
        root = max((name for name in roots if f"{package}.".startswith(f"{name}.")), key=len)
        folder = ROOT / roots[root] / package.removeprefix(root).strip(".").replace(".", "/")
        shipped |= {file for pattern in patterns for file in folder.glob(pattern)}
    assert there - shipped == set()
    assert len(there) > 350


def test_z3_is_pinned_exactly():
    (pin,) = [d for d in PROJECT["project"]["dependencies"] if d.startswith("z3-solver")]
    assert pin.startswith("z3-solver==")
