"""Plays as the page's address carries them, and the ones that the tests start from."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any
from urllib.parse import urlsplit

from . import web

Form = dict[str, Any]
G5 = "ml.g5.xlarge"


def link(url: str, game: Form, at: int | None = None) -> str:
    """The page at `url` with this play in its address."""
    text = json.dumps({"v": 1, "at": at, "game": game}).encode()
    deflated = zlib.compressobj(9, wbits=-15)
    packed = deflated.compress(text) + deflated.flush()
    return f"{url}#play=z{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def linked(url: str) -> Form:
    """What an address carries: `v`, `game` and `at`; deflated (z), or as it is (j)."""
    fragment = urlsplit(url).fragment.removeprefix("play=")
    form, text = fragment[0], fragment[1:]
    packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    found: Form = json.loads(packed if form == "j" else zlib.decompress(packed, wbits=-15))
    return found


def game(name: str, shares: list[Form], capacity: int, *moves: Form, **more: Any) -> Form:
    """A play of a queue of one unit."""
    queue = {"quotaproof": 1, "queue": name, "environment": {G5: capacity}, "shares": shares}
    return {"play": 1, "name": name, "queue": queue, "moves": list(moves), **more}


def share(name: str, limit: int, strategy: str, **more: Any) -> Form:
    """A share as the own form writes it."""
    return {"name": name, "limits": {G5: limit}, "strategy": strategy, **more}


def submit(job: str, to: str, n: int = 1, priority: int = 0) -> Form:
    """Somebody submits a job."""
    return {"submit": job, "share": to, "size": {G5: n}, "priority": priority}


def walkthrough(*moves: Form) -> Form:
    """AWS's three shares of one machine each."""
    return game(
        "walkthrough",
        [
            share("QS1", 1, "LEND_AND_BORROW", borrowLimit=200, inSharePreemption=True),
            share("QS2", 1, "LEND", inSharePreemption=False),
            share("QS3", 1, "RESERVE", inSharePreemption=False),
        ],
        3,
        *moves,
    )


def hostile() -> Form:
    """Jobs whose names are markup: one runs, one drains for a third, one waits."""
    more = [submit(f"{web.HOSTILE}{i}", "QS1", priority=i) for i in (1, 2, 3)]
    return walkthrough(*more, {"settle": "all"}, submit(web.HOSTILE, "QS2"), {"tick": 1})


def crowded(jobs: int = 200, shares: int = 10) -> Form:
    """Many jobs that wait for a few machines, and the first steps of a scheduler."""
    names = [f"team-{i:02}" for i in range(shares)]
    given = [share(name, 8, "LEND_AND_BORROW", borrowLimit=100) for name in names]
    submitted = [submit(f"job-{i:03}", names[i % shares], 1 + i % 3, i % 7) for i in range(jobs)]
    return game("crowded", given, 8 * shares, *submitted, {"tick": 1})
