"""The pytest plugin: `pytest --quotaproof-backend BACKEND` asks a scheduler for every scenario of the corpus, one test each.

With `--quotaproof-seed N` generated scenarios follow. The fixture `quotaproof_judge` judges what one's own test saw. pytest
loads this module in every project where quotaproof is installed: it imports nothing until it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .suite import Asked

_KEY: pytest.StashKey[Asked] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("quotaproof", "quota shares: does a scheduler obey lend and borrow?")
    group.addoption("--quotaproof-backend", metavar="BACKEND", default="",
                    help="Test this scheduler: cmd:COMMAND, module:attribute, or reference.")  # fmt: skip
    group.addoption("--quotaproof-profile", metavar="NAME", default="",
                    help="What is asked of it; if nothing is said, what it is made for, else aws-batch.")  # fmt: skip
    group.addoption("--quotaproof-seed", metavar="N", type=int, default=None,
                    help="Try generated scenarios too, those of this seed.")  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Open the backend, where one is asked for."""
    if config.getoption("--quotaproof-backend") and not config.getoption("--help"):
        from .suite import asked

        config.stash[_KEY] = asked(config)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """The scenarios are tests after all others; -k and -m select among them as always."""
    if _KEY in config.stash:
        from .suite import Suite

        items.extend(Suite.from_parent(session, name="quotaproof", asked=config.stash[_KEY]).collect())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What was tested, and which promises say nothing about it."""
    if _KEY in config.stash:
        terminalreporter.section("quotaproof")
        for line in config.stash[_KEY].summary():
            terminalreporter.write_line(line)


@pytest.fixture
def quotaproof_judge() -> Callable[..., object]:
    """`assert_obeys`: judge a queue and what a scheduler did with it, as observations in their order."""
    from .asserting import assert_obeys

    return assert_obeys
