"""Lessons: small plays with a question before the step that surprises, one file each.

`model` says what a lesson is, `read` reads the files, `shelf` knows them all. `check` plays every answer on the
reference, `forms` is what the page is given, `terminal` asks in a terminal, `handout` prints.
"""

from .forms import answered, as_json, game_at, listed
from .shelf import lesson, lessons

__all__ = ["answered", "as_json", "game_at", "lesson", "lessons", "listed"]
