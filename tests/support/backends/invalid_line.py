"""Says in its trace what is no event."""

from talk import answer, poisoned, runs, say

for message in runs():
    if poisoned(message):
        say({"id": message["id"], "trace": [{"dispatched": "poison"}]})
    else:
        answer(message)
