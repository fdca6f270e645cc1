# SPDX-License-Identifier: Apache-2.0
"""Reads the targets and their dependencies from the text of Package.swift, without running it."""
import re
from dataclasses import dataclass
from pathlib import Path

ALIAS = re.compile(r'static let (\w+) = product\(name: "(\w+)", package: "([\w.-]+)"\)')
TARGET = re.compile(r"(?<!func )(?<!\w)(module|tests|\.target|\.executableTarget|\.systemLibrary)\(")
DEPENDENCY = re.compile(r'"([\w-]+)"|\.(\w+)')
# A list of dependencies that several targets share: `let page: [Target.Dependency] = record + [`.
GROUP = re.compile(r"^let (\w+): \[Target\.Dependency\] = ((?:\w+ \+ )*)\[", re.MULTILINE)


@dataclass(frozen=True)
class Product:
    """A library of another package."""

    name: str
    package: str


@dataclass(frozen=True)
class Target:
    """A target of this package with its dependencies, as in the manifest."""

    name: str
    is_test: bool
    is_system: bool
    targets: tuple[str, ...]
    products: tuple[Product, ...]


def read(path: Path = Path("Package.swift")) -> dict[str, Target]:
    """Returns the targets by name, in the order of the manifest."""
    return parse(path.read_text(encoding="utf-8"))


def parse(manifest: str) -> dict[str, Target]:
    aliases = {m[1]: Product(m[2], m[3]) for m in ALIAS.finditer(manifest)}
    groups: dict[str, str] = {}
    for match in GROUP.finditer(manifest):
        own = _until_closed(manifest, match.end(), "[]")
        groups[match[1]] = _joined(match[2], own, groups)
    start = manifest.find("  targets: [\n", manifest.index("let package"))
    targets: dict[str, Target] = {}
    for match in TARGET.finditer(manifest, start):
        kind, body = match[1], _until_closed(manifest, match.end(), "()")
        name = re.search(r'"([\w-]+)"', body)
        assert name, f"a target without a name: {body}"
        ours, products = _dependencies(body, kind, aliases, groups)
        full = f"{name[1]}Tests" if kind == "tests" else name[1]
        assert full not in targets, f"target {full} stands twice in Package.swift"
        targets[full] = Target(full, kind == "tests", kind == ".systemLibrary", ours, products)
    return targets


def _dependencies(
    body: str, kind: str, aliases: dict[str, Product], groups: dict[str, str]
) -> tuple[tuple[str, ...], tuple[Product, ...]]:
    if kind.startswith("."):
        match = re.search(r"\bdependencies: ((?:\w+ \+ )*)\[", body)
    else:
        match = re.match(r'\s*"[\w-]+",\s*((?:\w+\s+\+\s+)*)\[', body)
    if kind == ".systemLibrary" or not match:
        return (), ()
    ours: list[str] = []
    products: list[Product] = []
    listed = _joined(match[1], _until_closed(body, match.end(), "[]"), groups)
    for text, alias in DEPENDENCY.findall(listed):
        if text:
            ours.append(text)
        else:
            assert alias in aliases, f"Package.swift has no product .{alias}"
            products.append(aliases[alias])
    return tuple(ours), tuple(products)


def _joined(names: str, own: str, groups: dict[str, str]) -> str:
    """Returns the text of the groups named before a list, followed by the list's own."""
    return ", ".join([groups[name] for name in re.findall(r"\w+", names)] + [own])


def _until_closed(text: str, start: int, brackets: str) -> str:
    """Returns the text up to the bracket that closes the one before the start."""
    depth = 1
    for place in range(start, len(text)):
        depth += (text[place] == brackets[0]) - (text[place] == brackets[1])
        if depth == 0:
            return text[start:place]
    raise AssertionError("a bracket of Package.swift is not closed")


SAMPLE = """
extension Target.Dependency {
  static let nio = product(name: "NIOCore", package: "swift-nio")
}
func module(
  _ name: String
) -> Target { .target(name: name) }
let base: [Target.Dependency] = ["Low"]
let page: [Target.Dependency] = base + [
  .nio
]
let package = Package(
  name: "sample",
  targets: [
    .executableTarget(name: "embed-it", swiftSettings: strict),
    .plugin(name: "EmbedIt", capability: .buildTool(), dependencies: ["embed-it"]),
    module("Low"),
    module("Words", embedding: "Catalogues"),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .target(name: "CPango", dependencies: ["CLazy"]),
    module(
      "High",
      page + [
        "CPNG"
      ], embedding: "Assets"),
    tests("High", ["High", "Low"], reading: ["Golden"]),
  ]
)
"""


def check_self() -> None:
    """The sample's targets must be found completely."""
    targets = parse(SAMPLE)
    assert list(targets) == ["embed-it", "Low", "Words", "CPNG", "CPango", "High", "HighTests"], targets
    assert targets["Words"].targets == () and targets["CPango"].targets == ("CLazy",)
    assert targets["High"].targets == ("Low", "CPNG") and targets["CPNG"].is_system
    assert targets["High"].products == (Product("NIOCore", "swift-nio"),)
    assert targets["HighTests"].is_test and targets["HighTests"].targets == ("High", "Low")
