"""The command line. `main` is the script; `run` is the same for callers in Python: arguments in, exit code out.

One file per command, with heavy imports inside the command, so that --help needs neither solver nor pydantic. Whatever
goes wrong ends here: unusable input is one message and exit 2, a failure of our own is a report file and exit 70.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

UNUSABLE = 2
CRASHED = 70
INTERRUPTED = 130
REDACT = "--redact"
"""Also messages and crash reports keep to it, so it is looked for before it is parsed."""


def main() -> None:
    """Run the command line of this process and leave it with the command's exit code.

    Everything is written by then; taking a hundred thousand small objects down one by one would only take time.
    """
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run one command. Never raises; exit code 1 is only ever a verdict."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # the last resort: nothing may end as a traceback
        from .crash import report

        report(error, arguments, redact=REDACT in arguments)
        return CRASHED


def _run(arguments: Sequence[str]) -> int:
    from typer.exceptions import Abort, TyperException

    from .app import command
    from .output import Unusable, complain, finish

    try:
        result = command().main(args=list(arguments), prog_name="quotaproof", standalone_mode=False)
        code = result if isinstance(result, int) else 0
    except Unusable as error:
        complain(str(error), redact=REDACT in arguments)
        code = UNUSABLE
    except Abort:
        code = INTERRUPTED
    except TyperException as error:
        complain(_with_hint(error.format_message(), error), redact=REDACT in arguments)
        code = UNUSABLE
    except SystemExit as stop:
        # the help text met a closed pipe: that is the reader's choice, not an error
        code = 0 if isinstance(stop.__context__, BrokenPipeError) else int(stop.code or 0)
    finish()
    return code


def _with_hint(message: str, error: object) -> str:
    """Name the command and its help, where the error knows them; a help text is left as it is."""
    path = getattr(getattr(error, "ctx", None), "command_path", "")
    return message if not path or message.startswith("Usage") else f"{path}: {message} See `{path} --help`"
