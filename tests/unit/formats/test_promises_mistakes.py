"""Whatever is wrong with a file of promises is one error that says what, where, why and how to mend it."""

from __future__ import annotations

from typing import Any

import pytest
from quotaproof.spec.formats import InputError

from ...support.promised import document, parsed, promise

FITS = {"fits": {"p5": 1}}


def error(tree: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        parsed(tree)
    assert len(str(caught.value).split("\n")) == 3
    return caught.value


def with_exception(**fields: Any) -> dict[str, Any]:
    given = {"id": "E1", "to": "P1", "owner": "o", "until": "2026-12-20", "why": "asked", **fields}
    return document(promise(share="train", **FITS), exceptions=[{k: v for k, v in given.items() if v is not None}])


OF_A_PROMISE: list[tuple[dict[str, Any], str, str, str]] = [
    # what a promise says: field, what, fix
    ({"share": "trian", **FITS}, "share", 'there is no share "trian"', "did you mean train?"),
    ({"share": ["train", "xx"], **FITS}, "share[1]", 'no share "xx"', "train, serve, vital"),
    ({"share": ["train", "train"], **FITS}, "share[1]", '"train" is given twice', "delete one"),
    ({"share": [], **FITS}, "share", "share is empty", "name at least one"),
    ({"share": {"lends": True}, **FITS}, "share.lends", 'no field "lends"', "borrows"),
    ({"share": {"borrows": "yes"}, **FITS}, "share.borrows", '"yes" stands where true or false', "true or false"),
    ({"group": "al", **FITS}, "group", 'there is no group "al"', "did you mean all?"),
    ({"group": "all", "share": "train", **FITS}, "", "share and group are both given", "one of the two"),
    ({"fits": {"p6": 1}}, "fits.p6", 'there is no unit "p6"', "ml.p5.48xlarge"),
    ({"fits": {"ml.p5.24xlarge": 1}}, "fits.ml.p5.24xlarge", "there is no unit", "did you mean ml.p5.48xlarge?"),
    ({"fits": {"large": 1}}, "fits.large", "may be ml.p5.48xlarge, ml.g5.xlarge", "tells them apart"),
    ({"fits": {"p5": 1, "p5.48": 2}}, "fits.p5.48", "ml.p5.48xlarge is given twice", "delete one"),
    ({"fits": {"p5": 0}}, "fits.p5", "0 is out of range", "1 to"),
    ({"fits": {"p5": -1}}, "fits.p5", "-1 is out of range", "1 to"),
    ({"fits": {"p5": 1.5}}, "fits.p5", "1.5 stands where a whole number is expected", "whole number"),
    ({"fits": {"p5": True}}, "fits.p5", "true stands where a whole number", "whole number"),
    ({"fits": {"p5": "2"}}, "fits.p5", '"2" stands where a whole number', "whole number"),
    ({"fits": {}}, "fits", "no unit is named", "ml.p5.48xlarge: 2"),
    ({"fits": 4}, "fits", "4 stands where an object", "write an object"),
    ({"fits": "p5:4"}, "fits", '"p5:4" stands where an object', "space after each colon"),
    ({"fits": {"GPU": 8}}, "fits.GPU", "GPU is a measure, and a job asks for machines", "name the unit"),
    ({"gets": {"p5": 1}}, "gets", "within is missing", "at-once"),
    ({"gets": {"within": "1h"}}, "gets", "no unit is named", "add one"),
    ({"gets": {"p5": 1, "within": 15}}, "gets.within", "15 is not a time", "15m"),
    ({"gets": {"p5": 1, "within": "soon"}}, "gets.within", '"soon" is not a time', "at-once"),
    ({"undisturbed": "by-others"}, "undisturbed", 'cannot be "by-others"', "did you mean by-other-shares?"),
    ({"undisturbed": {"always": True}}, "undisturbed", "by is missing", "add by"),
    ({"undisturbed": {"by": "by-anyone", "always": 1}}, "undisturbed.always", "1 stands where true or false", "true"),
    ({"at_most": {"GPU": 8, "p5": 1}}, "at_most", "a measure stands beside another amount", "a promise of each"),
    ({"at_most": {"gpu": 8}}, "at_most.gpu", 'no unit "gpu"', "did you mean GPU?"),
    ({"stops_per_job": 3}, "stops_per_job", "3 stands where an object", "object"),
    ({"stops_per_job": {}}, "stops_per_job", "at_most is missing", "add at_most"),
    ({"stops_per_job": {"at_most": 3}, "on_reached": {}}, "on_reached", "owner is missing", "add owner"),
    ({"on_reached": {"owner": "o"}, **FITS}, "on_reached", "nothing that could be reached", "stops_per_job"),
    ({"recovery": {}}, "recovery", "it asks for nothing", "checkpoint: required"),
    ({"recovery": {"checkpoint": "yes"}}, "recovery.checkpoint", 'cannot be "yes"', "required or optional"),
    (
        {"recovery": {"checkpoint": "required", "not_older_than": "1d"}},
        "recovery.not_older_than",
        "too old",
        "evidence",
    ),
    ({"recovery": {"evidence": "../*.md"}}, "recovery.evidence", "no pattern of files below", "without .."),
    ({"recovery": {"evidence": "/etc/*"}}, "recovery.evidence", "no pattern of files below", "relative"),
    ({"priority": {"from": 9000, "to": 10000}}, "priority.to", "10000 is out of range", "0 to 9999"),
    ({"priority": {"from": 9000, "to": 8000}}, "priority", "goes from 9000 to 8000", "lower priority"),
    ({"priority": {"from": 9000}}, "priority", "to is missing", "add to"),
    ({"idle_while_waiting": {"unit": "p7", "at_most": "1m"}}, "idle_while_waiting.unit", 'no unit "p7"', "p5"),
    ({"changes": {"shrink_notice": 5}}, "changes.shrink_notice", "5 is not a notice", "5 working days"),
    ({"measured": {}}, "measured", "no measure is named", "lost_share"),
    ({"measured": {"wait_p99": {"at_most": "1h"}}}, "measured.wait_p99", 'no field "wait_p99"', "wait_p95"),
    ({"measured": {"lost_share": {"at_most": "200 %"}}}, "measured.lost_share.at_most", "not a percentage", "2 %"),
    ({"measured": {"wait_p50": {"at_most": "2 %"}}}, "measured.wait_p50.at_most", "not a time", "15m"),
    ({}, "", "nothing is promised", "gets, fits"),
    ({"get": {"p5": 1}, **FITS}, "get", 'there is no field "get"', "did you mean gets?"),
    ({"says": " ", **FITS}, "says", "says is empty", "write says"),
    ({"says": "x" * 1001, **FITS}, "says", "1,001 letters", "1,000"),
    ({"says": None, **FITS}, "says", "null stands where text", "write text"),
    ({"owner": 3, **FITS}, "owner", "3 stands where text", "quotes"),
    ({"valid": {}, **FITS}, "valid", "neither from nor until", "add one"),
    ({"valid": {"from": "2027-02-01", "until": "2027-01-01"}, **FITS}, "valid", "is before from", "earlier day"),
    ({"valid": {"from": "2027-02-30"}, **FITS}, "valid.from", '"2027-02-30" is not a day', "2027-01-31"),
    ({"review": "soon", **FITS}, "review", '"soon" is not a day', "2027-01-31"),
]


@pytest.mark.parametrize(("said", "field", "what", "fix"), OF_A_PROMISE)
def test_a_mistake_in_a_promise(said: dict[str, Any], field: str, what: str, fix: str) -> None:
    tree = document(promise(**said), units={"p5": "8 GPU"}, groups={"all": ["train"]})
    found = error(tree)
    assert found.where == ", ".join(part for part in ("promises.json", "promise P1", field) if part)
    assert what in found.what
    assert fix in found.fix


OF_A_FILE: list[tuple[Any, str, str, str]] = [
    ([], "promises.json", "a list stands where an object", "object"),
    ({}, "promises.json", "the version is missing", "promises: 1"),
    (
        {**document(promise(**FITS)), "version": 2},
        "promises.json, version",
        "version 2 of the form is not known",
        "version: 1",
    ),
    (document(), "promises.json, promises", "nothing is promised", "add a promise"),
    ({"version": 1}, "promises.json", "nothing is promised", "add a promise"),
    ({"version": 1, "promises": 1}, "promises.json, promises", "1 stands where a list", "list"),
    (
        document(promise(**FITS), promisses=[]),
        "promises.json, promisses",
        'no field "promisses"',
        "did you mean promises?",
    ),
    (document(promise(**FITS), queue=7), "promises.json, queue", "7 stands where text", "quotes"),
    (document(promise(**FITS), units={"p7": "8 GPU"}), "promises.json, units.p7", 'no unit "p7"', "ml.p5"),
    (document(promise(**FITS), units={"p5": "GPU"}), "promises.json, units.p5", "not an amount of a measure", "8 GPU"),
    (document(promise(**FITS), units={"p5": "0 GPU"}), "promises.json, units.p5", "not an amount", "8 GPU"),
    (document(promise(**FITS), units={"p5": {"GPU": 0}}), "promises.json, units.p5.GPU", "0 is out of range", "1 to"),
    (
        document(promise(**FITS), units={"p5": "8 ml.g5.xlarge"}),
        "promises.json, units.p5",
        "is a unit of the queue",
        "another name",
    ),
    (
        document(promise(**FITS), units={"p5": "8 GPU", "ml.p5.48xlarge": "9 GPU"}),
        "promises.json, units.ml.p5.48xlarge",
        "is given twice",
        "delete one",
    ),
    (document(promise(**FITS), groups={"g": ["nobody"]}), "promises.json, groups.g[0]", 'no share "nobody"', "train"),
    (
        document(promise(**FITS), assume={"stop_takes": {"p5": "1 minute"}}),
        "promises.json, assume.stop_takes.p5",
        "is not a time",
        "15m",
    ),
    (document(promise(**FITS), assume={"stops": {}}), "promises.json, assume.stops", "no field", "stop_takes"),
    (
        document(promise(**FITS), assume={"stop_takes": {"p5": "1m", "ml.p5.48xlarge": "2m"}}),
        "promises.json, assume.stop_takes.ml.p5.48xlarge",
        "is given twice",
        "delete one",
    ),
    (document(promise(**FITS), defaults={"review": 1}), "promises.json, defaults.review", "1 is not a day", "2027"),
    (document({"says": "x", **FITS}), "promises.json, promises[0]", "id is missing", "P1"),
    (document(promise(id=1, **FITS)), "promises.json, promises[0].id", "1 stands where text", "quotes"),
    (document(promise(id="a b", **FITS)), "promises.json, promises[0].id", '"a b" is not an id', "1 to 40"),
    (document(promise(id="G14", **FITS)), "promises.json, promises[0].id", "G14 is the code of something else", "P1"),
    (document(promise(id="qp101", **FITS)), "promises.json, promises[0].id", "the code of something else", "P1"),
    (
        document(promise(**FITS), promise(**FITS)),
        "promises.json, promises[1].id",
        "P1 is given twice",
        "an id of its own",
    ),
    (document({"id": "P1", "owner": "o", **FITS}), "promises.json, promise P1", "says is missing", "add says"),
    (document({"id": "P1", "says": "x", **FITS}), "promises.json, promise P1", "nobody owns it", "defaults"),
    (with_exception(to="p1"), "promises.json, exception E1, to", 'no promise "p1"', "did you mean P1?"),
    (with_exception(until=None), "promises.json, exception E1", "until is missing", "add until"),
    (with_exception(owner=None), "promises.json, exception E1", "nobody owns it", "add owner"),
    (with_exception(why=None), "promises.json, exception E1", "why is missing", "add why"),
    (with_exception(share="serve"), "promises.json, exception E1, share", "P1 is not about serve", "delete it"),
    (with_exception(id="P1"), "promises.json, exceptions[0].id", "P1 is given twice", "of its own"),
]


@pytest.mark.parametrize(("tree", "where", "what", "fix"), OF_A_FILE)
def test_a_mistake_in_a_file(tree: Any, where: str, what: str, fix: str) -> None:
    found = error(tree)
    assert found.where == where
    assert what in found.what
    assert fix in found.fix
