# SPDX-License-Identifier: Apache-2.0
"""Checksums of a release and their signature with an OpenSSH key."""
import os
import subprocess
from pathlib import Path

from distribution.common import ROOT, Failure
from distribution.layer import file_digest

NAMESPACE = "regimen-release"
IDENTITY = "release@regimen"
SUMS = "SHA256SUMS"
SIGNERS = ROOT / "Packaging/allowed_signers"


def key() -> Path:
    """Returns the private key that REGIMEN_RELEASE_KEY names."""
    named = os.environ.get("REGIMEN_RELEASE_KEY")
    if not named:
        raise Failure(
            "Name the private key of releases: REGIMEN_RELEASE_KEY=FILE (ssh-keygen -t ed25519 makes one), or use "
            "--unsigned.")
    path = Path(named)
    if not path.is_file():
        raise Failure(f"REGIMEN_RELEASE_KEY: {path} is not there.")
    return path


def signers() -> Path:
    """Returns the file with the public keys that users trust."""
    path = Path(os.environ.get("REGIMEN_RELEASE_SIGNERS") or SIGNERS)
    if not path.is_file():
        raise Failure(f"{path} is not there. It names the public key: {IDENTITY} ssh-ed25519 AAAA…")
    if not names_key(path):
        raise Failure(f"{path} names no public key. Add a line: {IDENTITY} ssh-ed25519 AAAA…")
    return path


def names_key(path: Path) -> bool:
    """Returns true if a list of trusted keys has one for releases."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return any(IDENTITY in line.split(" ")[0].split(",") for line in lines)


def checksums(folder: Path, files: list[Path]) -> Path:
    """Writes the checksums of files in the folder, in the form that `sha256sum --check` reads."""
    target = folder / SUMS
    target.write_text("".join(f"{file_digest(each)}  {each.name}\n" for each in sorted(files)), encoding="utf-8")
    return target


def sign(sums: Path, private: Path, trusted: Path) -> Path:
    """Signs checksums, and verifies that as a user would; a signature that users would refuse is removed."""
    target = sums.with_name(f"{sums.name}.sig")
    target.unlink(missing_ok=True)
    made = subprocess.run(
        ["ssh-keygen", "-Y", "sign", "-q", "-f", private, "-n", NAMESPACE, sums], capture_output=True, text=True,
        check=False)
    if made.returncode or not target.is_file():
        target.unlink(missing_ok=True)
        said = made.stderr.strip().split("\n")[-1]
        raise Failure(f"{private} cannot sign: {said}")
    if not is_valid(sums, trusted):
        target.unlink()
        raise Failure(f"{private} is the wrong key: {trusted} does not name it for {IDENTITY}.")
    return target


def is_valid(sums: Path, trusted: Path) -> bool:
    """Returns true if the signature next to the checksums is by a trusted key."""
    with sums.open("rb") as file:
        result = subprocess.run(
            ["ssh-keygen", "-Y", "verify", "-f", trusted, "-I", IDENTITY, "-n", NAMESPACE, "-s", f"{sums}.sig"],
            stdin=file, capture_output=True, check=False)
    return result.returncode == 0
