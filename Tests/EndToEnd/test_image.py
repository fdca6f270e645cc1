# SPDX-License-Identifier: Apache-2.0
"""The container image: its archive, its root file system, and the program run in it."""
import hashlib
import json
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from harness.packaging import SmallProgram, refused, script, tree_version
from harness.server import REPOSITORY

PROGRAM = "usr/bin/regimen"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("package")
    program = SmallProgram(folder / "program").make()
    result = script("package", "--quick", "--output", folder, REGIMEN_BINARY=program.path)
    assert result.returncode == 0, result.stderr
    return folder / f"regimen_{tree_version()}_amd64.deb"


@pytest.fixture(scope="module")
def archive(package: Path) -> Path:
    """The unpacked archive."""
    output = package.parent
    result = script("image", "--quick", "--package", package, "--output", output)
    assert result.returncode == 0, result.stderr
    folder = output / "archive"
    with tarfile.open(output / f"regimen_{tree_version()}_amd64.oci.tar") as file:
        file.extractall(folder, filter="data")
    return folder


def blob(archive: Path, descriptor: dict) -> bytes:
    """Returns a blob after checking its size and digest."""
    content = (archive / "blobs" / descriptor["digest"].replace(":", "/")).read_bytes()
    assert len(content) == descriptor["size"]
    assert descriptor["digest"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
    return content


def manifest(archive: Path) -> dict:
    return json.loads(blob(archive, json.loads((archive / "index.json").read_text())["manifests"][0]))


@pytest.fixture(scope="module")
def root(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root file system: all layers on top of each other."""
    folder = tmp_path_factory.mktemp("root")
    folder.chmod(0o755)
    for layer in manifest(archive)["layers"]:
        path = archive / "blobs" / layer["digest"].replace(":", "/")
        subprocess.run(["tar", "-xzp", "--file", path, "--directory", folder], check=True)
    return folder


def test_every_blob_is_named_by_its_digest(archive: Path) -> None:
    assert json.loads((archive / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}
    found = manifest(archive)
    settings = json.loads(blob(archive, found["config"]))
    assert (settings["os"], settings["architecture"]) == ("linux", "amd64")
    plain = []
    for layer in found["layers"]:
        blob(archive, layer)
        path = archive / "blobs" / layer["digest"].replace(":", "/")
        content = subprocess.run(["gzip", "--decompress", "--stdout", path], capture_output=True, check=True).stdout
        plain.append(f"sha256:{hashlib.sha256(content).hexdigest()}")
    assert settings["rootfs"]["diff_ids"] == plain and len(plain) == 2
    # The list that older versions of docker read names the same blobs.
    listed = json.loads((archive / "manifest.json").read_text())[0]
    assert all((archive / name).is_file() for name in [listed["Config"], *listed["Layers"]])


def test_it_runs_as_a_user_without_rights(archive: Path, root: Path) -> None:
    settings = json.loads(blob(archive, manifest(archive)["config"]))["config"]
    assert settings["User"] == "65532:65532" and settings["Entrypoint"] == ["/usr/bin/regimen"]
    assert settings["Labels"]["org.opencontainers.image.version"] == tree_version()
    assert list(settings["Volumes"]) == ["/var/lib/regimen"] and settings["StopSignal"] == "SIGTERM"
    assert "regimen:x:65532:65532:" in (root / "etc/passwd").read_text()
    if os.geteuid() == 0:
        data = (root / "var/lib/regimen").stat()
        assert data.st_uid == 65532 and data.st_mode & 0o777 == 0o700


def test_the_root_holds_what_the_program_needs_and_no_shell(root: Path) -> None:
    for name in (
        PROGRAM, "lib64/ld-linux-x86-64.so.2", "etc/ssl/certs/ca-certificates.crt", "usr/share/zoneinfo/Europe/Oslo",
        "usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf", "etc/fonts/fonts.conf",
        "usr/share/doc/regimen/copyright", "usr/share/doc/libc6/copyright", "var/lib/dpkg/status.d/libc6",
    ):
        assert (root / name).is_file(), name
    libraries = {each.name for each in (root / "usr/lib/x86_64-linux-gnu").iterdir()}
    loaded_later = {"libpq.so.5", "libmosquitto.so.1", "libpango-1.0.so.0", "libcairo.so.2"}
    assert {"libc.so.6", "libz.so.1"} | loaded_later <= libraries
    assert [each.name for each in (root / "usr/bin").iterdir()] == ["regimen"]
    assert not [each for each in root.rglob("*") if each.is_file() and each.stat().st_mode & 0o6000]


def test_the_program_starts_in_the_read_only_root(root: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can change the root folder")
    mounts = f"mount --bind {root} {root} && mount -o remount,bind,ro {root}"
    enter = f'{mounts} && exec chroot --userspec=65532:65532 {root} "$@"'
    command = ["unshare", "--mount", "sh", "-c", enter, "sh"]
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("no mounts of our own can be made here")
    result = subprocess.run([*command, f"/{PROGRAM}"], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_same_package_gives_the_same_bytes(package: Path, archive: Path, tmp_path: Path) -> None:
    name = f"regimen_{tree_version()}_amd64.oci.tar"
    assert script("image", "--quick", "--package", package, "--output", tmp_path).returncode == 0
    assert (tmp_path / name).read_bytes() == (package.parent / name).read_bytes()


def test_a_missing_or_half_written_package_is_refused(package: Path, tmp_path: Path) -> None:
    options = ("--quick", "--output", tmp_path, "--package")
    assert "make package" in refused(script("image", *options, tmp_path / "none.deb"), "image")
    half = tmp_path / "half.deb"
    half.write_bytes(package.read_bytes()[: package.stat().st_size // 2])
    assert "dpkg-deb" in refused(script("image", *options, half), "image")
    assert not list(tmp_path.glob("*.oci.tar*"))


def test_the_compose_file_keeps_the_root_read_only() -> None:
    text = (REPOSITORY / "deploy/compose.yaml").read_text()
    assert "read_only: true" in text and "no-new-privileges" in text and "cap_drop: [ALL]" in text
    # Versions are stated, so that an upgrade is a decision.
    images = [line.split("image:")[1].strip() for line in text.splitlines() if "image:" in line]
    assert len(images) == 3 and not [each for each in images if each.endswith(":latest") or ":" not in each]
