"""The server of the page: the files of `assets`, and the API as JSON over HTTP, for one person on this machine.

What a request means is `Api`'s to say; here is only how it travels. The server listens on loopback, answers nobody who
calls it by another name or comes from another page, keeps nothing, and says whatever goes wrong as {what, where, why,
fix}. So that the page is there at once, nothing of the engine is imported before the first work of the thread that plays.
Trusted: Starlette and uvicorn; nothing that a request contains.
"""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from .api import Api

HOST = "127.0.0.1"
LARGEST_BODY = 8 << 20
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

Crashed = Callable[[Exception], object]
"""What is done about a failure of our own; the answer is where the report of it is, if anywhere."""


def listening(port: int) -> socket.socket:
    """A socket that listens on loopback; `port` 0 for any that is free. Raises OSError."""
    made = socket.socket(
        socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )  # asyncio sends at once only where it is TCP
    try:
        if sys.platform != "win32":  # where it would let two servers share a port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HOST, port))
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made


def serve(load: Callable[[], Api], listens: socket.socket, crashed: Crashed) -> None:
    """Answer until the process is interrupted or told to end."""
    port = listens.getsockname()[1]
    config = uvicorn.Config(
        application(load, port, crashed), http="h11", ws="none", loop="asyncio", lifespan="off", log_config=None,
        log_level="critical", access_log=False, proxy_headers=False, server_header=False, timeout_graceful_shutdown=1,
    )  # fmt: skip
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # uvicorn raises the signal that ended it once more
        uvicorn.Server(config).run([listens])


_Answer = Callable[["Api", Mapping[str, str], dict[str, Any]], Any]
"""From the API, what the path names and the body to what is answered."""
_ROUTES: tuple[tuple[str, str, _Answer], ...] = (
    ("GET", "/api/menu", lambda api, _, __: api.menu()),
    ("POST", "/api/play", lambda api, _, body: api.play(body)),
    ("POST", "/api/cut", lambda api, _, body: api.cut(body)),
    ("POST", "/api/job", lambda api, _, body: api.job(body)),
    ("POST", "/api/open", lambda api, _, body: api.open(body)),
    ("POST", "/api/save", lambda api, _, body: api.save(body)),
    ("GET", "/api/lessons/{number}", lambda api, named, _: api.lesson(named["number"])),
    ("POST", "/api/lessons/{number}/answer", lambda api, named, body: api.answer(named["number"], body)),
    ("GET", "/api/scenario/{name}", lambda api, named, _: api.scenario(named["name"])),
    ("GET", "/api/explain/{code}", lambda api, named, _: api.explain(named["code"])),
)


def application(load: Callable[[], Api], port: int, crashed: Crashed) -> ASGIApp:
    """The whole as an ASGI application, for whoever calls it by the address of `port`.

    The page is there at once; `load` is called beside that, and whoever asks the API waits for it.
    """
    worker = ThreadPoolExecutor(1, "play")
    loaded = worker.submit(load)

    def endpoint(method: str, answer: _Answer) -> Callable[[Request], Awaitable[Response]]:
        async def answered(request: Request) -> Response:
            sent = await _body(request) if method == "POST" else b"{}"

            def work() -> Response:
                from ...spec.formats.errors import InputError

                try:
                    return _json(encoded(answer(loaded.result(), request.path_params, _form(sent))))
                except InputError as error:
                    from .plays import Unfinished

                    status = 503 if isinstance(error, Unfinished) else 422
                    return _refused(status, error.what, error.where, error.why, error.fix)

            return await asyncio.get_running_loop().run_in_executor(worker, work)

        return answered

    def page(_: Request) -> Response:
        return _asset("play.html")

    def asset(request: Request) -> Response:
        return _asset(request.path_params["name"])

    routes = [Route("/", page), Route("/assets/{name}", asset)]
    routes += [Route(path, endpoint(method, answer), methods=[method]) for method, path, answer in _ROUTES]

    async def failed(_: Request, error: Exception) -> Response:
        report = crashed(error)
        return _refused(500, f"quotaproof itself failed ({type(error).__name__})", "server",
                        f"A report was written: {report}" if report else "No report could be written.",
                        "send the report; your play is not lost, go back a step and on another way.")  # fmt: skip

    inner = Starlette(routes=routes, exception_handlers={HTTPException: _http_error, Exception: failed})
    inner.router.redirect_slashes = False
    return _Guarded(inner, port)


