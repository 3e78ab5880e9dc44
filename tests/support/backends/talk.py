"""What the programs beside this one have in common: the conversation as it should be."""

import json
import sys


def say(message):
    print(json.dumps(message), flush=True)


def runs(**more):
    """The runs that are asked for, until `stop`; `start` is answered."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "start":
            say({"protocol": message["protocol"], "name": "a program", "claims": True, **more})
        elif message["cmd"] == "run":
            yield message
        elif message["cmd"] == "stop":
            return


def poisoned(message):
    return any(step.get("submit") == "poison" for step in message["steps"])


def trace(message):
    """What happens when nobody is started."""
    return [
        {"settled": True} if "settle" in step else step
        for step in message["steps"]
        if {"settle", "submit"} & step.keys()
    ]


def answer(message):
    say({"id": message["id"], "trace": trace(message)})
