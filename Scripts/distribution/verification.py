# SPDX-License-Identifier: Apache-2.0
"""Checks a release as someone who received its files: with coreutils, OpenSSH, dpkg-deb and tar."""
import hashlib
import io
import json
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from distribution import signature
from distribution.build_record import installed_digest
from distribution.common import Failure, run
from distribution.signature import IDENTITY, SUMS

PROGRAM = "usr/bin/regimen"
PACKAGE = re.compile(r"regimen_([^_]+)_amd64\.deb")


@dataclass
class Report:
    """Lines that begin with `ok` or `FAIL`."""

    lines: list[str] = field(default_factory=list)

    @property
    def is_well(self) -> bool:
        return not any(line.startswith("FAIL") for line in self.lines)

    def add(self, name: str, faults: list[str], well: str = "") -> None:
        self.lines += [f"FAIL  {name}: {fault}" for fault in faults] or [f"ok    {name}{': ' if well else ''}{well}"]


def check(folder: Path, signers: Path, unsigned: bool) -> Report:
    """Checks the files of a release; `unsigned` accepts one that says that it is not signed."""
    report = Report()
    sums = folder / SUMS
    if not sums.is_file():
        raise Failure(f"{folder} has no {SUMS}: it is not a release.")
    names = [line.split("  ", 1)[-1] for line in sums.read_text(encoding="utf-8").splitlines()]
    report.add("checksums", list(checksum_faults(folder, names)), f"{len(names)} files")
    if not report.is_well:
        return report
    found = {match[1] for name in names if (match := PACKAGE.fullmatch(name))}
    if len(found) != 1:
        raise Failure(f"{folder} has files of {'no version' if not found else 'several versions'}.")
    version = found.pop()
    record = document(folder / f"regimen_{version}.build.json")
    report.add(*signature_state(folder, signers, unsigned, record))
    package = folder / f"regimen_{version}_amd64.deb"
    program = installed_digest(package)
    report.add("package", list(package_faults(package, version, program, record)), f"program {program[:16]}…")
    report.add("image", list(image_faults(folder / f"regimen_{version}_amd64.oci.tar", program)), "the same program")
    bill = document(folder / f"regimen_{version}.cdx.json")
    report.add("bill of materials", list(bill_faults(bill, version, record)))
    builds = record.get("buildsWithTheseBytes")
    told = "two builds gave these bytes" if builds == 2 else "not compared with a second build"
    report.lines.append(f"      build: commit {record.get('commit')}, {told}")
    report.lines.append(f"      to repeat it: {record.get('repeat')}")
    return report


def document(path: Path) -> dict:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise Failure(f"{path} is missing or is not JSON.") from None
    if not isinstance(found, dict):
        raise Failure(f"{path} is not an object.")
    return found


def checksum_faults(folder: Path, names: list[str]) -> Iterator[str]:
    if not names:
        yield f"{SUMS} is empty"
    for name in names:
        if "/" in name or name in ("", ".", ".."):
            yield f"{name} is not the name of a file here"
            return
    try:
        run("sha256sum", "--check", "--strict", "--quiet", SUMS, folder=folder)
    except Failure:
        wrong = [each for each in names if not (folder / each).is_file()]
        yield f"{', '.join(wrong)} missing" if wrong else "a file was changed: sha256sum --check SHA256SUMS"
    others = {each.name for each in folder.iterdir()} - set(names) - {SUMS, f"{SUMS}.sig"}
    if others:
        yield f"not listed: {', '.join(sorted(others))}"


def signature_state(folder: Path, signers: Path, unsigned: bool, record: dict) -> tuple[str, list[str], str]:
    sums = folder / SUMS
    if signers.resolve().parent == folder.resolve():
        return "signature", ["the list of keys must not come with the files"], ""
    if not sums.with_name(f"{SUMS}.sig").is_file():
        if unsigned and record.get("signed") is False:
            return "signature", [], "none, and the release says so"
        return "signature", ["this release is unsigned: nobody vouches for it"], ""
    if not signature.names_key(signers):
        return "signature", [f"{signers} names no key for {IDENTITY}"], ""
    if not signature.is_valid(sums, signers):
        return "signature", [f"not by a key that {signers} names for {IDENTITY}"], ""
    return "signature", [], IDENTITY


def package_faults(package: Path, version: str, program: str, record: dict) -> Iterator[str]:
    fields = run("dpkg-deb", "--field", package, "Package", "Version").splitlines()
    if fields != ["Package: regimen", f"Version: {version}"]:
        yield f"it says {', '.join(fields)}"
    if record.get("version") != version:
        yield f"the record of the build is of {record.get('version')}"
    if record.get("program", {}).get("installed") != program:
        yield "its program is not the one in the record of the build"
    listed = run("dpkg-deb", "--contents", package)
    if "/usr/share/doc/regimen/copyright" not in listed:
        yield "the licence notices are missing"


def image_faults(archive: Path, program: str) -> Iterator[str]:
    with tarfile.open(archive) as file:
        blobs = {
            each.name: file.extractfile(each).read()  # type: ignore[union-attr]
            for each in file.getmembers() if each.isfile() and "/sha256/" in each.name}
        index = json.load(file.extractfile("index.json"))  # type: ignore[arg-type]
    for name, content in blobs.items():
        if hashlib.sha256(content).hexdigest() != name.rsplit("/", 1)[1]:
            yield f"{name} was changed"
            return
    manifest = json.loads(blobs[place(index["manifests"][0])])
    found = [digest for layer in manifest["layers"] if (digest := program_digest(blobs[place(layer)]))]
    if found != [program]:
        yield "its program is not that of the package"


def place(descriptor: dict) -> str:
    return f"blobs/{descriptor['digest'].replace(':', '/')}"


def program_digest(layer: bytes) -> str | None:
    """Returns the SHA-256 of the program in a layer, if it is there."""
    with tarfile.open(fileobj=io.BytesIO(layer)) as file:
        for each in file:
            if each.name == PROGRAM:
                return hashlib.sha256(file.extractfile(each).read()).hexdigest()  # type: ignore[union-attr]
    return None


def bill_faults(bill: dict, version: str, record: dict) -> Iterator[str]:
    if bill.get("bomFormat") != "CycloneDX" or not bill.get("specVersion"):
        yield "it is not CycloneDX"
        return
    described = bill["metadata"]["component"]
    digests = [each["content"] for each in described.get("hashes", [])]
    commits = [each["value"] for each in described.get("properties", []) if each["name"] == "regimen:commit"]
    if described.get("version") != version or commits != [record.get("commit")]:
        yield "it is of another version or commit"
    if digests != [record.get("program", {}).get("built")]:
        yield "it describes another program than the record of the build"
    if not [each for each in bill.get("components", []) if each.get("scope") == "required"]:
        yield "it lists nothing that is linked"
