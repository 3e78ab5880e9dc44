"""An experiment on the screen: the queue, what to do step by step on a real account, where to look, what it means."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from ...spec import events as ev
from ...spec.formats.errors import listed
from ...spec.formats.scenario import own_form
from ...spec.readings import READINGS
from ..explore.commands import MINUTES, command, lines, payload, setup
from ..explore.experiment import machine_looks, unlike
from ..explore.starts import ALIKE, QUEUE, STARTS
from ..explore.telling import Experiment
from ..explore.trial import When
from ..witness.words import words
from .layout import INDENT, WIDTH, entry, paragraph

_INTO = {"create-scheduling-policy": ("POLICY_ARN", "arn"), "submit-service-job": ("", "jobId")}


def write(e: Experiment) -> str:
    """The whole text."""
    return "".join(f"{line}\n" for line in _lines(e))


def _lines(e: Experiment) -> Iterator[str]:
    yield from entry(e.code, READINGS[e.code].question)
    for choice, meaning in READINGS[e.code].choices.items():
        why = f" (not told apart here: {ALIKE.get((e.code, choice), 'see --vs')})" if choice in unlike(e) else ""
        yield from paragraph(f"{e.code}={choice}" + (f"   {meaning}" if meaning != choice else "") + why)
    if e.assumes:
        taken = ", ".join(f"{code}={choice}" for code, choice in e.assumes.items())
        yield from paragraph(f"Takes for granted: {taken}. The other open questions make no difference where to look.")
        if e.base.chosen and len(e.shown) > 2:
            yield from paragraph("With --vs CHOICE two choices alone are told apart, which may take less for granted.")
    else:
        yield from paragraph("Takes nothing for granted: no other open question makes a difference where to look.")
    cost = machine_looks(e) * MINUTES
    yield from paragraph(f"Costs about {cost} machine-minutes, {MINUTES} minutes for each step.")
    yield from ("", "The queue")
    yield from _form(e)
    yield from ("", "Create it: a role, an image with bash and a bucket of yours for ROLE, IMAGE and BUCKET")
    for each in setup(e.config):
        into = (each[2], "quotaShareArn") if each[0] == "create-quota-share" else _INTO.get(each[0], ("", ""))
        yield from _command(each, *into)
    yield from _payloads(e)
    yield from ("", "Do this")
    for number, move in enumerate(e.moves, 1):
        yield from entry(f"{number:>4}", f"{_when(e, number - 1)}{words(move.event)}")
        typed = command(move.event)
        yield from _command(typed, move.event.job, "jobId") if isinstance(move.event, ev.Submit) else _command(typed)
        if not typed:
            yield from paragraph(_nobody(move.event))
    yield from ("", "Look at")
    for look, job in e.places:
        when = "at once" if look % 2 == 0 else "when nothing has changed for five minutes"
        yield from entry("", f"{job} after step {look // 2 + 1}, {when}")
        for choice, shown in e.shown.items():
            yield from paragraph(f"{job} is {shown[look, job]}: {e.code}={choice}", INDENT + 4)
    if e.assumes:
        yield from paragraph(_otherwise(e), INDENT + 4)
    yield from _command(["describe-service-job", "--job-id", f"${e.places[0][1]}", "--query",
                         "'[status,statusReason,preemptionSummary.preemptedAttemptCount]'"])  # fmt: skip
    yield from ("", "Read what happened, and what it says of this and other open questions")
    folder = f"{e.code.lower()}-history"
    yield from (
        f"{'':{INDENT}}{typed}" for typed in (f"quotaproof pull {QUEUE} --out {folder}", f"quotaproof audit {folder}")
    )
    yield from ("", "Afterwards terminate the jobs that are left; delete shares, queue, policy and environment.")


def _otherwise(e: Experiment) -> str:
    """What it means when none of the outcomes is seen."""
    first = [code for code in e.assumes if code in STARTS]
    text = "any other outcome: what it takes for granted does not hold"
    return f"{text}; run --experiment for {listed(first)} first" if first else text


def _form(e: Experiment) -> Iterator[str]:
    form = own_form(e.config)
    units = ", ".join(f"{u}: {n}" for u, n in form["environment"].items())
    yield from (f"{'':{INDENT}}{line}" for line in (f"quotaproof: {form['quotaproof']}", f"queue: {form['queue']}",
                                                    f"environment: {{{units}}}", "shares:"))  # fmt: skip
    for share in form["shares"]:
        limits = ", ".join(f"{u}: {n}" for u, n in share["limits"].items())
        fields = [f"name: {share['name']}", f"limits: {{{limits}}}", f"strategy: {share['strategy']}"]
        fields += [f"borrowLimit: {share['borrowLimit']}"] if "borrowLimit" in share else []
        fields += ["inSharePreemption: true"] if share["inSharePreemption"] else []
        yield f"{'':{INDENT}}- {{{', '.join(fields)}}}"


def _payloads(e: Experiment) -> Iterator[str]:
    ends = any(isinstance(m.event, ev.Finish) for m in e.moves)
    sizes = {next(iter(m.event.size.items())) for m in e.moves if isinstance(m.event, ev.Submit)}
    for number, (unit, size) in enumerate(sorted(sizes, key=lambda s: s[1])):
        if number:
            yield from paragraph(f"job-{size}.json: the same with InstanceCount {size}")
            continue
        yield from paragraph(f"job-{size}.json:")
        text = textwrap.wrap(
            payload(unit, size, ends=ends), WIDTH - INDENT - 2, break_long_words=False, break_on_hyphens=False
        )
        yield from (f"{'':{INDENT + 2}}{line}" for line in text)


def _command(typed: list[str], into: str = "", query: str = "") -> Iterator[str]:
    if typed:
        yield from (f"{'':{INDENT}}{line}" for line in lines(typed, WIDTH - INDENT, into=into, query=query))


def _when(e: Experiment, index: int) -> str:
    """When the move at `index` is made."""
    match e.moves[index].when:
        case When.STOPPING:
            return "Within a minute, while what was told to stop still stops: "
        case When.SCHEDULED:
            return "At once, while what was dispatched last is still SCHEDULED: "
        case _:
            return "When nothing has changed for five minutes: " if index else ""


def _nobody(event: ev.Event) -> str:
    if isinstance(event, ev.Finish):
        return "Nothing to do: its script ends by itself 30 seconds after it was told to stop."
    return (
        "Nobody can order this: it happens where SageMaker lacks machines. Take a type that is scarce in your Region."
    )
