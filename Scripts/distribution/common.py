# SPDX-License-Identifier: Apache-2.0
"""The parts that package, image and release share: failures in one line, commands, version and time."""
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "dist"
ARCHITECTURE = "amd64"
NAME = "regimen"
VERSION = re.compile(r"\d+\.\d+\.\d+(?:~[a-z0-9.]+)?")


class Failure(Exception):
    """A failure that ends the script with one line on standard error and status 1."""


def finish(name: str, main: Callable[[], None]) -> None:
    """Runs a script's main function and reports its failure in the documented form."""
    try:
        main()
    except Failure as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        sys.exit(1)
    except OSError as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(1)


def run(*command: str | Path, folder: Path | None = None, environment: dict[str, str] | None = None) -> str:
    """Returns the standard output of a command; its failure carries the end of its standard error."""
    try:
        result = subprocess.run(
            [str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False,
            env=None if environment is None else os.environ | environment)
    except FileNotFoundError:
        raise Failure(f"{command[0]} is not installed.") from None
    if result.returncode != 0:
        said = (result.stderr or result.stdout).strip().split("\n")
        raise Failure(f"{Path(command[0]).name} ended with {result.returncode}: {said[-1]}")
    return result.stdout


def version() -> str:
    """Returns the version of the tree: the first line of VERSION."""
    file = ROOT / "VERSION"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    found = lines[0].strip() if lines else ""
    if not VERSION.fullmatch(found):
        raise Failure(f"The first line of VERSION must be a version such as 0.9.0, not '{found}'.")
    return found


def commit() -> str:
    return run("git", "rev-parse", "HEAD", folder=ROOT).strip()


def source_time() -> int:
    """Returns the time of every packed file: SOURCE_DATE_EPOCH, else that of the last commit."""
    stated = os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct", folder=ROOT).strip()
    if not stated.isdigit():
        raise Failure("SOURCE_DATE_EPOCH must be the seconds since 1970.")
    return int(stated)


def install(*packages: str) -> None:
    """Installs missing Debian packages, if this is Debian."""
    if subprocess.run([ROOT / "Scripts/install-packages", *packages], stdout=sys.stderr, check=False).returncode:
        raise Failure(f"These Debian packages could not be installed: {' '.join(packages)}")
