#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the software bill of materials (CycloneDX 1.6) of the program.

Without an option it writes docs/bill-of-materials.json. With --check it compares, and fails if a package was added or
removed, or has a different version, licence or content. Versions and hashes of system components (Debian's libraries,
Swift's runtime) describe the machine that wrote the file and are not compared. It reads the packages that a build
resolved, so run it after one.
"""
import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "docs" / "bill-of-materials.json"
APPLICATION = "pkg:generic/regimen"
CHECKOUTS = ROOT / ".build" / "checkouts"

# System libraries: Debian packages, kept up to date by its security updates, and the loaded file.
SYSTEM = [
    ("libcairo2", "LGPL-2.1-only OR MPL-1.1", "libcairo.so.2"),
    ("libexpat1", "MIT", "libexpat.so.1"),
    ("libglib2.0-0", "LGPL-2.1-or-later", "libgobject-2.0.so.0"),
    ("libjpeg62-turbo", "IJG AND BSD-3-Clause AND Zlib", "libjpeg.so.62"),
    ("libmosquitto1", "EPL-2.0 OR BSD-3-Clause", "libmosquitto.so.1"),
    ("libpango-1.0-0", "LGPL-2.0-or-later", "libpango-1.0.so.0"),
    ("libpangocairo-1.0-0", "LGPL-2.0-or-later", "libpangocairo-1.0.so.0"),
    ("libpng16-16", "libpng-2.0", "libpng16.so.16"), ("libpq5", "PostgreSQL", "libpq.so.5"),
    ("libqrencode4", "LGPL-2.1-or-later", "libqrencode.so.4"),
    ("libsqlite3-0", "blessing", "libsqlite3.so.0"), ("zlib1g", "Zlib", "libz.so.1"),
]

# Vendored copies of BoringSSL: the package that contains one, and the folder in it.
BORINGSSL = [("swift-crypto", "Sources/CCryptoBoringSSL"), ("swift-nio-ssl", "Sources/CNIOBoringSSL")]
BORINGSSL_COMMIT = re.compile(r"BoringSSL Commit: ([0-9a-f]{40})")

# A phrase that occurs only in this licence's text.
LICENCES = [
    ("Apache-2.0", "Apache License"), ("MIT", "Permission is hereby granted, free of charge"),
    ("BSD-3-Clause", "Neither the name of"), ("BSD-2-Clause", "Redistributions of source code"),
]


def licence(folder: Path) -> str:
    for file in sorted(folder.glob("LICEN[CS]E*")):
        text = file.read_text(encoding="utf-8", errors="replace")
        for name, sign in LICENCES:
            if sign in text:
                return name
    raise SystemExit(f"bill of materials: no known licence in {folder}")


def output(*command: str, folder: Path = ROOT) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def sha256(data: bytes) -> list[dict]:
    return [{"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()}]


def tree_hash(checkout: Path, folder: str = "") -> list[dict]:
    """Returns the SHA-256 of the output of `git ls-tree -r HEAD`: mode, content and path of each file."""
    return sha256(output("git", "ls-tree", "-r", "HEAD", *([folder] if folder else []), folder=checkout).encode())


def component(pin: dict) -> dict:
    location, version = pin["location"].removesuffix(".git"), pin["state"]["version"]
    purl = f"pkg:swift/{location.removeprefix('https://')}@{version}"
    checkout = CHECKOUTS / location.rsplit("/", 1)[1]
    return {
        "type": "library", "bom-ref": purl, "name": pin["identity"], "version": version, "purl": purl,
        "hashes": tree_hash(checkout),
        "licenses": [{"license": {"id": licence(checkout)}}],
    }


def boringssl(package: str, folder: str) -> dict:
    manifest = (CHECKOUTS / package / "Package.swift").read_text(encoding="utf-8")
    commit = BORINGSSL_COMMIT.search(manifest)
    if commit is None:
        raise SystemExit(f"bill of materials: {package} does not name its BoringSSL commit")
    return {
        "type": "library", "bom-ref": f"boringssl-in-{package}", "name": "boringssl",
        "version": commit.group(1), "purl": f"pkg:generic/boringssl@{commit.group(1)}",
        "hashes": tree_hash(CHECKOUTS / package, folder),
        "licenses": [{"license": {"id": "ISC"}}, {"license": {"id": "OpenSSL"}}],
    }


def runtime() -> dict:
    """Returns Swift's standard library, Foundation, ICU and Dispatch, which are linked statically."""
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))
    swift = shutil.which("swift")
    if version is None or swift is None:
        raise SystemExit("bill of materials: swift does not say its version")
    archives = sorted(
        (Path(swift).resolve().parents[1] / "lib" / "swift_static" / "linux").glob("*.a"))
    return {
        "type": "library", "bom-ref": "swift-runtime", "name": "swift-runtime",
        "version": version.group(1), "purl": f"pkg:generic/swift-runtime@{version.group(1)}",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "components": [
            {"type": "file", "name": each.name, "hashes": sha256(each.read_bytes())}
            for each in archives
        ],
    }


