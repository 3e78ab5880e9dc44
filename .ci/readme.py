"""Fill README.md's blocks of output: what the commands print today. `--check` only compares, and fails on a difference.

A block is the text block that follows the sentence with the command's example; times and speeds are always the same.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = (
    ("verify", "examples/walkthrough"),
    ("verify", "examples/oversubscribed"),
    ("replay", "quotaproof-out/QP101-speech.json"),
    ("plan", "examples/plan/live", "--apply", "examples/plan/requests"),
    ("simulate", "examples/simulate/queue.yaml", "--workload", "examples/simulate/workload.csv", "--quiet"),
    ("audit", "examples/history"),
    ("why", "qs1_job_med", "--in", "examples/history"),
    ("conform", "cmd:node examples/backends/javascript/forgetful.mjs", "--examples", "60"),
)
SPEED = re.compile(r"[\d,]+\s+scenarios/s,\s+[\d,]+\s+events/s")


def printed(*arguments: str, folder: str) -> str:
    done = subprocess.run(["quotaproof", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    text = SPEED.sub("300 scenarios/s, 12,000 events/s", done.stdout.rstrip("\n"))
    text = re.sub(r",\s+2\s+processes", ", 2\n        processes", text)  # wherever the speed made the line break
    text = re.sub(r"plan-\d{4}-\d\d-\d\d", "plan-2026-11-30", text)
    text = re.sub(r"(not before|earliest start of step \d+:) \d{4}-\d\d-\d\d", r"\1 2026-12-07", text)
    return re.sub(r"\d+\.\d s(?= +exit)", "0.5 s", text)


def main() -> None:
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    section = text.index("## What it says")
    head, tail = text[:section], text[section:]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        outputs = iter([printed(*command, folder=folder) for command in COMMANDS])
    parts = re.split(r"(?m)^(```text\n)(.*?)(^```\n)", tail, flags=re.DOTALL)
    for i in range(2, 2 + 4 * len(COMMANDS), 4):
        parts[i] = next(outputs) + "\n"
    new = head + "".join(parts)
    if "--check" in sys.argv:
        sys.exit(0 if new == text else "README.md does not show what the commands print: run .ci/readme.py")
    readme.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
