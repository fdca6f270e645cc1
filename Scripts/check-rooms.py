#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps modules small and their folders in layers, and the chain of imports short.

A folder depends on another of its module if one of its files names a top-level type that the other
declares. Folders that depend on each other, directly or in a cycle, can only be understood together.

In SwiftPM a module waits for the complete compilation of all its imports: the longest chain of imports, in
lines, is the minimum of a build, however many processors there are.

The core of the web server names no feature: features register with it.

With --list, prints the figures of every module.
"""
import re
import sys
from dataclasses import dataclass, field

import package_manifest
from package_manifest import Target
from swift_source import split, swift_files

# The most lines of a module, and the most of its folders that may form a cycle.
MOST_LINES = 15_000
MOST_IN_CYCLE = 4
# The most lines along the longest chain of imports.
LONGEST_CHAIN = 100_000

WEB = "Web"
# The addresses of pages that others link to: Web gets its links as values.
SITE_MAP = "SiteMap"

MODIFIERS = r"(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|final|indirect|nonisolated)\s+)*"
DECLARED = re.compile(
    rf"^{MODIFIERS}(?:struct|enum|class|actor|protocol|typealias)\s+(\w+)", re.MULTILINE)
# Private and nested types too: in their file they hide those of other files.
SHADOWING = re.compile(r"\b(?:struct|enum|class|actor|protocol|typealias)\s+(\w+)")
# A name after a dot is a member, unless a module comes before the dot.
NAME = re.compile(r"(?<![\w.])(?:(\w+)\s*\.\s*)?([A-Z]\w*)")
ADDRESS = re.compile(r"^/[a-z]")


@dataclass
class File:
    """A source file: its folder below the module, `.` for none, and its code without comments and strings."""

    folder: str
    source: str
    code: str
    literals: list[str] = field(default_factory=list)
    path: str = "sample"

    @property
    def lines(self) -> int:
        return self.source.count("\n")

    @property
    def declared(self) -> set[str]:
        return set(DECLARED.findall(self.code))


def file(folder: str, source: str, path: str = "sample") -> File:
    parts = split(source)
    return File(folder, source, parts.code, [literal.text for literal in parts.literals], path)


def named(code: str, module: str) -> set[str]:
    """Returns the types that code may refer to: no member of another type, no type of another module."""
    return {
        name for before, name in NAME.findall(code)
        if not before or before == module or not before[0].isupper()
    } | {before for before, _ in NAME.findall(code) if before[:1].isupper()}


def edges(module: str, files: list[File]) -> dict[str, set[str]]:
    """Returns the folders that each folder depends on."""
    owner = {name: file.folder for file in files for name in file.declared}
    found: dict[str, set[str]] = {file.folder: set() for file in files}
    for file in files:
        hidden = set(SHADOWING.findall(file.code))
        for name in (named(file.code, module) & owner.keys()) - hidden:
            if owner[name] != file.folder:
                found[file.folder].add(owner[name])
    return found


def cycles(edges: dict[str, set[str]]) -> list[set[str]]:
    """Returns the groups whose members all reach each other, the largest first."""
    reached = {start: reach(start, edges) for start in edges}
    groups: list[set[str]] = []
    for start in edges:
        group = {other for other in reached[start] if start in reached[other]}
        if group and group not in groups:
            groups.append(group)
    return sorted(groups, key=lambda group: (-len(group), sorted(group)))


def reach(start: str, edges: dict[str, set[str]]) -> set[str]:
    """Returns everything reachable from a folder; includes the folder itself if there is a cycle."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for other in edges.get(waiting.pop(), set()) - found:
            found.add(other)
            waiting.append(other)
    return found


def rooms(module: str, files: list[File]) -> list[str]:
    most_lines, most_in_cycle = MOST_LINES, MOST_IN_CYCLE
    found = []
    lines = sum(file.lines for file in files)
    if lines > most_lines:
        found.append(f"Sources/{module}: {lines} lines, the limit is {most_lines}")
    for group in cycles(edges(module, files))[:1]:
        if len(group) > most_in_cycle:
            found.append(
                f"Sources/{module}: {len(group)} folders lean on each other, the limit is "
                f"{most_in_cycle}: {', '.join(sorted(group))}")
    return found


def longest_chain(targets: dict[str, Target], lines: dict[str, int]) -> tuple[int, list[str]]:
    """Returns the minimum of lines that are compiled one module after the other, with the modules."""
    known: dict[str, tuple[int, list[str]]] = {}

    def chain(name: str) -> tuple[int, list[str]]:
        if name not in known:
            below = [chain(other) for other in targets[name].targets if other in lines]
            length, path = max(below, default=(0, []), key=lambda found: found[0])
            known[name] = (length + lines[name], path + [name])
        return known[name]

    return max((chain(name) for name in lines), key=lambda found: found[0])


