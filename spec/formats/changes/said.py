"""Who said what about each field: two requests that give one field two values are refused. Trusted: nothing."""

from __future__ import annotations

from ...model import QuotaShare
from ..document import Pointer
from ..items import Spot


class Said:
    """The values that were asked for so far, as messages show them; a share of '' is the environment."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], tuple[str, str]] = {}

    def record(self, share: str, field: str, value: str, place: str) -> tuple[str, str]:
        """Take a value; the one that was there before it, or itself, and who gave that."""
        return self._values.setdefault((share, field), (value, place))

    def agree(self, share: str, field: str, value: str, spot: Spot, path: Pointer) -> None:
        """Take a value that stands in a file. Raises InputError when another one was asked for."""
        before, by = self.record(share, field, value, spot.place(path))
        if before != value:
            subject = f"share {share}" if share else "the environment"
            raise spot.error(
                path,
                f"two requests give {field} of {subject} two values: {before} and {value}",
                why=f"The other is at {by}, and the order of files is no decision.",
                fix="keep one of the two.",
            )

    def forget(self, share: str) -> None:
        """A share that is deleted may come again as another."""
        self._values = {key: said for key, said in self._values.items() if key[0] != share}


def counted(count: int | None) -> str:
    return "none" if count is None else str(count)


def percent(percent: int | None) -> str:
    return "none given" if percent is None else "no maximum" if percent == -1 else f"{percent} %"


def fields(share: QuotaShare) -> dict[str, str]:
    """What a create request says of each field."""
    return {
        **{f"limit of {unit}": counted(count) for unit, count in share.limits.items()},
        "strategy": share.strategy.value,
        "borrowLimit": percent(share.borrow_limit),
        "inSharePreemption": share.preemption_configuration.in_share_preemption.value,
        "state": share.state.value,
    }
