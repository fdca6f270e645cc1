#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each Python file named on the command line in memory; other files are skipped."""
import sys
import warnings
from pathlib import Path


def problems(paths: list[str]) -> list[str]:
    found = []
    for name in paths:
        path = Path(name)
        source = path.read_bytes()
        if path.suffix != ".py" and b"python3" not in source.split(b"\n", 1)[0]:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", SyntaxWarning)
                compile(source, name, "exec")
        except (SyntaxError, ValueError, SyntaxWarning) as error:
            found.append(f"{name}: {error}")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1:])
    print("\n".join(lines), file=sys.stderr) if lines else None
    sys.exit(1 if lines else 0)
