"""What `explain protocol` says: every message, every step of a run and every line of a trace, an example each.

Trusted: nothing; a test holds each example to the schema, and that none is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..conform.protocol_schema import schema
from ..report.layout import paragraph

MESSAGES = {
    "start": ('{"cmd":"start","protocol":1}',),
    "declaration": (
        '{"protocol":1,"name":"mine","version":"1.0","claims":true,"features":["borrowing","gangs"],"deadline":60}',
    ),
    "configure": (
        '{"cmd":"configure","queue":{"quotaproof":1,"queue":"q","environment":{"u":2},"shares":[{"name":"a","limits":{"u":2},'
        '"strategy":"LEND_AND_BORROW","borrowLimit":50,"inSharePreemption":false,"state":"ENABLED"}]}}',
    ),
    "run": ('{"cmd":"run","id":1,"steps":[{"submit":"a1","share":"a","size":{"u":1}},{"settle":"all"}]}',),
    "answer": (
        '{"id":1,"trace":[{"submit":"a1","share":"a","size":{"u":1},"priority":0,"retries":null},{"dispatch":"a1"},'
        '{"settled":true}]}',
        '{"id":1,"skipped":"no gangs"}',
        '{"id":1,"errored":"it does not settle","trace":[{"dispatch":"a1"}]}',
    ),
    "stop": ('{"cmd":"stop"}',),
}
STEPS = (
    '{"submit":"a1","share":"a","size":{"u":1},"priority":5,"retries":2}',
    '{"set-priority":"a1","priority":9}',
    '{"terminate":"a1"}',
    '{"advance":"a1"}',
    '{"finish":"a1","failed":true}',
    '{"return":"a1"}',
    '{"stopped":"a1"}',
    '{"set-limits":"a","limits":{"u":2}}',
    '{"set-sharing":"a","strategy":"LEND_AND_BORROW","borrowLimit":50}',
    '{"set-in-share":"a","enabled":true}',
    '{"set-share-state":"a","state":"DISABLED"}',
    '{"create-share":{"name":"b","limits":{"u":1},"strategy":"LEND"}}',
    '{"delete-share":"b"}',
    '{"set-capacity":{"u":3}}',
    '{"set-environment-state":"DISABLED"}',
    '{"set-queue-state":"DISABLED"}',
    '{"settle":"scheduler"}',
    '{"settle":"all"}',
)
LINES = (
    '{"submit":"a1","share":"a","size":{"u":1},"priority":0,"retries":null}',
    '{"reject":"a2","share":"a","reason":"the share is DISABLED"}',
    '{"dispatch":"a1"}',
    '{"start":"a1"}',
    '{"run":"a1"}',
    '{"claim":"a1","victims":["b1","b2"]}',
    '{"claim":"a1","victims":[]}',
    '{"claim":"a1","victims":["a0"],"holds":false}',
    '{"release":"a1"}',
    '{"preempt":"b1","claimant":"a1"}',
    '{"preempted":"b1","stage":"RUNNABLE","count":1}',
    '{"return":"a1"}',
    '{"retry":"b1"}',
    '{"finish":"a1","failed":false}',
    '{"terminate":"a1"}',
    '{"reprioritise":"a1","priority":9}',
    '{"misconfigured":"a1","reason":"it asks for more than the environment has"}',
    '{"queue":"DISABLED"}',
    '{"share":"a","limits":{"u":2}}',
    '{"share":"a","strategy":"LEND_AND_BORROW","borrowLimit":50}',
    '{"share":"a","inSharePreemption":true}',
    '{"share":"a","state":"DISABLED"}',
    '{"share-created":{"name":"b","limits":{"u":1},"strategy":"LEND"}}',
    '{"share-deleted":"b"}',
    '{"share-gone":"b"}',
    '{"environment":{"u":3}}',
    '{"environment":"DISABLED"}',
    '{"settled":true}',
)


def introduction() -> Iterator[str]:
    """The whole text."""
    parts = schema()["$defs"]
    yield from ("", "Messages, one line each; a field that does not apply is left out, it is not null")
    for kind, examples in MESSAGES.items():
        yield from (kind, *paragraph(parts[kind]["description"]), *(f"        {text}" for text in examples))
    yield from (
        "",
        "Steps of a run; a scenario has `settle` after some of them",
        *(f"        {text}" for text in STEPS),
    )
    yield from ("", "Lines of a trace; `quotaproof explain trace` says what each of them means")
    yield from (f"        {text}" for text in LINES)