def web_core(targets: dict[str, Target], modules: dict[str, list[File]]) -> list[str]:
    """Returns the features that the core of the web server names: types of modules above it, and addresses
    of pages."""
    if WEB not in modules:
        return []
    imports = {name: set(target.targets) for name, target in targets.items()}
    above = {name for name in modules if WEB in reach(name, imports)}
    below = (reach(WEB, imports) | {WEB}) & modules.keys() - {SITE_MAP}
    lower = {name for module in below for file in modules[module] for name in file.declared}
    features = {
        name: module for module in above | {SITE_MAP} & modules.keys()
        for file in modules[module] for name in file.declared
    }
    addresses = {
        text for file in modules.get(SITE_MAP, []) for text in file.literals if ADDRESS.match(text)
    }
    found = []
    for file in modules[WEB]:
        # Comments count: they name a feature to the reader.
        words = set(re.findall(r"\b[A-Z]\w*\b", file.code)) | set(re.findall(r"``(\w+)", file.source))
        for name in sorted((words & features.keys()) - lower):
            found.append(f"{file.path}: names {name} of {features[name]}")
        for text in sorted(set(file.literals) & addresses):
            found.append(f"{file.path}: names the address {text} of a page")
    return found


def read() -> dict[str, list[File]]:
    """Returns the files of every module under Sources."""
    modules: dict[str, list[File]] = {}
    for path in swift_files("Sources"):
        folder = path.parts[2] if len(path.parts) > 3 else "."
        source = path.read_text(encoding="utf-8")
        modules.setdefault(path.parts[1], []).append(file(folder, source, str(path)))
    return modules


def check_self() -> None:
    """The samples must give the edges, cycles and chains that are listed here."""
    files = [
        file("A", "package struct One {\n  let other: Two\n}\n"),
        file("B", "/// Not ``One``.\nenum Two { case a(GRDB.One), b(Three) }\nprivate struct Hidden {}\n"),
        file("C", 'final class Three {\n  let text = "Two"\n  func f(_ a: Sample.One) {}\n}\n'),
        file("D", "struct Hidden {}\nextension Two.Three { var a: Int { Four.One.count } }\nenum Four {}\n"),
    ]
    drawn = edges("Sample", files)
    assert drawn == {"A": {"B"}, "B": {"C"}, "C": {"A"}, "D": {"B"}}, drawn
    assert cycles(drawn) == [{"A", "B", "C"}], cycles(drawn)
    assert cycles({"A": {"B"}, "B": set(), "C": {"D"}, "D": {"C"}}) == [{"C", "D"}]
    circle = {str(number): {str((number + 1) % 5)} for number in range(5)}
    assert len(cycles(circle)[0]) == 5
    assert not rooms("Sample", files)
    long = [file("A", "\n" * (MOST_LINES + 1))]
    assert len(rooms("Sample", long)) == 1
    around = [file(f, f"struct T{f} {{ let next: T{int(f) % 5 + 1} }}\n") for f in "12345"]
    assert len(rooms("Sample", around)) == 1
    targets = package_manifest.parse(
        'let package = Package(\n  targets: [\n    module("Low"), module("Wide"), module("Web", ["Low"]),\n'
        '    module("Pages", ["Web", "Low"]), module("Other", ["Wide"]),\n  ]\n)\n')
    lines = {"Low": 10, "Wide": 12, "Web": 3, "Pages": 1, "Other": 1}
    assert longest_chain(targets, lines) == (14, ["Low", "Web", "Pages"])
    modules = {name: [] for name in lines}
    modules["Pages"] = [file("Chat", "struct ChatPage {}\nstruct Call {}\n")]
    modules[SITE_MAP] = [file("Pages", 'enum Address { static let chat = "/chat" }\n')]
    modules["Web"] = [file("HTTP", 'struct Call { let path = "/assets" }\n')]
    assert not web_core(targets, modules)
    for source in [
        "/// As ``ChatPage`` does.\n", "let a: ChatPage\n", 'let a = "/chat"\n', "let a = Address.chat\n",
    ]:
        modules["Web"] = [file("HTTP", "struct Call {}\n" + source)]
        assert len(web_core(targets, modules)) == 1, source


def main() -> int:
    package_manifest.check_self()
    check_self()
    targets, modules = package_manifest.read(), read()
    found = [line for module, files in modules.items() for line in rooms(module, files)]
    lines = {name: sum(file.lines for file in files) for name, files in modules.items() if name in targets}
    length, path = longest_chain(targets, lines)
    if length > LONGEST_CHAIN:
        found.append(
            f"the longest chain of imports has {length} lines, the limit is {LONGEST_CHAIN}: {' → '.join(path)}")
    found += web_core(targets, modules)
    if "--list" in sys.argv:
        for module, files in sorted(modules.items()):
            largest = max((len(group) for group in cycles(edges(module, files))), default=0)
            print(f"{module}: {sum(file.lines for file in files)} lines, cycle {largest}")
        print(f"chain: {length} lines: {' → '.join(path)}")
    print("\n".join(found), file=sys.stderr) if found else None
    return 1 if found or not modules else 0


if __name__ == "__main__":
    sys.exit(main())
