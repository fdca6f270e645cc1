#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each target imports only what Package.swift declares for it, and ARCHITECTURE.md lists the same.

The compiler lets a file import whatever another target's dependencies happened to build before it.
"""
import re
import sys
from pathlib import Path

import package_manifest
from package_manifest import Target
from swift_source import split, swift_files

STANDARD_LIBRARY = {
    "Swift", "Synchronization", "Observation", "RegexBuilder", "_Concurrency", "_StringProcessing",
}
# The C library comes with Foundation on every system.
FOUNDATION = {"Foundation", "FoundationEssentials", "Dispatch", "Glibc", "Musl", "Darwin"}
# These compile with only the standard library.
WITHOUT_FOUNDATION = {"Scheduling", "HeartRateMonitoring"}
TESTING = {"Testing"}
# Targets that only support tests, in addition to the tests themselves.
FOR_TESTS = {"TestSupport"}

# Attributes, an access level and a kind may surround the keyword; a submodule follows a dot.
IMPORT = re.compile(
    r"(?:^|;)[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var|actor)\s+)?(\w+)",
    re.MULTILINE,
)

# The names for packages and system libraries in ARCHITECTURE.md.
DOCUMENTED = {
    "GRDB.swift": "GRDB", "hummingbird": "Hummingbird", "swift-service-lifecycle": "service-lifecycle",
    "swift-argument-parser": "argument-parser", "swift-configuration": "configuration",
    "CLibPQ": "libpq", "CZlib": "zlib", "CQREncode": "libqrencode", "CJPEG": "libjpeg",
    "CPNG": "libpng", "CExpat": "expat", "CPango": "cairo and pango", "CMosquitto": "libmosquitto",
    "CMalloc": "malloc", "CSQLite": "GRDB",
}
# Every module may use it.
UNDOCUMENTED = {"swift-log"}
# Targets that the table leaves out, or describes loosely.
OUTSIDE_TABLE = {"embed-resources", "CLazy"}
AS_NEEDED = {"as needed"}
ROW = re.compile(r"^\| `([\w-]+)` \| [^|]* \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)


def allowed(target: Target) -> set[str]:
    """Returns the modules that a target may import."""
    basis = set(STANDARD_LIBRARY) | {product.name for product in target.products}
    if target.name not in WITHOUT_FOUNDATION:
        basis |= FOUNDATION
    if target.is_test or target.name in FOR_TESTS:
        basis |= TESTING
    return basis | {name.replace("-", "_") for name in target.targets}


def problems(target: Target, name: str, source: str) -> list[str]:
    may = allowed(target)
    code = split(source).code
    found = []
    for match in IMPORT.finditer(code):
        module = match.group(1)
        if module not in may:
            line = code.count("\n", 0, match.start(1)) + 1
            found.append(
                f"{name}:{line}: {target.name} may not import {module}: Package.swift does not say so")
    return found


def is_ours(name: str, targets: dict[str, Target]) -> bool:
    """Returns false for wrappers of C libraries, which readers count as external."""
    return name in targets and not targets[name].is_system and name not in DOCUMENTED


def undocumented(document: str, targets: dict[str, Target]) -> list[str]:
    """Returns the rows of ARCHITECTURE.md's table of modules that contradict Package.swift."""
    section = document.split("## Modules", 1)[1].split("\n## ", 1)[0]
    rows = {m[1]: (cell(m[2]), cell(m[3])) for m in ROW.finditer(section)}
    found = []
    above: set[str] = set()
    for target in targets.values():
        if target.is_test or not is_ours(target.name, targets) or target.name in OUTSIDE_TABLE:
            continue
        if target.name not in rows:
            found.append(f"ARCHITECTURE.md: module {target.name} is missing from the table")
            continue
        ours, others = rows[target.name]
        declared = {name for name in target.targets if is_ours(name, targets)}
        if ours == AS_NEEDED or ours == {"all above"} and declared <= above:
            ours = declared
        found += differences(target.name, "of ours", ours, declared)
        foreign = {name for name in target.targets if name not in declared}
        foreign |= {product.package for product in target.products} - UNDOCUMENTED
        found += differences(
            target.name, "of others", others, {DOCUMENTED.get(name, name) for name in foreign})
        above.add(target.name)
    found += [f"ARCHITECTURE.md: {name} is no module" for name in rows if name not in targets]
    return found


