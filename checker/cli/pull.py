"""`quotaproof pull`: read a live queue into a folder that the other commands read. The only command that asks AWS."""

from __future__ import annotations

import math
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import Unusable, show, usable

if TYPE_CHECKING:
    from ..pull.pull import Pulled

_DAY = 24 * 3600 * 1000
_UNITS = {"m": 60 * 1000, "h": 3600 * 1000, "d": _DAY, "w": 7 * _DAY}


def pull(
    queue: Annotated[str, typer.Argument(metavar="QUEUE", help="The job queue's name or ARN.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="Folder to fill; a second pull adds to it.")],
    since: Annotated[
        str, typer.Option(metavar="TIME", help="How far back: 12h, 7d, 4w, or a date such as 2026-11-01.")
    ] = "7d",
    setup: Annotated[
        bool, typer.Option("--setup", help="Ask AWS nothing: write a template that keeps history from now on.")
    ] = False,
    region: Annotated[str | None, typer.Option(metavar="REGION", help="The queue's Region.")] = None,
    profile: Annotated[str | None, typer.Option(metavar="NAME", help="A profile of the AWS CLI.")] = None,
    rate: Annotated[float, typer.Option(metavar="N", help="Requests per second, at most.")] = 5.0,
) -> None:
    """Read a queue of AWS Batch into a folder: its configuration, its jobs, who asked what. Changes nothing.

    Exit code: 0 everything was read, 2 something could not be; what was read stays, and the next pull goes on.
    """
    if not (math.isfinite(rate) and rate > 0):
        raise Unusable(f"--rate: {rate} is not a number of requests per second above 0")
    now = int(datetime.now(UTC).timestamp() * 1000)
    begin = _moment(since, now)
    region = _region(queue, region)
    with usable():
        if setup:
            _write_setup(queue, out, region, profile)
            return
        done = _pull(queue, out, region, profile, rate, begin, now)
    show(_told(done, out))


def _pull(queue: str, out: Path, region: str | None, profile: str | None, rate: float, begin: int, now: int) -> Pulled:
    import json

    from ..pull import access
    from ..pull.failures import Denied
    from ..pull.folder import Folder
    from ..pull.pull import pull as read

    progress = Line()
    try:
        aws = access.connect(region=region, profile=profile, rate=rate)
        return read(aws, queue, Folder(out), since=begin, now=now, progress=progress)
    except Denied as error:
        policy = json.dumps(access.policy(), indent=2)
        raise Unusable(f"{error}\nThe whole IAM policy that pull needs:\n{policy}") from error
    finally:
        progress.end()


def _write_setup(queue: str, out: Path, region: str | None, profile: str | None) -> None:
    from ..pull import setup
    from ..pull.folder import Folder

    options = [f"--{name}={value}" for name, value in (("region", region), ("profile", profile)) if value]
    setup.write(Folder(out), queue, options)
    show(
        f"written  {out / setup.TEMPLATE_FILE}\n         {out / setup.README_FILE}\n\n"
        f"{setup.readme(queue, str(out), options)}"
    )


class Line:
    """How far a pull is, on one line of a terminal; nothing where standard error is none."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._long = 0

    def __call__(self, what: str, done: int, of: int) -> None:
        if self._shown:
            text = f"{done} of {of} {what}" if of else f"{done} {what}"
            sys.stderr.write(f"\r{text:<{self._long}}")
            sys.stderr.flush()
            self._long = len(text)

    def end(self) -> None:
        """Leave an empty line behind."""
        if self._long:
            sys.stderr.write(f"\r{'':<{self._long}}\r")
            self._long = 0


def _told(done: Pulled, out: Path) -> str:
    """What was read, and what lies where."""
    changed = ", changed since the last pull: the older one is kept" if done.changed else ""
    ended = done.jobs - done.described
    lines = [
        f"pulled  {done.queue}, {done.region}: from {_utc(done.since)} to {_utc(done.at)} UTC",
        "",
        f"{out}/*.json",
        f"    configuration     {_many(done.shares, 'quota share')}{changed}",
        f"{out}/history/",
        f"    jobs/             {_many(done.jobs, 'job')}, {done.described} described now"
        + (f", {ended} not again" if ended else ""),
        "    snapshots/        the queue's own view, one more",
        f"    cloudtrail/       {_many(done.requests, 'new request')}",
        "",
        "not kept: environment, hyperparameters and commands of jobs, roles, tags, addresses of callers",
        *(f"note: {note}" for note in done.notes),
        "note: AWS stores no events. They alone say when each stage of a job began; keep them from now on:",
        f"      quotaproof pull {done.queue} -o {out} --setup",
        f"next: quotaproof verify {out}; quotaproof audit {out}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _moment(text: str, now: int) -> int:
    """--since in milliseconds since 1970. Raises Unusable."""
    if span := re.fullmatch(r"([1-9][0-9]{0,4})([mhdw])", text.strip()):
        moment = now - int(span[1]) * _UNITS[span[2]]
    else:
        moment = _date(text)
    if not 0 <= moment < now:
        raise Unusable(f"--since: {text!r} is not in the past")
    return moment


def _date(text: str) -> int:
    """A date, or a date and a time, UTC unless it says otherwise. Raises Unusable."""
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise Unusable(
            f"--since: {text!r} is no time; write 12h, 7d, 4w, or a date such as 2026-11-01 or 2026-11-01T08:00Z"
        ) from None
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)


def _region(queue: str, region: str | None) -> str | None:
    """The Region of a queue given as ARN, unless another is asked for. Raises Unusable when the two contradict."""
    said = queue.split(":")[3] if queue.startswith("arn:") and queue.count(":") >= 5 else None
    if said and region and said != region:
        raise Unusable(f"--region: {region} is not the Region of {queue}")
    return region or said


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _utc(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
