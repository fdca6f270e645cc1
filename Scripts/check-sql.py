#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parameters of each statement come in the order of their numbers: $1 first, none left out.

SQLite numbers `$1`, `$2` by their first occurrence, PostgreSQL by the number: in another order the same
statement would mean two things.

A statement built from the columns of a row type is a `static let`: engines cache the prepared statement by
its identity.

Columns are read by the names of a row type, never by position.
"""
import re
import subprocess
import sys
from pathlib import Path

from swift_source import split

TEXT = re.compile(r'"""(.*?)"""|"([^"\n]*\$\d[^"\n]*)"', re.DOTALL)
COMPOSED = re.compile(r"SQLStatement\(")
STATIC = re.compile(r"static let \w+(?:: SQLStatement)? =\s*$")
# `\(Row.placeholders)` stands for the first parameters; those after it continue the numbering.
PLACEHOLDERS = re.compile(r"\\\(\w+\.placeholders\)")
# `\(Row.columns)` stands for expressions, which may have parameters too.
NAMED_COLUMNS = re.compile(r"\\\((\w+)\.columns\)")
ROW_TYPE = re.compile(r"\b(?:struct|enum|extension) (?!Column\b)(\w+)")
COLUMNS = re.compile(r"static let columns = SQLColumns<Column>\((.*?)(?:\n\n|\n}\n)", re.DOTALL)
STATEMENT = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE)\b")
# `row.text(0)`, `$0.integer(2)`, `found?.optionalID(1)`, `row[3]` and `rows[0][1]`; an upper-case name in
# front is a type, whose `.integer(0)` makes a value.
POSITION = re.compile(
    r"(?:\b[a-z]\w*|\$\d+|[)\]])\??(?:\n\s*)?"
    r"\.(?:text|id|integer|real|timestamp|bool|blob|named|optional[A-Z]\w*)\(\s*\d+\s*\)"
    r"|\brow\??\[(?!\.)|\brows\??\[[^\]]*\]\??\[")
IMPORT = re.compile(r"^(?:@testable )?import Storage$", re.MULTILINE)
# The files that read columns by position, with the reason.
BY_POSITION = {
    "Sources/Operations/Privacy/PersonExport.swift": "a copy holds every table, whose columns the catalogue names",
    "Sources/Storage/Backup/BackupRecord.swift": "a backup holds every table, whose columns the catalogue names",
    "Sources/Storage/Catalogue/RuleCheck.swift": "its statements are made from the catalogue",
    "Sources/Storage/Backup/TableReading.swift": "it reads any table",
    "Sources/Storage/KeyRotation/KeyRotation.swift": "the list of sealed columns names its columns",
    "Sources/Storage/Moving/MovedTable.swift": "it carries any table",
}


def positions(source: str) -> list[int]:
    """Returns the lines of Swift source that read a column by its position."""
    code = split(source).code
    return sorted({code.count("\n", 0, match.start()) + 1 for match in POSITION.finditer(code)})


def reads_database(name: str, source: str) -> bool:
    """Returns true if the file can read rows; false for the implementation of rows."""
    return name.startswith("Sources/") and not name.startswith("Sources/Storage/SQL/") and (
        name.startswith("Sources/Storage/") or IMPORT.search(source) is not None)


def column_parameters(sources: list[str]) -> dict[str, str]:
    """Returns the parameters in the expressions of each row type's columns, in order."""
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
        if reads_database(name, source):
            lines = positions(source)
            if name not in BY_POSITION:
                for line in lines:
                    print(f"{name}:{line}: read this column by the name that a row type gives it", file=sys.stderr)
                wrong += len(lines)
            elif not lines:
                print(f"{name} reads no column by position: remove it from BY_POSITION", file=sys.stderr)
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
