"""`quotaproof play`: the server as a process of its own, asked as a browser asks and as one that means harm; and --text."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..support.served import Served, served


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("play")) as server:
        yield server


# how it is reached


def test_it_says_where_the_page_is_in_one_line(page: Served):
    assert page.said == f"play    http://127.0.0.1:{page.port}/  (Ctrl-C ends it)\n"


def test_the_page_and_its_files_are_served_with_their_types(page: Served):
    for path, kind in (("/", "text/html"), ("/assets/play.js", "text/javascript"), ("/assets/play.css", "text/css")):
        answer = page.ask(path)
        assert (answer.status, answer.headers["content-type"].split(";")[0]) == (200, kind), path


def test_nothing_may_be_loaded_but_from_this_server(page: Served):
    for path in ("/", "/assets/play.js", "/api/menu", "/nothing"):
        headers = page.ask(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1", "", "[::1]:{port}"]
)
def test_another_name_for_this_machine_is_refused(page: Served, host: str):
    for path in ("/", "/api/menu"):
        answer = page.ask(path, Host=host.format(port=page.port))
        assert (answer.status, answer.form["where"]) == (403, "Host")


def test_localhost_is_this_machine(page: Served):
    assert page.ask("/", Host=f"localhost:{page.port}").status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_another_page_is_refused(page: Served, origin: str):
    answer = page.ask("/api/cut", {}, Origin=origin.format(port=page.port))
    assert (answer.status, answer.form["where"]) == (403, "Origin")
    assert page.ask("/api/menu", Sec_Fetch_Site="cross-site").status == 403


def test_its_own_page_is_answered(page: Served):
    own = f"http://127.0.0.1:{page.port}"
    assert page.ask("/api/menu", Origin=own, Sec_Fetch_Site="same-origin").status == 200


def test_a_link_to_the_page_may_stand_anywhere(page: Served):
    assert page.ask("/", Sec_Fetch_Site="cross-site").status == 200


@pytest.mark.parametrize("path", [
    "/assets/../server.py", "/assets/..%2fserver.py", "/assets/%2e%2e/server.py", "/assets/..%5cserver.py", "/assets/",
    "/assets//etc/passwd", "/assets/%2fetc%2fpasswd", "/assets/play.html%00.js", "/assets/PLAY.html", "/assets", "//",
    "/api", "/api/scenario/..%2f..%2fpyproject.toml", "/docs", "/api/menu/",
])  # fmt: skip
def test_only_files_of_the_page_are_served_by_their_exact_names(page: Served, path: str):
    answer = page.ask(path)
    assert answer.status in (404, 422)
    assert set(answer.form) == {"what", "where", "why", "fix"}


def test_what_is_too_large_is_refused_with_a_sentence(page: Served):
    answer = page.ask("/api/play", b"[" * ((8 << 20) + 1))
    assert (answer.status, answer.form["what"]) == (413, "it is larger than 8 MiB")


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/"), ("GET", "/api/play"), ("DELETE", "/api/menu"), ("PUT", "/api/cut")]
)
def test_another_method_is_refused_with_a_sentence(page: Served, method: str, path: str):
    assert page.send(method, path, None, {}).form["what"] == "it is asked in another way"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"1", b"\xff", b'{"game": NaN}', b'{"game": 1, "game": 2}', b"[" * 5000]
)
def test_what_is_no_object_of_json_is_refused_with_a_sentence(page: Served, body: bytes):
    answer = page.ask("/api/play", body)
    assert answer.status == 422
    assert all(answer.form[part] for part in ("what", "where", "why", "fix"))


# how it ends


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_when_it_is_told_to(tmp_path: Path, number: signal.Signals):
    with served(tmp_path) as server:
        assert server.ask("/").status == 200
        server.process.send_signal(number)
        out, err = server.process.communicate(timeout=10)
        assert (server.process.returncode, out, err) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_one_message(page: Served, quotaproof):
    ran = quotaproof("play", "--no-open", "--port", str(page.port))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert f"--port: 127.0.0.1:{page.port} cannot be listened on" in ran.err


def test_without_the_extra_it_says_how_to_install_it(quotaproof, monkeypatch):
    import sys

    for name in [m for m in sys.modules if m.startswith("quotaproof.checker.teach.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    ran = quotaproof("play", "--no-open")
    assert ran.code == 2
    assert "pip install 'quotaproof[serve]'" in ran.err
    assert "quotaproof play --text" in ran.err
