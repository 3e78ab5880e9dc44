"""What `explain` can explain: every topic with a function that writes its text. Made from the spec's own registries.

Nothing is stated here a second time: sentences come from the guarantees, readings, rules, findings and schemas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.resources import files

from ...spec import schemas
from ...spec.readings import READINGS, Reading
from ...spec.rules.guarantees import GUARANTEES, Guarantee
from ...spec.rules.sources import CLAUSES, RULES, certainty, clause_title
from ..conform.profiles import PROFILES
from ..explore.starts import OUTSIDE, STARTS
from ..findings.catalogue import DESCRIBED
from ..findings.check import Check
from ..report.layout import entry, paragraph
from . import conformance, promises_form, protocol_form, real, trace_form

_FORM = ".schema.json"
_FORMS = {
    "queue": "A queue in quotaproof's own form: one file, JSON or YAML. AWS CLI requests and outputs are read as well.",
    "scenario": "A scenario: a queue and what happens to it, step by step; `quotaproof replay` plays it.",
    "trace": "One line of a trace: what a queue did, NDJSON, its header first. `quotaproof replay --trace` writes one.",
    "protocol": "One message between quotaproof and a scheduler under test: JSON lines on standard input and output.",
    "waivers": "Findings that somebody accepts for a time: a file beside the configuration. In YAML a comment does the same,\n"
    "# quotaproof: accept QP112 until 2027-01-31: the reason\n"
    "about its own line, or about the next one with all that is indented further (a whole share, say).",
    "promises": "Promises to teams about a queue, beside its configuration: `verify` proves or refutes them, `audit` measures.",
    "workload": "Jobs for `quotaproof simulate`: CSV or Parquet with a header, one row a job, of which this is the schema.\n"
    "job,share,submit,runs,ml.p5.48xlarge,priority\n"
    "j1,speech,0,3600,2,5",
    "why": "What `quotaproof why --report json` writes.",
    "status": "What `quotaproof status --report json` writes.",
    "simulation": "What `quotaproof simulate --report json` writes.",
    "verification": "What `quotaproof verify --report json` writes, and `replay` and `audit` with --report json.",
}

_SHOWN: Mapping[str, Callable[[], Iterator[str]]] = {
    "trace": trace_form.introduction,
    "protocol": protocol_form.introduction,
    "promises": promises_form.introduction,
}
"""Forms that are explained by examples; their schema is printed on request."""


def known() -> dict[str, Callable[[], str]]:
    """Every topic by its name, in the order of the overview."""
    topics: dict[str, Callable[[], str]] = {"guarantees": _guarantees, "readings": _readings}
    topics |= {code: partial(_guarantee, g) for code, g in GUARANTEES.items()}
    topics |= {code: partial(_reading, r) for code, r in READINGS.items()}
    topics |= {code: partial(_check, c) for code, c in DESCRIBED.items()}
    topics |= {f"rule {number}": partial(_rule, number) for number in RULES}
    topics |= {code: partial(_clause, code) for code in CLAUSES}
    topics |= {name: partial(_form, name) for name in forms()}
    topics |= {"corpus": conformance.corpus, "features": conformance.features}
    topics |= {"slurm": real.slurm, "htcondor": real.htcondor, **real.alone()}
    topics |= {name: partial(conformance.profile, p) for name, p in PROFILES.items()}
    return topics


def forms() -> tuple[str, ...]:
    """File forms that have a schema."""
    found = {path.name.removesuffix(_FORM) for path in files(schemas).iterdir() if path.name.endswith(_FORM)}
    return tuple(name for name in [*_FORMS, *sorted(found - set(_FORMS))] if name in found)


def overview() -> str:
    """All topics, in groups."""
    groups: Mapping[str, str] = {
        "Guarantees": f"guarantees, {', '.join(GUARANTEES)}",
        "Open questions": f"readings, {', '.join(READINGS)}",
        "Findings": ", ".join(DESCRIBED),
        "AWS's rules": f"rule {min(RULES)} to rule {max(RULES)}",
        "Conditions of a step": ", ".join(CLAUSES),
        "File forms": ", ".join(forms()),
        "Conformance": ", ".join(("corpus", "features", *PROFILES)),
        "Real schedulers": ", ".join(("slurm", "htcondor", *real.alone())),
    }
    lines = ["quotaproof explain TOPIC"]
    for title, names in groups.items():
        lines += ["", title, *paragraph(names)]
    return _joined(lines)


def _guarantees() -> str:
    return _joined(line for code, g in GUARANTEES.items() for line in entry(code, g.sentence))


def _readings() -> str:
    def lines() -> Iterator[str]:
        for code, reading in READINGS.items():
            yield from entry(code, reading.question)
            if reading.modelled:
                yield from paragraph(f"{code}={' | '.join(reading.choices)}   default {reading.default}")

    return _joined(lines())


def _guarantee(g: Guarantee) -> str:
    lines = entry(g.code, g.sentence)
    lines += paragraph(f"{g.kind}, for every {g.over}")
    lines += paragraph(f"Exactly: {g.mathematics}")
    if g.readings:
        lines += paragraph(f"Depends on {', '.join(g.readings)}")
    return _joined([*lines, *paragraph(f"Source: {g.source}")])


def _reading(r: Reading) -> str:
    lines = entry(r.code, r.question)
    for choice, meaning in r.choices.items():
        mark = "  (default)" if choice == r.default else ""
        same = choice == meaning
        lines += paragraph(f"{r.code}={choice}" + ("" if same else f"   {meaning}") + mark)
    if not r.modelled:
        lines += paragraph("No choice: it does not change what the model does.")
    elif r.code in OUTSIDE:
        lines += paragraph(OUTSIDE[r.code])
    elif r.code in STARTS:
        lines += paragraph(f"`quotaproof explain {r.code} --experiment` prints a few cheap jobs that settle it.")
    return _joined([*lines, *paragraph(f"Why: {r.favoured}")])


def _check(c: Check) -> str:
    return _joined([*entry(c.code, f"{c.title} ({c.severity})"), *paragraph(c.explanation)])


def _rule(number: int) -> str:
    return _joined([*entry(f"rule {number}", RULES[number]), *paragraph(f"Certainty: {certainty(number)}.")])


def _clause(code: str) -> str:
    """What a condition of a step says where it is not met, of which step it is, and on what it rests."""
    from ...spec.rules.catalogue import ACTIONS

    lines = entry(code, f"{clause_title(code)[0].upper()}{clause_title(code)[1:]}: a condition of a step.")
    action, sentence = next((a, a.clauses[code]) for a in ACTIONS if code in a.clauses)
    numbers = " (N and M stand for numbers)" if "{" in sentence else ""
    lines += paragraph(f"Not met where {sentence.format(left='N', right='M')}{numbers}.")
    lines += paragraph(f"The step: {action.name} ({action.who}). {action.sentence.partition(' `')[0]}")
    rests = CLAUSES[code]
    for number in _numbers(rests):
        lines += paragraph(f"Rule {number}: {RULES[number]}")
    for reading in re.findall(r"A\d+b?", rests):
        lines += paragraph(f"{reading} (AWS leaves it open): {READINGS[reading].question}")
    return _joined(lines)


def _numbers(rests: str) -> list[int]:
    """The numbers of AWS's rules in such as "rules 14, 19; A5"."""
    return [int(n) for n in re.findall(r"(?<![A-Z\d])\d+", rests)]


def _form(name: str) -> str:
    introduction = _FORMS.get(name, f"The form {name}.")
    if name not in _SHOWN:
        return f"{introduction}\n{schema(name)}"
    request = f"`quotaproof explain {name} --schema` prints the JSON Schema."
    return _joined([introduction, *_SHOWN[name](), "", request])


def schema(name: str) -> str:
    """The JSON Schema of a file form."""
    return f"{files(schemas).joinpath(f'{name}{_FORM}').read_text(encoding='utf-8').rstrip()}\n"


def _joined(lines: Iterator[str] | list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
