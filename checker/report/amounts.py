"""Numbers and times as people read them: hours, durations, parts of a whole, instants."""

from __future__ import annotations

from ..audit.words import Scale
from ..measured import Range

HOURS = Scale("machine-hours", "h", 1)


def hours(n: float, scale: Scale = HOURS) -> str:
    """Machine-hours in this unit: whole ones from ten on."""
    n = scale.of_hours(n)
    return f"{n:,.0f}" if n >= 9.95 or n == 0 else f"{n:.1f}" if n >= 0.05 else "under 0.1"


def spread(r: Range, scale: Scale = HOURS) -> str:
    """From the lower to the higher end; one number where both read alike."""
    low, high = hours(r.low, scale), hours(r.high, scale)
    return low if low == high else f"{low} - {high}"


def percent(part: float, whole: float) -> str:
    """A part of a whole, in percent."""
    if not whole:
        return "-"
    share = 100 * part / whole
    return f"{share:.0f} %" if share >= 10 or share == 0 else f"{share:.1f} %"


def length(milliseconds: int) -> str:
    """How long a time is, in its largest units: 92 days, 3 h 31, 20 min, 41 s."""
    seconds = milliseconds // 1000
    if seconds >= 2 * 86400:
        return f"{seconds / 86400:.0f} days"
    if seconds >= 3600:
        return f"{seconds // 3600} h {seconds % 3600 // 60:02}"
    return f"{seconds // 60} min" if seconds >= 120 else f"{seconds} s"
