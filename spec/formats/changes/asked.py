"""Requests to AWS, one after the other, to edits of one queue. What contradicts itself or the queue is an InputError.

`Asked` keeps the configuration as the requests so far leave it, and who said what about each field: two requests that
give one field two values are refused, because the order of files is no decision. Trusted: `after`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ... import events as ev
from ...changes import Edit, Verb, after
from ...model import NAME, QueueConfig, QuotaShare, ServiceEnvironment, State, Strategy
from ...readings import Readings
from .. import aws
from ..document import Pointer
from ..errors import listed, nearest, shown
from ..items import ShareItem, Spot
from . import requests
from .arns import NO_NAME, Arns, is_placeholder, parsed
from .difference import environment_events, share_events
from .said import Said, counted, fields, percent

_SENT = ("jobQueue", "tags")
"""What a create request says beside what a share is."""
_ENVIRONMENT_ARN = re.compile(r"arn:[a-z-]+:batch:[a-z0-9-]*:[0-9]*:service-environment/([^/]*)")
_SHARING = "resourceSharingConfiguration"


@dataclass
class Asked:
    """The requests so far."""

    config: QueueConfig
    """As they leave the queue."""
    arns: Arns
    readings: Readings
    edits: list[Edit] = field(default_factory=list[Edit])
    notes: list[str] = field(default_factory=list[str])
    quiet: frozenset[str] = frozenset()
    """Documents that were made from an option which names each limit that it takes away."""
    _said: Said = field(default_factory=Said)
    _deleted: dict[str, str] = field(default_factory=dict[str, str])
    """Share -> who deletes it."""

    def create(self, item: ShareItem, tree: Mapping[str, Any]) -> None:
        """create-quota-share; `tree` is the request. Raises InputError."""
        share, spot, queue = item.share, item.spot, item.queue
        self.notes += item.notes
        self._of_queue(queue, spot, "jobQueue")
        if any(s.name == share.name for s in self.config.shares):
            raise spot.error(
                ("quotaShareName",),
                f"share {share.name} exists already",
                why="AWS refuses to create a share whose name is taken (rule 6).",
                fix="to change it, write an update-quota-share request; or choose another name.",
            )
        for what, value in fields(share).items():
            self._said.agree(share.name, what, value, spot, ("quotaShareName",))
        made = requests.edit(
            [ev.CreateShare(share)], self.arns, self._environment, place=spot.place(("quotaShareName",))
        )
        self.add(replace(made, request={**made.request, **{k: v for k, v in tree.items() if k in _SENT}}))

    def become(self, share: QuotaShare, place: Callable[[ev.AdministratorEvent], str]) -> None:
        """Ask for what makes a share as it is to be; `place` says who asks for an event."""
        old = next((s for s in self.config.shares if s.name == share.name), None)
        events: list[ev.AdministratorEvent] = [ev.CreateShare(share)] if old is None else [*share_events(old, share)]
        if not events:
            return
        edit = requests.edit(events, self.arns, self._environment, place=place(events[0]))
        for what, value in fields(share).items():
            if old is None or fields(old).get(what) != value:
                self._said.record(share.name, what, value, edit.place)
        for unit in set(old.limits) - set(share.limits) if old else ():
            self._said.record(share.name, f"limit of {unit}", counted(None), edit.place)
        self.add(edit)

    def become_environment(self, environment: ServiceEnvironment, place: str) -> None:
        """Ask for what gives the queue's environment the capacity and state it is to have."""
        old = self.config.environment
        if events := list(environment_events(old, environment)):
            for unit in dict.fromkeys((*old.capacity, *environment.capacity)):
                if old.capacity.get(unit) != environment.capacity.get(unit):
                    self._said.record("", f"capacity of {unit}", counted(environment.capacity.get(unit)), place)
            self.add(requests.edit(events, self.arns, self._environment, place=place))

    def update(self, tree: Mapping[str, Any], spot: Spot) -> None:
        """update-quota-share, in AWS's fields; those that are absent stay as they are. Raises InputError."""
        name = self._named(tree, spot)
        old = self.config.share(name)
        given = {k: v for k, v in tree.items() if k != "quotaShareArn"}
        kept = old.model_dump(by_alias=True, mode="json", exclude_none=True)
        item = aws.share({**kept, **given, "jobQueue": self.arns.queue}, spot, self.readings, "jobQueue")
        new = item.share
        self.notes += item.notes
        if "capacityLimits" in given:
            for unit in dict.fromkeys((*old.limits, *new.limits)):
                path: Pointer = ("capacityLimits",)
                if unit in new.limits:
                    path = ("capacityLimits", list(new.limits).index(unit), "maxCapacity")
                self._said.agree(name, f"limit of {unit}", counted(new.limits.get(unit)), spot, path)
        if _SHARING in given:
            borrow = given[_SHARING].get("borrowLimit")
            self._said.agree(name, "strategy", new.strategy.value, spot, (_SHARING, "strategy"))
            self._said.agree(name, "borrowLimit", percent(borrow), spot, (_SHARING, "borrowLimit"))
        if "preemptionConfiguration" in given:
            switch = new.preemption_configuration.in_share_preemption.value
            self._said.agree(name, "inSharePreemption", switch, spot, ("preemptionConfiguration", "inSharePreemption"))
        if "state" in given:
            self._said.agree(name, "state", new.state.value, spot, ("state",))
        events = list(self._effects(old, new, _SHARING in given))
        place = spot.place(("quotaShareArn",))
        if not events:
            self.notes.append(f"{place}: it changes nothing; share {name} is so already")
            return
        if spot.document.name not in self.quiet:
            self.notes += self._lost(old, new, given)
        arn = self.arns.share(name)
        self.add(Edit(Verb.UPDATE, name, tuple(events), {"quotaShareArn": arn, **given}, place))

    def delete(self, tree: Mapping[str, Any], spot: Spot) -> None:
        """delete-quota-share. A share that is ENABLED is disabled before (rule 51). Raises InputError."""
        self.remove(self._named(tree, spot), spot.place(("quotaShareArn",)))

    def remove(self, name: str, place: str) -> None:
        """Delete a share that is there."""
        if self.config.share(name).state is State.ENABLED:
            disable: ev.AdministratorEvent = ev.SetShareState(name, State.DISABLED)
            why = "a share must be DISABLED before it can be deleted (rule 51)"
            self.add(requests.edit([disable], self.arns, self._environment, place=place, why=why))
        self.add(requests.edit([ev.DeleteShare(name)], self.arns, self._environment, place=place))
        self._deleted[name] = place
        self._said.forget(name)

    def update_environment(self, tree: Mapping[str, Any], spot: Spot) -> None:
        """update-service-environment. Raises InputError."""
        given = str(tree["serviceEnvironment"])
        arn = _ENVIRONMENT_ARN.fullmatch(given)
        name, known = arn[1] if arn else given, self.arns.environment
        old = self.config.environment
        if known == NO_NAME and name != NO_NAME and re.fullmatch(NAME, name):
            self.notes.append(f"environment {name} is taken as the one of {self.arns.queue}: no file says which it is")
            self.arns = replace(self.arns, environment=name)
            self.config = self.config.model_copy(
                update={"environment": old.model_copy(update={"service_environment_name": name})}
            )
        elif name != known:
            close = nearest(name, [known])
            raise spot.error(
                ("serviceEnvironment",),
                f"{shown(name)} is not the environment of {self.arns.queue}",
                why=f"That is {known}; another one changes nothing for this queue.",
                fix=f"did you mean {close}?" if close else "leave the request out, or correct the name.",
            )
        old = self.config.environment
        name = old.service_environment_name
        kept = old.model_dump(by_alias=True, mode="json")
        merged = {**kept, **{k: v for k, v in tree.items() if k != "serviceEnvironment"}}
        new = aws.environment(merged, spot).environment
        if "capacityLimits" in tree:
            for unit in dict.fromkeys((*old.capacity, *new.capacity)):
                value = counted(new.capacity.get(unit))
                self._said.agree("", f"capacity of {unit}", value, spot, ("capacityLimits",))
        if "state" in tree:
            self._said.agree("", "state", new.state.value, spot, ("state",))
        events = list(environment_events(old, new))
        place = spot.place(("serviceEnvironment",))
        if not events:
            self.notes.append(f"{place}: it changes nothing; environment {name} is so already")
            return
        for unit in old.capacity if spot.document.name not in self.quiet else ():
            if unit not in new.capacity:
                self.notes.append(
                    f"environment {name}: {unit} is not in the request, so its {old.capacity[unit]} fall away; "
                    "an update replaces all limits (A10)"
                )
        self.add(Edit(Verb.ENVIRONMENT, name, tuple(events), dict(tree), place))

    def add(self, edit: Edit) -> None:
        """Take an edit that is possible in the configuration as it is by now."""
        self.config = after(self.config, [edit], self.readings)
        self.edits.append(edit)

    @property
    def _environment(self) -> str:
        return self.config.environment.service_environment_name

    def _effects(self, old: QuotaShare, new: QuotaShare, sharing: bool) -> list[ev.AdministratorEvent]:
        """The events of an update; a borrow limit that the request leaves out is left to A9."""
        events: list[ev.AdministratorEvent] = list(share_events(old, new))
        if not sharing or new.strategy is not Strategy.LEND_AND_BORROW or new.borrow_limit is not None:
            return events
        told = ev.SetSharing(old.name, new.strategy)
        changed = after(self.config, [Edit(Verb.UPDATE, old.name, (told,), {})], self.readings).share(old.name)
        same = changed.canonical() == old.canonical()
        kept: list[ev.AdministratorEvent] = [e for e in events if not isinstance(e, ev.SetSharing)]
        return kept if same else sorted([*kept, told], key=lambda e: not isinstance(e, ev.SetLimits | ev.SetSharing))

    def _lost(self, old: QuotaShare, new: QuotaShare, given: Mapping[str, Any]) -> list[str]:
        """What an update takes away without saying so."""
        lost = [
            f"{old.name}: {unit} is not in the request, so its limit of {count} falls away; "
            "an update replaces all limits (A10)"
            for unit, count in old.limits.items()
            if unit not in new.limits
        ]
        bounded = old.strategy is Strategy.LEND_AND_BORROW and old.borrow_limit not in (None, -1)
        unsaid = _SHARING in given and "borrowLimit" not in given[_SHARING]
        if bounded and unsaid and new.strategy is Strategy.LEND_AND_BORROW:
            left = f"stays {old.borrow_limit} %" if self.readings["A9"] == "keeps" else "becomes unlimited"
            lost.append(
                f"{old.name}: the request gives a strategy and no borrowLimit, and AWS does not say what becomes of the "
                f"old one; here it {left} (A9={self.readings['A9']}); write it out"
            )
        return lost

    def _of_queue(self, queue: str, spot: Spot, where: str) -> None:
        name = queue.rsplit("/", 1)[-1]
        if name != self.arns.queue:
            raise spot.error(
                (where,),
                f"the request is for queue {shown(name)}, not {self.arns.queue}",
                why="Shares of another queue change nothing for this one, and a plan is for one queue.",
                fix=f"leave it out, or give the configuration of {name[:128]} instead.",
            )

    def _named(self, tree: Mapping[str, Any], spot: Spot) -> str:
        """The share that a request names, by its ARN or by its bare name."""
        given = tree.get("quotaShareArn", "")
        arn = parsed(given)
        if arn is None and given.startswith("arn:"):
            raise spot.error(
                ("quotaShareArn",),
                f"{shown(given)} is not the ARN of a quota share",
                why="One ends in job-queue/QUEUE/quota-share/SHARE.",
                fix=f"for example {self.arns.share('NAME')}",
            )
        if arn and is_placeholder(given):
            self._of_queue(arn.queue, spot, "quotaShareArn")
        elif arn:
            self._of_queue(arn.queue, spot, "quotaShareArn")
            home = f"{arn.region}:{arn.account}"
            if self.arns.home and home != self.arns.home:
                raise spot.error(
                    ("quotaShareArn",),
                    f"the request is for {home}, the queue is in {self.arns.home}",
                    why="One name in two accounts or Regions is two queues.",
                    fix="correct the ARN.",
                )
            if not self.arns.queue_arn:
                self.arns = replace(self.arns, queue_arn=arn.queue_arn)
        name = arn.share if arn else given
        known = [s.name for s in self.config.shares]
        if name in known:
            return name
        if name in self._deleted:
            what, why = f"share {name} is deleted", f"{self._deleted[name]} deletes it before."
            fix = "leave one of the two requests out."
        else:
            close = nearest(name, known)
            what, why = f"there is no share {shown(name)}", f"The queue has {listed(known) or 'no share'}."
            fix = f"did you mean {close}?" if close else "correct the name, or create the share first."
        raise spot.error(("quotaShareArn",), what, why=why, fix=fix)
