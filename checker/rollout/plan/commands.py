"""Edits in an order, as commands of the AWS CLI and as a folder that holds what they send. Nothing is ever executed.

Names and numbers come from outside and are data: a command is quoted for a POSIX shell, whole requests go into JSON files
beside it, and what the folder's README says of them is escaped. Trusted: `shlex.join`, and that the CLI takes a request
as `spec.changes.Edit` has it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....spec import events as ev
from ....spec.changes import Edit, Verb
from ....spec.formats.changes import Arns
from ....spec.formats.changes.arns import NO_NAME, is_placeholder
from ....spec.model import Strategy
from ...report.markdown import escaped
from .marks import MARK, README

_OPTIONS = {"quotaShareArn": "--quota-share-arn", "serviceEnvironment": "--service-environment", "state": "--state"}
"""Requests of these fields alone need no file."""


@dataclass(frozen=True)
class Command:
    """One request as a command, in its place in the order."""

    number: int
    """From 1."""
    edit: Edit
    words: tuple[str, ...]
    file: str = ""
    """Name of the file that holds the request; '' where options do."""
    ends: str = ""
    """Which jobs it ends, and how to see them before; '' where it ends none."""
    wait: str = ""
    """What has to be so before the next command; '' when nothing has."""

    @property
    def line(self) -> str:
        """For a POSIX shell, to be run in the folder."""
        return shlex.join(self.words)

    @property
    def short(self) -> str:
        """The same for a screen, with the ARN's end only. Not for a shell."""
        words = [
            f"...:quota-share/{w.rsplit('/', 1)[-1]}" if w.startswith("arn:") else shlex.quote(w) for w in self.words
        ]
        return " ".join(words)

    @property
    def body(self) -> str:
        """What the file holds."""
        return f"{json.dumps(self.edit.request, indent=2)}\n"


def commands(edits: Sequence[Edit]) -> tuple[Command, ...]:
    """The commands, in the order of the edits."""
    return tuple(_command(number, edit) for number, edit in enumerate(edits, 1))


def _command(number: int, edit: Edit) -> Command:
    words = ["aws", "batch", edit.verb.value]
    if set(edit.request) <= set(_OPTIONS):
        for field, value in edit.request.items():
            words += [_OPTIONS[field], str(value)]
        return Command(number, edit, tuple(words), ends=_ends(number, edit), wait=_wait(edit))
    file = f"{number}-{edit.subject}.json"
    return Command(number, edit, (*words, "--cli-input-json", f"file://{file}"), file)


def _ends(number: int, edit: Edit) -> str:
    """Deleting a share ends its jobs (rule 51)."""
    if edit.verb is not Verb.DELETE:
        return ""
    queue, _, share = edit.request["quotaShareArn"].rpartition(":job-queue/")[2].partition("/quota-share/")
    chosen = f"name=QUOTA_SHARE_NAME,values={share or edit.subject}"
    shows = ("aws", "batch", "list-service-jobs", "--job-queue", queue, "--job-status", "RUNNING", "--filters", chosen)
    return f"step {number} ends the jobs of {edit.subject} that still run (rule 51): `{shlex.join(shows)}` shows them"


def _wait(edit: Edit) -> str:
    if edit.verb is Verb.DELETE:
        describe = shlex.join(
            ("aws", "batch", "describe-quota-share", "--quota-share-arn", edit.request["quotaShareArn"])
        )
        return f"wait until `{describe}` says it does not exist"
    return ""


def folder(
    given: Sequence[Command],
    arns: Arns,
    *,
    about: Sequence[str] = (),
    remarks: Mapping[int, Sequence[str]] | None = None,
) -> dict[str, str]:
    """Name -> text of every file of the folder. `about` opens its README; `remarks` stand at a command, by its number:
    when it may be run, who has to know."""
    said = remarks or {}
    lines = [
        f"# Change of {escaped(arns.queue)}",
        "",
        MARK,
        "",
        *(escaped(line) for line in about),
        *([""] if about else []),
    ]
    requests = "1 request" if len(given) == 1 else f"{len(given)} requests"
    lines += [
        f"{requests} to AWS, in the order in which they are to be sent. Run each in this folder, and the next one only when "
        "the one before has its effect: `describe-quota-share` and `describe-service-environments` show status VALID.",
        "",
    ]
    if any(is_placeholder(c.edit.request.get("quotaShareArn", "")) for c in given):
        listing = shlex.join(("aws", "batch", "list-quota-shares", "--job-queue", arns.queue))
        lines += [
            "**REGION and ACCOUNT are placeholders**: no file gave the ARNs of the shares. Replace both words, here and in "
            f"the files; `{listing} --query 'quotaShares[].quotaShareArn'` shows the ARNs.",
            "",
        ]
    if any(is_placeholder(c.edit.request.get("serviceEnvironment", "")) for c in given):
        described = shlex.join(("aws", "batch", "describe-job-queues", "--job-queues", arns.queue))
        lines += [
            f"**{NO_NAME} is a placeholder**: no file gave the name of the service environment. Replace it, here and in the "
            f"files; `{described} --query 'jobQueues[].serviceEnvironmentOrder'` shows it.",
            "",
        ]
    for command in given:
        lines += [f"## {command.number}. {escaped(what(command.edit))}", ""]
        asked = [f"Asked for in {command.edit.place}."] if command.edit.place else []
        needed = [f"Needed because {command.edit.why}."] if command.edit.why else []
        lines += [escaped(line) for line in (*asked, *needed, *said.get(command.number, ()))]
        lines += ["", f"{command.ends[0].upper()}{command.ends[1:]}."] if command.ends else []
        lines += ["", "```sh", command.line, "```", ""]
        if command.wait:
            lines += [f"Then {command.wait}.", ""]
    return {README: "\n".join(lines), **{c.file: c.body for c in given if c.file}}


def what(edit: Edit) -> str:
    """What the request does, in a few words: foundation: limits 12 ml.p5.48xlarge."""
    return f"{edit.subject}: {', '.join(_words(event) for event in edit.events)}"


def _words(event: ev.AdministratorEvent) -> str:
    match event:
        case ev.SetLimits():
            return f"limits {_amounts(event.limits)}"
        case ev.SetCapacity():
            return f"capacity {_amounts(event.capacity)}"
        case ev.SetSharing():
            return _sharing(event.strategy, event.borrow_limit)
        case ev.SetInShare():
            return f"in-share preemption {'on' if event.enabled else 'off'}"
        case ev.SetShareState() | ev.SetEnvironmentState() | ev.SetQueueState():
            return "enable" if event.state == "ENABLED" else "disable"
        case ev.CreateShare():
            return f"new, {_amounts(event.share.limits)}, {_sharing(event.share.strategy, event.share.borrow_limit)}"
        case ev.DeleteShare():
            return "delete"


def _sharing(strategy: Strategy, borrow: int | None) -> str:
    if borrow is None:
        return strategy.value
    return f"{strategy} no max" if borrow == -1 else f"{strategy} {borrow} %"


def _amounts(amounts: Mapping[str, int]) -> str:
    return " and ".join(f"{count} {unit}" for unit, count in amounts.items())
