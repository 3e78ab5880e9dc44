"""Text from outside in Markdown. `escaped` is trusted: what goes through it is text, never markup, link or mention."""

from __future__ import annotations

import re

_MARKUP = re.compile(
    r"[\\`*\[\]|~$^]"
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"  # an underscore within a word is one
    r"|^(?:[-+](?![0-9])|=(?! +\S)|#)"  # the beginning of a list, a heading or a rule
)
_NUMBERED = re.compile(r"^([0-9]+)([.)])(?![0-9])")
_CALLS = re.compile(r"[@#](?=[A-Za-z0-9])|:(?=//)|www(?=\.)")
"""What makes a renderer link without any markup."""


def escaped(text: str) -> str:
    """Text that no Markdown renderer takes for anything else: no markup, no HTML, no address, no mention."""
    text = _NUMBERED.sub(r"\1\\\2", _MARKUP.sub(lambda m: f"\\{m.group()}", text.lstrip()))
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _CALLS.sub(lambda m: f"{m.group()}<!-- -->", text)
