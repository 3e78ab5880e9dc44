"""Lessons: small plays with a question before the step that surprises, as files of their own."""
