"""`quotaproof play` as a process of its own, and requests to it that leave nothing to a library."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

SCRIPT = Path(sys.executable).with_name("quotaproof")


@dataclass(frozen=True)
class Answer:
    """What the server said."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def form(self) -> Any:
        return json.loads(self.body)


@dataclass
class Served:
    """A running server."""

    process: subprocess.Popen[str]
    said: str
    """The line that it began with."""
    port: int = field(init=False)

    def __post_init__(self) -> None:
        self.port = int(self.said.split("127.0.0.1:")[1].split("/")[0])

    def ask(self, path: str, body: object = None, **headers: str) -> Answer:
        """GET, or POST where there is a body: bytes as they are, all else as JSON."""
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        return self.send("GET" if body is None else "POST", path, sent, headers)

    def send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()


@contextmanager
def served(folder: Path, *arguments: str) -> Generator[Served]:
    """A server in `folder`, ended at the end."""
    with subprocess.Popen(
        [str(SCRIPT), "play", "--no-open", *arguments],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            yield Served(process, process.stdout.readline())
        finally:
            process.kill()
