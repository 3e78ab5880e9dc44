"""The typer application: which commands there are, in which groups, and the options of the program itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from . import audit, conform, explain, plan, play, pull, replay, simulate, status, verify, why

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Your queue": ("verify", "plan", "simulate", "audit", "why", "status", "pull"),
    "Your scheduler": ("conform", "replay"),
    "Learn": ("play", "explain"),
}


class Grouped(TyperGroup):
    """A command list in `GROUPS`; every command must be in one."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        for title, names in GROUPS.items():
            shown = [(name, self.commands[name].get_short_help_str(200)) for name in names]
            with formatter.section(title):
                formatter.write_dl(shown)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        from ..results import SPEC_VERSION
        from .output import show

        show(f"quotaproof {version('quotaproof')}, spec {SPEC_VERSION}\n")
        raise typer.Exit


app = typer.Typer(
    cls=Grouped,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Proves, tests and teaches the promises of AWS Batch quota shares."""


app.command("verify")(verify.verify)
app.command("plan")(plan.plan)
app.command("simulate")(simulate.simulate)
app.command("audit")(audit.audit)
app.command("why")(why.why)
app.command("status")(status.status)
app.command("pull")(pull.pull)
app.command("conform")(conform.conform)
app.command("replay")(replay.replay)
app.command("play")(play.play)
app.command("explain")(explain.explain)


def command() -> Any:
    """The application as one command object, without typer's own exception hook."""
    return typer.main.get_command(app)
