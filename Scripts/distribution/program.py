# SPDX-License-Identifier: Apache-2.0
"""The built program: builds it, checks that it is whole, splits off debug symbols, finds its libraries."""
import os
import re
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

from distribution.common import ROOT, Failure, run, version

# Swift's own linker writes no build id unless asked, and debuggers find symbols by it.
BUILD = [
    "build", "-c", "release", "--static-swift-stdlib", "--product", "regimen", "-Xlinker", "--build-id=sha1",
]
BUILD_ID = re.compile(r"Build ID: ([0-9a-f]{8,})")
# Loaded on first use (CLazy), so that the linker does not know of them.
LOADED_LATER = {
    "libpq.so.5": "libpq5", "libcairo.so.2": "libcairo2", "libpango-1.0.so.0": "libpango-1.0-0",
    "libmosquitto.so.1": "libmosquitto1",
    "libpangocairo-1.0.so.0": "libpangocairo-1.0-0", "libgobject-2.0.so.0": "libglib2.0-0",
}


def built(scratch: Path | None = None) -> Path:
    """Returns the program that REGIMEN_BINARY names, else builds one in release mode."""
    if (named := os.environ.get("REGIMEN_BINARY")) and scratch is None:
        return Path(named)
    place = ["--scratch-path", str(scratch)] if scratch else []
    if subprocess.run(["swift", *BUILD, *place], cwd=ROOT, check=False).returncode:
        raise Failure("The program does not build.")
    return Path(run("swift", *BUILD, *place, "--show-bin-path", folder=ROOT).strip()) / "regimen"


def check(path: Path) -> None:
    """Refuses a file that is no whole program for this architecture."""
    if not path.is_file():
        raise Failure(f"{path} is not there. Build the program first, or name one with REGIMEN_BINARY.")
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(64)
        if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", head, 18)[0] != 62:
            raise Failure(f"{path} is not a program for 64-bit Linux on x86.")
        segments, sections = struct.unpack_from("<QQ", head, 32)
        segment_size, segment_count, section_size, section_count = struct.unpack_from("<HHHH", head, 54)
        end = max(64, segments + segment_size * segment_count, sections + section_size * section_count)
        if end <= size:
            file.seek(segments)
            for piece in struct.iter_unpack("<IIQQQQQQ", file.read(56 * segment_count)):
                end = max(end, piece[2] + piece[5])
    if end > size:
        raise Failure(f"{path} is incomplete: {size:,} bytes of at least {end:,}. Build or copy it again.")


def require_version(path: Path) -> str:
    """Returns what the program prints for --version, which must be the tree's version."""
    said = run(path.absolute(), "--version").strip()
    found = re.search(r"\d+\.\d+\.\d+\S*", said)
    if found is None or found[0] != version():
        raise Failure(f"The program says its version is '{said}', but VERSION says {version()}. Build it again.")
    return said


@dataclass(frozen=True)
class Stripped:
    """A program without symbols, and the file with them and its place below /usr/lib/debug."""

    program: Path
    symbols: Path | None
    place: str
    build_id: str | None


def strip(path: Path, folder: Path, symbols: bool = True) -> Stripped:
    """Splits a program into one to install and a file with its debug symbols."""
    program, debug = folder / "regimen", folder / "regimen.debug"
    found = BUILD_ID.search(run("readelf", "--notes", path))
    build_id = found[1] if found else None
    place = f".build-id/{build_id[:2]}/{build_id[2:]}.debug" if build_id else "usr/bin/regimen.debug"
    run("objcopy", "--strip-unneeded", "--remove-section=.comment", path, program)
    if symbols:
        run("objcopy", "--only-keep-debug", "--compress-debug-sections", path, debug)
        # The link holds a checksum of the file, and its name.
        link = folder / Path(place).name
        debug.rename(link)
        run("objcopy", f"--add-gnu-debuglink={link}", program)
        debug = link
    program.chmod(0o755)
    return Stripped(program, debug if symbols else None, place, build_id)


def libraries(*paths: Path) -> dict[str, Path]:
    """Returns the shared libraries that files need, directly or not, by name; a missing one is a failure."""
    found: dict[str, Path] = {}
    for path in paths:
        for line in run("ldd", path).splitlines():
            name, _, place = (part.strip() for part in line.partition("=>"))
            if place.startswith("not found"):
                raise Failure(f"{path.name} needs {name}, which is not installed here.")
            where = (place or name).split(" (")[0]
            if where.startswith("/"):
                found[Path(name.split(" (")[0]).name] = Path(where)
    return found


def loaded_later() -> list[Path]:
    """Returns the libraries that the program loads on first use, as installed here."""
    cache = run("/sbin/ldconfig", "-p")
    found = []
    for name, package in LOADED_LATER.items():
        place = re.search(rf"^\s*{re.escape(name)} \(.*x86-64.*\) => (\S+)$", cache, re.MULTILINE)
        if place is None:
            raise Failure(f"{name} is not installed here: apt install {package}")
        found.append(Path(place[1]))
    return found


def owners(paths: list[Path]) -> dict[Path, str]:
    """Returns the Debian packages that files belong to; files of no package are left out."""
    wanted: dict[str, Path] = {}
    for path in paths:
        for each in (path, path.resolve()):
            # The package may hold it under the name before /lib became a link to /usr/lib, or after.
            short = str(each).removeprefix("/usr")
            wanted |= {str(each): path, short: path, f"/usr{short}": path}
    # One query, since each reads the lists of all packages.
    result = subprocess.run(
        ["dpkg-query", "--search", *sorted(wanted)], capture_output=True, text=True, check=False)
    found: dict[Path, str] = {}
    for line in result.stdout.splitlines():
        packages, _, name = line.partition(": /")
        if (path := wanted.get(f"/{name}")) and not line.startswith("diversion "):
            found[path] = packages.split(",")[0].split(":")[0]
    return found
