#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parameters of each statement come in the order of their numbers: $1 first, none left out.

SQLite numbers `$1`, `$2` by where they first stand, PostgreSQL by the number: in another order the same
statement would mean two things.
"""
import re
import subprocess
import sys
from pathlib import Path

TEXT = re.compile(r'"""(.*?)"""|"([^"\n]*\$\d[^"\n]*)"', re.DOTALL)
STATEMENT = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE)\b")


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "-z", "*.swift"], capture_output=True, text=True, check=True)
    wrong = 0
    for name in filter(None, listed.stdout.split("\0")):
        source = Path(name).read_text()
        for match in TEXT.finditer(source):
            text = match[1] or match[2] or ""
            if not STATEMENT.search(text):
                continue
            order = list(dict.fromkeys(int(number) for number in re.findall(r"\$(\d+)", text)))
            if order != list(range(1, len(order) + 1)):
                line = source.count("\n", 0, match.start()) + 1
                print(f"{name}:{line}: parameters stand in the order {order}", file=sys.stderr)
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
