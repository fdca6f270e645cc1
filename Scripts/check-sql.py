#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parameters of each statement come in the order of their numbers: $1 first, none left out.

SQLite numbers `$1`, `$2` by where they first stand, PostgreSQL by the number: in another order the same
statement would mean two things.

A statement that is put together from the columns of a row type is a `static let`: engines keep what they
prepared for it by its identity.
"""
import re
import subprocess
import sys
from pathlib import Path

TEXT = re.compile(r'"""(.*?)"""|"([^"\n]*\$\d[^"\n]*)"', re.DOTALL)
COMPOSED = re.compile(r"SQLStatement\(")
STATIC = re.compile(r"static let \w+(?:: SQLStatement)? =\s*$")
# `\(Row.placeholders)` stands for the first parameters; those after it go on from there.
PLACEHOLDERS = re.compile(r"\\\(\w+\.placeholders\)")
# `\(Row.columns)` stands for expressions, which may have parameters too.
NAMED_COLUMNS = re.compile(r"\\\((\w+)\.columns\)")
ROW_TYPE = re.compile(r"\b(?:struct|enum|extension) (?!Column\b)(\w+)")
COLUMNS = re.compile(r"static let columns = SQLColumns<Column>\((.*?)(?:\n\n|\n}\n)", re.DOTALL)
STATEMENT = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE)\b")


def column_parameters(sources: list[str]) -> dict[str, str]:
    """By row type: the parameters in the expressions of its columns, in their order."""
    found: dict[str, str] = {}
    for source in sources:
        for match in COLUMNS.finditer(source):
            parameters = " ".join(re.findall(r"\$\d+", match[1]))
            if parameters:
                found[ROW_TYPE.findall(source, 0, match.start())[-1]] = parameters
    return found


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "-z", "*.swift"], capture_output=True, text=True, check=True)
    wrong = 0
    sources = {name: Path(name).read_text() for name in filter(None, listed.stdout.split("\0"))}
    parameters = column_parameters(list(sources.values()))
    for name, source in sources.items():
        for match in TEXT.finditer(source):
            text = match[1] or match[2] or ""
            if not STATEMENT.search(text):
                continue
            text = NAMED_COLUMNS.sub(lambda named: parameters.get(named[1], ""), text)
            order = list(dict.fromkeys(int(number) for number in re.findall(r"\$(\d+)", text)))
            first = order[0] if order and PLACEHOLDERS.search(text) else 1
            if order != list(range(first, first + len(order))):
                line = source.count("\n", 0, match.start()) + 1
                print(f"{name}:{line}: parameters stand in the order {order}", file=sys.stderr)
                wrong += 1
        for match in COMPOSED.finditer(source):
            if name.startswith("Sources/") and not STATIC.search(source, 0, match.start()):
                line = source.count("\n", 0, match.start()) + 1
                print(f"{name}:{line}: make this SQLStatement a static let", file=sys.stderr)
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