def system_component(name: str, stated: str, file: str) -> dict:
    reference = f"pkg:deb/debian/{name}"
    # Several licences form an expression, a single one is an id.
    several = " OR " in stated or " AND " in stated
    version = output("dpkg-query", "--show", "--showformat", "${Version}", name)
    paths = [
        Path(line) for line in output("dpkg-query", "--listfiles", name).splitlines()
        if line.endswith(f"/{file}")
    ]
    if not paths:
        raise SystemExit(f"bill of materials: {name} holds no {file}")
    return {
        "type": "library", "bom-ref": reference, "name": name, "version": version,
        "purl": f"{reference}@{version}", "hashes": sha256(paths[0].resolve().read_bytes()),
        "licenses": [{"expression": stated} if several else {"license": {"id": stated}}],
    }


def of_the_machine(found: dict) -> bool:
    return found["bom-ref"] == "swift-runtime" or found["bom-ref"].startswith("pkg:deb/")


def comparable(document: dict) -> dict:
    """Returns the document without the versions and hashes that are specific to the machine that wrote it."""
    own = {"version", "purl", "hashes", "components"}
    components = [
        {key: value for key, value in each.items() if key not in own} if of_the_machine(each) else each
        for each in document["components"]
    ]
    return {**document, "components": components}


def links(node: dict, found: dict[str, set[str]]) -> None:
    """Adds the dependencies between packages, by their identities, below a node of the package manager's
    tree."""
    needs = found.setdefault(node["identity"], set())
    for child in node["dependencies"]:
        needs.add(child["identity"])
        links(child, found)


def dependencies(components: list[dict]) -> list[dict]:
    """The dependencies between packages. Those needed only by a package's own tests or examples are left
    out."""
    text = output("swift", "package", "show-dependencies", "--format", "json")
    tree = json.loads(text[text.index("{"):])
    tree["identity"] = "regimen"
    found: dict[str, set[str]] = {}
    links(tree, found)
    references = {each["name"]: each["bom-ref"] for each in components}
    system = ["swift-runtime"] + [f"pkg:deb/debian/{name}" for name, _, _ in SYSTEM]
    graph = [{
        "ref": APPLICATION,
        "dependsOn": sorted([references[each] for each in found["regimen"] if each in references] + system),
    }]
    for name, reference in sorted(references.items()):
        needs = sorted(references[each] for each in found.get(name, ()) if each in references)
        needs += [f"boringssl-in-{name}" for package, _ in BORINGSSL if package == name]
        graph.append({"ref": reference, "dependsOn": needs} if needs else {"ref": reference})
    return graph


def bill(pins: list[dict]) -> dict:
    components = [component(pin) for pin in sorted(pins, key=lambda pin: pin["identity"])]
    graph = dependencies(components)
    components += [boringssl(*each) for each in BORINGSSL] + [runtime()]
    components += [system_component(*each) for each in SYSTEM]
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {
            "component": {
                "type": "application", "bom-ref": APPLICATION, "name": "regimen",
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": components,
        "dependencies": graph,
    }


def main() -> int:
    pins = json.loads((ROOT / "Package.resolved").read_text(encoding="utf-8"))["pins"]
    found = bill(pins)
    if sys.argv[1:] != ["--check"]:
        FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return 0
    if comparable(json.loads(FILE.read_text(encoding="utf-8"))) == comparable(found):
        return 0
    print(
        "The packages are not those of docs/bill-of-materials.json. Look at what changed, then run "
        "Scripts/bill-of-materials.py and commit the file.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
