# SPDX-License-Identifier: Apache-2.0
"""The copyright file: the licence notices of Regimen and of everything that is linked into the program."""
import json
import os
import re
import shutil
from pathlib import Path

from distribution.common import ROOT, Failure

APACHE = re.compile(r"Apache License\s+Version 2\.0, January 2004")
EXCEPTION = "## Runtime Library Exception"
COPYRIGHT = re.compile(r"^\W*(Copyright\b.*\d{4}.*?)\W*$", re.MULTILINE | re.IGNORECASE)
HEAD = """\
Regimen
Copyright 2026 the Regimen contributors

Licensed under the Apache License, Version 2.0. On Debian systems its text is in
/usr/share/common-licenses/Apache-2.0.

The program contains the following software, linked statically.
"""


def checkouts() -> Path:
    """Returns the folder with the sources of all packages, which a build leaves."""
    folder = Path(os.environ.get("REGIMEN_CHECKOUTS") or ROOT / ".build/checkouts")
    if not folder.is_dir():
        raise Failure(f"{folder} is not there: build first, or name the packages' sources with REGIMEN_CHECKOUTS.")
    return folder


def notice(name: str, version: str, licence: str, folder: Path) -> str:
    """Returns the notices of one package; it is a failure if it has none."""
    texts = [
        file.read_text(encoding="utf-8", errors="replace").strip("\n")
        for pattern in ("LICEN[CS]E*", "NOTICE*", "Sources/**/LICEN[CS]E*") for file in sorted(folder.glob(pattern))]
    if not texts:
        raise Failure(f"{folder} holds no licence text of {name}.")
    parts = [title(name, version), f"Licence: {licence}"]
    # A package under Apache 2.0 names its copyright holders in a notice or in its sources.
    parts += [shortened(text) for text in texts]
    if not any(COPYRIGHT.search(text) for text in parts) and (holder := first_holder(folder)):
        parts.insert(2, holder)
    return "\n\n".join(parts)


def title(name: str, version: str) -> str:
    line = f"{name} {version}"
    return f"{line}\n{'-' * len(line)}"


def shortened(text: str) -> str:
    """Returns a licence text, or a reference if Debian has it; exceptions to it are kept."""
    if not APACHE.search(text):
        return text
    reference = "Apache License, Version 2.0: see /usr/share/common-licenses/Apache-2.0."
    _, found, exception = text.partition(EXCEPTION)
    return f"{reference}\n\n{found}{exception}".strip() if found else reference


def first_holder(folder: Path) -> str | None:
    """Returns the first copyright line in a package's sources."""
    for file in sorted(folder.glob("Sources/**/*.swift")):
        if match := COPYRIGHT.search(file.read_text(encoding="utf-8", errors="replace")[:2000]):
            return match[1]
    return None


def boringssl(version: str, package: Path) -> str:
    """Returns the notices of a vendored BoringSSL, from the heads of its files."""
    holders: set[str] = set()
    for file in package.glob("Sources/C*BoringSSL/**/*.cc"):
        head = file.read_text(encoding="utf-8", errors="replace")[:1500]
        holders |= {match.strip(" /*") for match in COPYRIGHT.findall(head)}
    if not holders:
        raise Failure(f"{package} does not name the holders of BoringSSL.")
    reference = "Apache License, Version 2.0: see /usr/share/common-licenses/Apache-2.0."
    return "\n\n".join([title("boringssl", f"{version} (in {package.name})"), "\n".join(sorted(holders)), reference])


def runtime(version: str) -> str:
    """Returns the notices of Swift's runtime, Foundation and ICU."""
    swift = shutil.which("swift")
    file = Path(swift).resolve().parents[1] / "share/swift/LICENSE.txt" if swift else Path()
    if not file.is_file():
        raise Failure("Swift's toolchain with its licence text is not installed here.")
    return "\n\n".join([
        title("Swift's runtime, Foundation and Dispatch", version),
        "Copyright 2014 Apple Inc. and the Swift project authors",
        shortened(file.read_text(encoding="utf-8")),
        title("ICU (in Foundation)", version),
        (Path(__file__).parent / "unicode-licence.txt").read_text(encoding="utf-8").strip(),
    ])


def copyright_file(bill: Path = ROOT / "docs/bill-of-materials.json") -> str:
    """Returns the notices of all components in the bill of materials that are not Debian's own packages."""
    sources = checkouts()
    folders = {each.name.lower(): each for each in sources.iterdir()}
    parts = [HEAD.strip()]
    for each in json.loads(bill.read_text(encoding="utf-8"))["components"]:
        name, version, reference = each["name"], each["version"], each["bom-ref"]
        if reference.startswith("boringssl-in-"):
            parts.append(boringssl(version, sources / reference.removeprefix("boringssl-in-")))
        elif reference == "swift-runtime":
            parts.append(runtime(version))
        elif not reference.startswith("pkg:deb/"):
            if name not in folders:
                raise Failure(f"The sources of {name} are not in {sources}. Build again.")
            licence = ", ".join(one["license"]["id"] for one in each["licenses"] if "license" in one)
            parts.append(notice(name, version, licence, folders[name]))
    return "\n\n\n".join(parts) + "\n"
