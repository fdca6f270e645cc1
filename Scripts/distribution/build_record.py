# SPDX-License-Identifier: Apache-2.0
"""The record of a build: from which commit and with which tools the program was made, so that others can repeat it."""
import re
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from distribution.common import ROOT, Failure, run
from distribution.layer import file_digest

PACKAGES = re.compile(r"^BUILD_PACKAGES := (.*)$", re.MULTILINE)


def installed_digest(package: Path) -> str:
    """Returns the SHA-256 of the program in a Debian package."""
    with tempfile.TemporaryDirectory(prefix="regimen-build-") as name:
        run("dpkg-deb", "--extract", package, name)
        program = Path(name) / "usr/bin/regimen"
        if not program.is_file():
            raise Failure(f"{package.name} contains no program.")
        return file_digest(program)


def said(*command: str) -> str:
    """Returns the first line that a tool prints, or `unknown` if it is not here."""
    try:
        return run(*command).strip().split("\n")[0]
    except Failure:
        return "unknown"


def record(program: Path, package: Path, version: str, commit: str, time: int, builds: int, is_signed: bool) -> dict:
    """Returns the record; `builds` is 2 if a second build gave the same bytes, and 0 for a program built elsewhere."""
    wanted = PACKAGES.search((ROOT / "Makefile").read_text(encoding="utf-8"))
    packages = wanted[1].split() if wanted else []
    return {
        "version": version, "commit": commit,
        "time": datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "signed": is_signed, "buildsWithTheseBytes": builds,
        "program": {"built": file_digest(program), "installed": installed_digest(package)},
        "tools": {"swift": said("swift", "--version"), "debian": said("cat", "/etc/debian_version")},
        "packages": {name: said("dpkg-query", "--show", "--showformat=${Version}", name) for name in packages},
        "repeat": f"git checkout {commit} && Scripts/release --verify --unsigned",
    }
