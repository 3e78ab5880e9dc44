"""QP310 to QP312 of a plan. Its other findings are those of `checker.findings` about the new configuration."""

from __future__ import annotations

from ...planned import LOSSES, NUMBERS, Direction, Giving, ShareChange
from ...results import Finding, Severity
from .order import Order


def weaker(share: ShareChange) -> Finding:
    """The share has less of something than before."""
    shown = [u for u in share.units if u.witness or u.shows]
    body = [u.shows + "." for u in shown]
    if share.in_share is Direction.INCOMPARABLE:
        body.append("In-share preemption changes: what high priorities gain, low ones lose.")
    rests = dict.fromkeys(choice for u in share.units for choice in u.rests)
    body += [f"The verdict is another with {', '.join(rests)}."] if rests else []
    return Finding(
        "QP310",
        Severity.NOTE,
        f"{share.share} {_title(share)}",
        place=share.place,
        body=tuple(body),
        share=share.share,
        witness=next((u.witness for u in shown if u.witness), ""),
    )


def _title(share: ShareChange) -> str:
    if share.direction is Direction.GONE:
        return "is gone"
    parts = [
        f"{NUMBERS[name]} {getattr(u.before, name)} -> {getattr(u.after, name)} {u.unit}"
        for u in share.units
        for name, changes in u.quantities.items()
        if changes in LOSSES
    ]
    gains = [
        f"{NUMBERS[name]} {getattr(u.before, name)} -> {getattr(u.after, name)} {u.unit}"
        for u in share.units
        for name, changes in u.quantities.items()
        if changes is Direction.STRONGER
    ]
    parts += ["is disabled"] if share.state is Direction.WEAKER else []
    more = f" and {len(parts) - 3} more" if len(parts) > 3 else ""
    said = f": {', '.join(parts[:3])}{more}" if parts else ""
    said += f"; more: {', '.join(gains[:3])}{f' and {len(gains) - 3} more' if len(gains) > 3 else ''}" if gains else ""
    how = "has less of some and more of other things" if share.direction is Direction.INCOMPARABLE else "has less"
    return f"{how}{said}"


def no_order(order: Order) -> Finding:
    """No order of the requests is safe, or none was found."""
    title = "no order of the requests keeps everybody safe in between"
    if not order.exhausted:
        title = "no order of the requests was found that keeps everybody safe in between; there may be one"
    if order.undecided:
        title = "whether an order of the requests keeps everybody safe in between was not decided"
    return Finding("QP311", Severity.WARNING, title, body=order.why,
                   fix="change less at a time, or accept what is said above for the time between two requests")  # fmt: skip


def not_given(found: Giving) -> Finding:
    """No way gives what is asked for and keeps every promise."""
    body = [f'{s.code} is in the way{f" (owner {s.owner})" if s.owner else ""}: "{s.says}"' for s in found.in_the_way]
    how = "without breaking a promise" if found.in_the_way else "by a change of limits"
    return Finding(
        "QP312",
        Severity.ERROR,
        f"{found.share} cannot be given {found.wanted} {found.unit} {how}",
        body=(f"{found.none[0].upper()}{found.none[1:]}.", *body),
        fix="ask the owners of these promises" if found.in_the_way else "ask for less, or get more machines",
        share=found.share,
        unit=found.unit,
    )
