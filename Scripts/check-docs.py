#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every `package` and `public` declaration has a doc comment, so that another module can use it without its source.

The comment begins with a noun or a verb, not with a question word.
"""
import re
import sys

from swift_source import split, swift_files

DECLARATION = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public|package)\s+"
    r"(?:(?:static|final|indirect|nonisolated|mutating|convenience|required|override|class|lazy|weak)\s+)*"
    r"(struct|enum|actor|class|protocol|typealias|func|var|let|init|subscript|associatedtype)\b"
)
ATTRIBUTE = re.compile(r"^\s*@\w+")
# Requirements of the language's or a library's protocols are documented there.
INHERITED = re.compile(
    r"\b(?:var description: String|var debugDescription: String|var errorDescription: String\?|func hash\(into"
    r"|static func ==|static func <|func encode\(to|init\(from decoder|typealias RawValue"
    r"|func run\(\) async throws \{)"
)


# Comments that describe a thing instead of naming it.
INDIRECT = re.compile(r"///\s*(?:Whether|What|Those|How|Where|Whom|Whose|Of|By|Nothing|Which|Who|That)\b")


def first_line(lines: list[str], last: int) -> str:
    """Returns the first line of the comment that ends in a line."""
    while last > 0 and lines[last - 1].lstrip().startswith("///"):
        last -= 1
    return lines[last].lstrip()


def faults(source: str) -> list[tuple[int, str]]:
    lines = source.split("\n")
    code = split(source).code.split("\n")
    found = []
    for number, line in enumerate(code):
        if not DECLARATION.match(line) or INHERITED.search(line):
            continue
        above = number - 1
        while above >= 0 and ATTRIBUTE.match(lines[above]):
            above -= 1
        if above < 0 or not lines[above].lstrip().startswith("///"):
            found.append((number + 1, "no doc comment"))
        elif INDIRECT.match(first_line(lines, above)):
            found.append((number + 1, "begin the doc comment with a noun or a verb"))
    return found


def main() -> int:
    assert faults("package let a = 1\n/// B.\n@inlinable\npackage let b = 2\n") == [(1, "no doc comment")]
    assert [line for line, _ in faults("/// Whether it is.\n/// B.\npublic let a = 1\n")] == [3]
    assert not faults("/// True if it is.\n///\n/// What else.\npublic let a = 1\n")
    status = 0
    for path in swift_files("Sources"):
        for number, fault in faults(path.read_text(encoding="utf-8")):
            print(f"{path}:{number}: {fault}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
