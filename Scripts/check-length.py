#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No source file is longer than 400 lines: longer ones have more than one reason to change."""
import subprocess
import sys
from pathlib import Path

LIMIT = 400
SUFFIXES = {".swift", ".py", ".js", ".mjs", ".css", ".lua", ".c", ".h", ".sql"}


def main() -> int:
    names = subprocess.run(
        ["git", "ls-files", "-z"], check=True, capture_output=True, text=True
    ).stdout.split("\0")
    status = 0
    for name in filter(None, names):
        path = Path(name)
        # Stored databases are data.
        if path.suffix not in SUFFIXES or not path.is_file() or {"Fixtures", "Releases"} & set(path.parts):
            continue
        lines = len(path.read_bytes().splitlines())
        if lines > LIMIT:
            print(f"{name}: {lines} lines, the limit is {LIMIT}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
