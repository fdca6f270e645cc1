#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the program's components against known vulnerabilities.

  audit.py                       reports each component that an advisory of docs/advisories.json affects
  audit.py --refresh PATH ...    renews that file from OSV records: a file, a folder or a zip archive of them

Packages come from docs/bill-of-materials.json, Debian's libraries in the versions installed on this machine.
Advisories use the format of the Open Source Vulnerability schema (ossf.github.io/osv-schema), as its public databases
export them. A refresh keeps only advisories about a component. Exits with 1 if a component is affected, with 2 if a
file cannot be read.
"""
import argparse
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BILL = ROOT / "docs" / "bill-of-materials.json"
ADVISORIES = ROOT / "docs" / "advisories.json"
DEBIAN = "Debian:12"


@dataclass(frozen=True)
class Component:
    ecosystem: str
    name: str
    version: str

    def is_before(self, version: str) -> bool:
        """Returns true if this component is older than a version, by the rules of its ecosystem."""
        if self.ecosystem == DEBIAN:
            command = ["dpkg", "--compare-versions", self.version, "lt", version]
            return subprocess.run(command, check=False).returncode == 0
        return semantic(self.version) < semantic(version)


def semantic(version: str) -> tuple[tuple[int, ...], int, str]:
    """Returns a sort key in the order of Semantic Versioning 2.0.0: a pre-release sorts before its release."""
    core, _, pre = version.split("+")[0].partition("-")
    numbers = tuple(int(each) if each.isdigit() else 0 for each in core.split("."))
    return numbers + (0,) * (3 - len(numbers)), 0 if pre else 1, pre


def installed(package: str) -> tuple[str, str]:
    """Returns the source package of a Debian package and its version on this machine."""
    text = subprocess.run(
        ["dpkg-query", "--show", "--showformat", "${source:Package} ${source:Version}", package],
        capture_output=True, text=True, check=True).stdout
    source, version = text.split()
    return source, version


def components(bill: dict) -> list[Component]:
    found = []
    for each in bill["components"]:
        kind, _, rest = each["purl"].removeprefix("pkg:").partition("/")
        if kind == "swift":
            found.append(Component("SwiftURL", rest.rsplit("@", 1)[0], each["version"]))
        elif kind == "deb":
            found.append(Component(DEBIAN, *installed(each["name"])))
        else:
            found.append(Component("generic", each["name"], each["version"]))
    return sorted(set(found), key=lambda each: (each.ecosystem, each.name))


def concerns(affected: dict, component: Component) -> bool:
    package = affected.get("package", {})
    name = package.get("name", "").removeprefix("https://").removesuffix(".git").lower()
    return package.get("ecosystem") == component.ecosystem and name == component.name.lower()


def is_affected(affected: dict, component: Component) -> bool:
    if component.version in affected.get("versions", []):
        return True
    for span in affected.get("ranges", []):
        if span.get("type") not in ("SEMVER", "ECOSYSTEM"):
            continue
        inside = False
        for event in span.get("events", []):
            if "introduced" in event:
                inside = inside or event["introduced"] == "0" or not component.is_before(event["introduced"])
            elif "fixed" in event and not component.is_before(event["fixed"]):
                inside = False
            elif "last_affected" in event:
                last = event["last_affected"]
                if component.version != last and not component.is_before(last):
                    inside = False
        if inside:
            return True
    return False


def records(path: Path) -> Iterator[dict]:
    """Yields the OSV records in a file (one or a list), a folder or a zip archive."""
    if path.is_dir():
        for file in sorted(path.rglob("*.json")):
            yield from records(file)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".json"):
                    yield json.loads(archive.read(name))
    else:
        content = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(content, dict) and "advisories" in content:
            content = content["advisories"]
        yield from content if isinstance(content, list) else [content]


def shortened(record: dict, known: list[Component]) -> dict | None:
    """Returns the parts of a record that the audit reads, or None if it affects no known component."""
    affected = [
        {key: each[key] for key in ("package", "ranges", "versions") if key in each}
        for each in record.get("affected", []) if any(concerns(each, one) for one in known)
    ]
    if not affected or record.get("withdrawn"):
        return None
    kept = {key: record[key] for key in ("id", "aliases", "summary", "severity") if key in record}
    return {**kept, "affected": affected}


def refresh(paths: list[Path], known: list[Component]) -> int:
    found = {
        short["id"]: short
        for path in paths for record in records(path) if (short := shortened(record, known))
    }
    document = {
        "refreshed": datetime.now(timezone.utc).date().isoformat(),
        "advisories": [found[key] for key in sorted(found)],
    }
    ADVISORIES.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"audit: kept {len(found)} advisories")
    return 0


def audit(known: list[Component], advisories: Path) -> int:
    document = json.loads(advisories.read_text(encoding="utf-8"))
    hits = [
        (component, record)
        for record in document["advisories"] for affected in record["affected"]
        for component in known if concerns(affected, component) and is_affected(affected, component)
    ]
    for component, record in hits:
        aliases = ", ".join(record.get("aliases", []))
        print(
            f"{component.name} {component.version}: {record['id']}"
            f"{f' ({aliases})' if aliases else ''}: {record.get('summary', 'no summary')}")
    print(
        f"audit: {len(known)} components, {len(document['advisories'])} advisories of "
        f"{document['refreshed']}, {len(hits)} affected")
    return 1 if hits else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--refresh", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--advisories", type=Path, default=ADVISORIES)
    parser.add_argument("--bill", type=Path, default=BILL)
    options = parser.parse_args()
    try:
        known = components(json.loads(options.bill.read_text(encoding="utf-8")))
        if options.refresh:
            return refresh(options.refresh, known)
        return audit(known, options.advisories)
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        print(f"audit: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
