#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The software bill of materials (CycloneDX 1.6) of what the program is made of.

Without an option it writes docs/bill-of-materials.json; with --check it compares, and fails where a package came,
went, or has another version or licence. It reads what a build has resolved: run it after one.
"""
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "docs" / "bill-of-materials.json"
APPLICATION = "pkg:generic/regimen"
CHECKOUTS = ROOT / ".build" / "checkouts"

# Linked from the system: Debian's, with its security updates, so their versions are the machine's.
SYSTEM = [
    ("libcairo2", "LGPL-2.1-only OR MPL-1.1"), ("libglib2.0-0", "LGPL-2.1-or-later"),
    ("libjpeg62-turbo", "IJG AND BSD-3-Clause AND Zlib"),
    ("libpango-1.0-0", "LGPL-2.0-or-later"), ("libpangocairo-1.0-0", "LGPL-2.0-or-later"),
    ("libpng16-16", "libpng-2.0"), ("libpq5", "PostgreSQL"), ("libqrencode4", "LGPL-2.1-or-later"),
    ("libsqlite3-0", "blessing"), ("zlib1g", "Zlib"),
]

# What stands in a licence's text and in no other's.
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


def component(pin: dict) -> dict:
    location, version = pin["location"].removesuffix(".git"), pin["state"]["version"]
    purl = f"pkg:swift/{location.removeprefix('https://')}@{version}"
    return {
        "type": "library", "bom-ref": purl, "name": pin["identity"], "version": version, "purl": purl,
        "licenses": [{"license": {"id": licence(CHECKOUTS / location.rsplit("/", 1)[1])}}],
    }


def system_component(name: str, stated: str) -> dict:
    reference = f"pkg:deb/debian/{name}"
    # Several licences are an expression, one is an id.
    several = " OR " in stated or " AND " in stated
    return {
        "type": "library", "bom-ref": reference, "name": name, "purl": reference,
        "licenses": [{"expression": stated} if several else {"license": {"id": stated}}],
    }


def links(node: dict, found: dict[str, set[str]]) -> None:
    """Adds which package needs which, by their identities, below a node of the package manager's tree."""
    needs = found.setdefault(node["identity"], set())
    for child in node["dependencies"]:
        needs.add(child["identity"])
        links(child, found)


def dependencies(components: list[dict]) -> list[dict]:
    """Who needs whom. A package that only tests or examples of another one need is none of ours, and left out."""
    command = ["swift", "package", "show-dependencies", "--format", "json"]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tree = json.loads(output[output.index("{"):])
    tree["identity"] = "regimen"
    found: dict[str, set[str]] = {}
    links(tree, found)
    references = {each["name"]: each["bom-ref"] for each in components}
    system = [f"pkg:deb/debian/{name}" for name, _ in SYSTEM]
    graph = [{
        "ref": APPLICATION,
        "dependsOn": sorted([references[each] for each in found["regimen"] if each in references] + system),
    }]
    for name, reference in sorted(references.items()):
        needs = sorted(references[each] for each in found.get(name, ()) if each in references)
        graph.append({"ref": reference, "dependsOn": needs} if needs else {"ref": reference})
    return graph


def bill(pins: list[dict]) -> dict:
    components = [component(pin) for pin in sorted(pins, key=lambda pin: pin["identity"])]
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
        "dependencies": dependencies(components),
    }


def main() -> int:
    pins = json.loads((ROOT / "Package.resolved").read_text(encoding="utf-8"))["pins"]
    text = json.dumps(bill(pins), indent=1, ensure_ascii=False) + "\n"
    if sys.argv[1:] != ["--check"]:
        FILE.write_text(text, encoding="utf-8")
        return 0
    if FILE.read_text(encoding="utf-8") == text:
        return 0
    print(
        "The packages are not those of docs/bill-of-materials.json. Look at what changed, then run "
        "Scripts/bill-of-materials.py and commit the file.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
