#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each table has one owner: no other file contains a statement that changes it.

The owners are listed in table_owners.py.
"""
import re
import sys
from collections import defaultdict
from fnmatch import fnmatch
from pathlib import Path

from swift_source import split, swift_files
from table_owners import OWNERS

SOURCES = "Sources/"
WRITE = re.compile(r"(?<!FOR )\b(INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)")
CREATE = re.compile(r"\bCREATE TABLE (\w+)")
DROP = re.compile(r"\bDROP TABLE (\w+)")


def tables() -> set[str]:
    """Returns the tables that exist after the migrations."""
    found: set[str] = set()
    for file in sorted(Path(SOURCES, "Storage/Migrations").glob("*.sql")):
        text = file.read_text()
        found |= set(CREATE.findall(text))
        found -= set(DROP.findall(text))
    return found


def writers(known: set[str]) -> dict[str, dict[str, list[tuple[int, str]]]]:
    """Returns the lines of the statements that change each table, by file, with their first words."""
    found: dict[str, dict[str, list[tuple[int, str]]]] = defaultdict(lambda: defaultdict(list))
    for path in swift_files(SOURCES):
        name = path.as_posix().removeprefix(SOURCES)
        # Rows that tests need before their own.
        if name.startswith("TestSupport/"):
            continue
        for literal in split(path.read_text()).literals:
            for match in WRITE.finditer(literal.text):
                if match[2] in known:
                    line = literal.line + literal.text.count("\n", 0, match.start())
                    found[match[2]][name].append((line, match[1]))
    return found


def main() -> int:
    problems: list[str] = []
    known = tables()
    found = writers(known)
    for table in sorted(known):
        files = found[table]
        if table in OWNERS:
            owner = OWNERS[table]
            for name, lines in files.items():
                if not fnmatch(name, owner):
                    problems += [
                        f"{SOURCES}{name}:{line}: {words} {table}: only {owner} writes this table"
                        for line, words in lines
                    ]
            if not any(fnmatch(name, owner) for name in files):
                problems.append(f"Scripts/table_owners.py: {owner} does not write {table}")
        elif files:
            name = min(files)
            problems.append(
                f"{SOURCES}{name}:{files[name][0][0]}: {table} has no owner: add it to OWNERS in "
                "Scripts/table_owners.py")
    problems += [
        f"Scripts/table_owners.py: there is no table {table}"
        for table in sorted(OWNERS.keys() - known)
    ]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
