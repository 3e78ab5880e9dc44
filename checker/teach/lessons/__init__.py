"""Lessons: small plays with a question before the step that surprises, one file each.

`lesson` says what a lesson is, `read` reads the files, `shelf` knows them all. `check` plays every answer on the
reference, `forms` is what the page is given, `terminal` asks in a terminal, `handout` prints.
"""
