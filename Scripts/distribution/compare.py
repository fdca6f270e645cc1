# SPDX-License-Identifier: Apache-2.0
"""Compares two builds of the program, and names what differs."""
import re
from pathlib import Path

from distribution.common import Failure, run
from distribution.layer import file_digest

SECTION = re.compile(r"^\s*\[\s*\d+\] (\.\S+)\s+\S+\s+[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)", re.MULTILINE)


def differing_sections(first: Path, second: Path) -> list[str]:
    """Returns the names of the sections whose place, size or content differs."""
    contents = []
    for path in (first, second):
        data = path.read_bytes()
        listed = SECTION.findall(run("readelf", "--sections", "--wide", path))
        contents.append({name: data[int(at, 16):int(at, 16) + int(size, 16)] for name, at, size in listed})
    one, other = contents
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def require_same(first: Path, second: Path) -> None:
    if file_digest(first) != file_digest(second):
        sections = ", ".join(differing_sections(first, second)) or "only the order of sections"
        raise Failure(f"The two builds differ: {sections}. The first is {first}, the second {second}.")
