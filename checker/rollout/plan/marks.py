"""By what a folder that a plan was written to is known."""

from __future__ import annotations

README = "README.md"
MARK = "<!-- a plan of quotaproof -->"
"""A line of the README by which a plan's folder is known; what is to be said first goes below it."""
