"""Looks whether the harness keeps to the schema that it ships, and says what does not; it starts nobody.

Its argument is the schema's file.
"""

import json
import sys
from pathlib import Path

import jsonschema
from talk import say, trace

DEFS = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["$defs"]
VALIDATORS = {kind: jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": DEFS})
              for kind in ("start", "configure", "run", "stop")}  # fmt: skip
wrong = []
for line in sys.stdin:
    message = json.loads(line)
    wrong += [f"{error.json_path}: {error.message}" for error in VALIDATORS[message["cmd"]].iter_errors(message)]
    if message["cmd"] == "start":
        say({"protocol": 1, "name": "linter"})
    elif message["cmd"] == "run" and wrong:
        say({"id": message["id"], "errored": wrong.pop()})
    elif message["cmd"] == "run":
        say({"id": message["id"], "trace": trace(message)})
sys.exit("; ".join(wrong))
