"""Something goes wrong in it, and it says so, with the trace until then."""

from talk import answer, poisoned, runs, say, trace

for message in runs():
    if poisoned(message):
        say({"id": message["id"], "errored": "it does not settle", "trace": trace(message)[:1]})
    else:
        answer(message)
