"""Print the commands of a Markdown file: in its console blocks, the lines that start with "$ ", without it.

Exactly the two commands of "Two commands" count: the blocks that stand under that heading.
"""

import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
section = re.search(r"^## Two commands\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
if section is None:
    sys.exit("no section 'Two commands'")
blocks = re.findall(r"^```console\n(.*?)^```", section.group(1), re.MULTILINE | re.DOTALL)
commands = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
if len(commands) != 2:
    sys.exit(f"expected two commands, found {len(commands)}")
print("\n".join(commands))
