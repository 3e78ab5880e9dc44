"""Cannot run a scenario, and says so."""

from talk import answer, poisoned, runs, say

for message in runs():
    if poisoned(message):
        say({"id": message["id"], "skipped": "no gangs"})
    else:
        answer(message)
