#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up the xUnit files of a test run and prints 'N passed, N failed, N skipped', after the names of
failures.

A runner that wrote no file (it crashed, or was never reached) counts as one failure.
"""
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# Swift Testing adds a suffix to the given file name.
RUNNERS = {
    "Swift": "swift*.xml", "Swift on PostgreSQL": "postgres*.xml", "end to end": "end-to-end.xml",
}


MOST_LINES = 6


def name_failure(runner: str, case: ElementTree.Element) -> None:
    """Returns the name of a failed test and the start of its message, for readers of only the end of a
    long run."""
    print(f"FAILED ({runner}) {case.get('classname', '')} {case.get('name', '')}")
    for found in [*case.iter("failure"), *case.iter("error")]:
        said = f"{found.get('message', '')}\n{found.text or ''}".split("\n")
        for line in [line.strip() for line in said if line.strip()][:MOST_LINES]:
            print(f"    {line[:300]}")


def count(runner: str, path: Path) -> tuple[int, int, int]:
    """Returns passed, failed and skipped test cases of one xUnit file; failures are named."""
    passed = failed = skipped = 0
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
            name_failure(runner, case)
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def main(folder: Path) -> int:
    passed = failed = skipped = 0
    for name, pattern in RUNNERS.items():
        figures = []
        for path in sorted(folder.glob(pattern)):
            try:
                figures.append(count(name, path))
            except ElementTree.ParseError as error:
                print(f"{path}: {error}", file=sys.stderr)
        total = [sum(column) for column in zip(*figures)] if figures else [0, 0, 0]
        if total[0] + total[1] == 0:
            print(f"{name}: no test result was written", file=sys.stderr)
            total[1] = 1
        passed, failed, skipped = passed + total[0], failed + total[1], skipped + total[2]
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
