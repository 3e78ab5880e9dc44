"""Never answers `start`."""

import signal

signal.pause()