def cell(text: str) -> set[str]:
    """Returns the names in a cell, without text in brackets."""
    plain = re.sub(r"\s*\([^)]*\)", "", text).strip()
    return set() if plain in {"–", ""} else {name.strip() for name in plain.split(",")}


def differences(module: str, kind: str, written: set[str], declared: set[str]) -> list[str]:
    return [
        f"ARCHITECTURE.md: {module} imports {name} {kind}, which Package.swift does not say"
        for name in sorted(written - declared)
    ] + [
        f"ARCHITECTURE.md: {module} does not list {name} {kind}, which Package.swift declares"
        for name in sorted(declared - written)
    ]


MANIFEST = """
extension Target.Dependency {
  static let grdb = product(name: "GRDB", package: "GRDB.swift")
  static let logging = product(name: "Logging", package: "swift-log")
}
let package = Package(
  targets: [
    module("Scheduling"),
    module("HTML"),
    .systemLibrary(name: "CPNG"),
    module("Records", ["HTML", "CPNG", .grdb, .logging]),
    tests("Records", ["Records"]),
  ]
)
"""
SAMPLES: list[tuple[str, str, list[int]]] = [
    ("Scheduling", "public struct A {}\nimport Foundation\n", [2]),
    ("Scheduling", "import Synchronization\n", []),
    ("HTML", "// import GRDB\n/* import GRDB */\nlet a = \"\"\"\nimport GRDB\n\"\"\"\n", []),
    ("HTML", "import Foundation\n@testable import Server\nimport struct Hummingbird.Router\n", [2, 3]),
    ("HTML", "package import GRDB; import NIOCore\n", [1, 1]),
    ("HTML", "#if canImport(Crypto)\n  import Crypto\n#endif\n", [2]),
    ("Records", "import HTML\nimport Logging\n@preconcurrency import GRDB\nimport CPNG\nimport Testing\n", [5]),
    ("RecordsTests", "import Testing\n@testable import Records\nimport HTML\n", [3]),
]
TABLE = """## Modules
| module | holds | imports ours | imports others |
| --- | --- | --- | --- |
| `Scheduling` | dates | – | – |
| `HTML` | markup | – | – |
| `Records` | rows | HTML | libpng (pictures), GRDB |
## Next
"""


def check_self() -> None:
    """Each bad line of the samples must be reported and no good one, otherwise the check is worthless."""
    package_manifest.check_self()
    targets = package_manifest.parse(MANIFEST)
    for target, source, lines in SAMPLES:
        found = [int(line.split(":")[1]) for line in problems(targets[target], "sample", source)]
        assert found == lines, f"{target}: expected lines {lines}, found {found} in {source!r}"
    assert not undocumented(TABLE, targets), undocumented(TABLE, targets)
    for right, wrong in [("| HTML |", "| – |"), ("| HTML |", "| HTML, Scheduling |"), (", GRDB", "")]:
        assert len(undocumented(TABLE.replace(right, wrong), targets)) == 1, wrong
    assert undocumented(TABLE.replace("| `HTML` | markup | – | – |\n", ""), targets)


def main() -> int:
    check_self()
    targets = package_manifest.read()
    found, files = [], swift_files("Sources", "Tests")
    for path in files:
        name = path.parts[1]
        if name not in targets:
            found.append(f"{path}:1: target {name} is not in Package.swift")
            continue
        found += problems(targets[name], str(path), path.read_text(encoding="utf-8"))
    found += undocumented(Path("ARCHITECTURE.md").read_text(encoding="utf-8"), targets)
    print("\n".join(found), file=sys.stderr) if found else None
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