class _Guarded:
    """Answers only what was asked of this address, by no page or by its own, and adds the headers to every answer."""

    def __init__(self, inner: ASGIApp, port: int) -> None:
        self._inner = inner
        self._hosts = {f"{HOST}:{port}", f"localhost:{port}"}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            given.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *((k.encode(), v.encode()) for k, v in _HEADERS.items())]
            await send(message)

        with suppress(
            Exception
        ):  # whoever asked has gone away, or has been told what failed: Starlette raises it again
            await (self._refusal(given, scope["path"]) or self._inner)(scope, receive, with_headers)

    def _refusal(self, given: Mapping[str, list[str]], path: str) -> Response | None:
        if len(hosts := given.get("host", [])) != 1 or hosts[0] not in self._hosts:
            what = "this server is known by another address"
            return _refused(403, what, "Host", "Another name for it could be that of somebody else's page.",
                            f"open http://{min(self._hosts)}/")  # fmt: skip
        foreign = set(given.get("origin", [])) - self._origins
        if foreign or (path != "/" and {"cross-site", "same-site"} & set(given.get("sec-fetch-site", []))):
            return _refused(403, "another page asks", "Origin", "Only the page that this server serves may ask it.",
                            f"open http://{min(self._hosts)}/")  # fmt: skip
        return None


async def _body(request: Request) -> bytes:
    """Raises HTTPException when it is larger than allowed."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            raise HTTPException(413)
        parts.append(part)
    return b"".join(parts)


def _form(body: bytes) -> dict[str, Any]:
    """The object in a body. Raises InputError."""
    from ...spec.formats import json_text
    from ...spec.formats.errors import InputError

    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", where="request", why="The API reads JSON in UTF-8.",
                         fix="send JSON.") from None  # fmt: skip
    value = json_text.parse("request", text).value
    if not isinstance(value, dict):
        raise InputError("it is no object", where="request", why="What is asked stands in an object.",
                         fix="send an object, such as {\"game\": {...}}.")  # fmt: skip
    return value


def encoded(answer: Any) -> bytes:
    """An answer as JSON; a dataclass is the object of its fields."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"), default=vars).encode(
        "utf-8", "backslashreplace"
    )


def _json(content: bytes, status: int = 200) -> Response:
    return Response(content, status, media_type="application/json")


def _refused(status: int, what: str, where: str, why: str, fix: str) -> Response:
    return _json(encoded({"what": what, "where": where, "why": why, "fix": fix}), status)


async def _http_error(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    match status:
        case 413:
            return _refused(413, f"it is larger than {LARGEST_BODY >> 20} MiB", "request",
                            "A play is a queue and some moves; a file that is opened can be some megabytes.",
                            "open it with `quotaproof play FILE`, a part of it with --since and --until.")  # fmt: skip
        case 405:
            return _refused(405, "it is asked in another way", "request", "Each address is either read or sent something.",
                            "reload the page.")  # fmt: skip
        case _:
            return _refused(status, "there is nothing at this address", "request", "The page and its API are all there is.",
                            "open the address that `quotaproof play` has written.")  # fmt: skip


def _asset(name: str) -> Response:
    for file in files(__package__ or "").joinpath("assets").iterdir():
        if file.name == name and file.is_file():
            return Response(file.read_bytes(), media_type=_TYPES.get(f".{name.rpartition('.')[2]}", "text/plain"))
    raise HTTPException(404)
