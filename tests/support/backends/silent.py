"""Starts nobody: it takes every job and says settled."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        print(json.dumps({"protocol": 1, "name": "silent", "claims": True}), flush=True)
    elif message["cmd"] == "run":
        trace = [{"settled": True} if "settle" in step else step for step in message["steps"] if {"settle", "submit"} & set(step)]
        print(json.dumps({"id": message["id"], "trace": trace}), flush=True)
    elif message["cmd"] == "stop":
        break
