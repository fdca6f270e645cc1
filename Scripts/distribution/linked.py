# SPDX-License-Identifier: Apache-2.0
"""The bill of materials of one build: which components are linked into the program, and the libraries it loads."""
import json
import re
from datetime import datetime, timezone
from pathlib import Path

from distribution.common import ROOT, run
from distribution.layer import file_digest
from distribution.licences import checkouts
from distribution.program import LOADED_LATER, libraries, owners

# Swift puts a module's name with its length into each symbol; C modules keep their functions' names.
SYMBOL = re.compile(r"\$[sS](\d+)([A-Za-z_]\w*)")
TARGET = re.compile(r'\.target\(\s*name:\s*"(\w+)"')
VENDORED = {"boringssl-in-swift-crypto": "CCryptoBoringSSL_", "boringssl-in-swift-nio-ssl": "CNIOBoringSSL_"}


def modules_of(symbols: str) -> set[str]:
    """Returns the Swift modules that symbols belong to."""
    found: set[str] = set()
    for count, rest in SYMBOL.findall(symbols):
        found.add(rest[:int(count)])
    return found


def is_linked(component: dict, symbols: str, modules: set[str], sources: Path) -> bool:
    """Returns true if code of a component is in the program."""
    reference = component["bom-ref"]
    if prefix := VENDORED.get(reference):
        return prefix in symbols
    if not reference.startswith("pkg:swift/"):
        return True
    folder = sources / reference.split("@")[0].rsplit("/", 1)[1]
    # A module is mostly named as its folder; some manifests make their targets by functions of their own.
    names = {each.name for each in folder.glob("Sources/*") if each.is_dir()}
    names |= set(TARGET.findall((folder / "Package.swift").read_text(encoding="utf-8")))
    return bool(names & modules)


def bill(program: Path, version: str, commit: str, time: int) -> dict:
    """Returns the bill of materials of an unstripped program.

    It begins with that of the tree. A component without code in the program is marked as excluded, and one that is
    loaded only when needed as optional.
    """
    document = json.loads((ROOT / "docs/bill-of-materials.json").read_text(encoding="utf-8"))
    symbols = run("nm", "--defined-only", program)
    modules, sources = modules_of(symbols), checkouts()
    needed = set(owners(list(libraries(program).values())).values())
    for each in document["components"]:
        reference = each["bom-ref"]
        if reference.startswith("pkg:deb/"):
            later = each["name"] in LOADED_LATER.values()
            each["scope"] = "optional" if later else "required" if each["name"] in needed else "excluded"
        else:
            each["scope"] = "required" if is_linked(each, symbols, modules, sources) else "excluded"
    metadata = document["metadata"]
    metadata["timestamp"] = datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    metadata["component"] |= {
        "version": version, "hashes": [{"alg": "SHA-256", "content": file_digest(program)}],
        "properties": [{"name": "regimen:commit", "value": commit}],
    }
    return document
