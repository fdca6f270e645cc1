# SPDX-License-Identifier: Apache-2.0
"""The whole life of the package in a bare Debian: install, start, sign up, ring, upgrade, restore, remove, purge.

`make soak` runs it: REGIMEN_PACKAGE_LIFE names the folder with the package. It needs root and Debian's mirror.
"""
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.bare_debian import BareDebian, bare_debian
from harness.ntfy_receiver import NtfyReceiver
from harness.packaging import tree_version
from harness.ringing import eventually
from harness.server import PASSWORD, Server
from harness.session import Session

PACKAGES = os.environ.get("REGIMEN_PACKAGE_LIFE")
EMAIL = "ann@example.org"
pytestmark = [
    pytest.mark.skipif(not PACKAGES, reason="REGIMEN_PACKAGE_LIFE names no folder with the package; make soak does"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a root file system"),
]


@pytest.fixture
def debian() -> Iterator[BareDebian]:
    with bare_debian() as made:
        yield made


def newer(package: Path, folder: Path) -> Path:
    """Returns the same package with a higher version."""
    tree = folder / "newer"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(control.read_text().replace(f"Version: {tree_version()}\n", f"Version: {tree_version()}.1\n"))
    target = folder / f"regimen_{tree_version()}.1_amd64.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, target], check=True)
    shutil.rmtree(tree)
    return target


def test_from_the_installation_to_the_purge(
    debian: BareDebian, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = Path(PACKAGES or "") / f"regimen_{tree_version()}_amd64.deb"
    said = debian.install(package)
    assert len([line for line in said.splitlines() if line.startswith("Regimen: ")]) == 1, said
    data, backups = debian.root / "var/lib/regimen", debian.root / "var/backups/regimen"
    user = data.stat().st_uid
    assert user != 0 and data.stat().st_mode & 0o777 == 0o700 and backups.stat().st_uid == user
    assert (debian.root / "etc/regimen/backup.key").stat().st_mode & 0o777 == 0o640
    assert f"regimen {tree_version()}" in debian.run("regimen", "--version")

    monkeypatch.setenv("REGIMEN_BINARY", str(debian.root / "usr/bin/regimen"))
    ntfy = NtfyReceiver()
    server = Server(
        data, clock_offset=0, prefix=("chroot", "--userspec=regimen:regimen", str(debian.root)),
        environment={"REGIMEN_NTFY_URL": ntfy.base})
    try:
        server.start()
        ann = Session(server)
        form = ann.form("/welcome", names=("email", "password"))
        fields = {next(name for name in form.names if part in name): value for part, value in (
            ("code", server.setup_code()), ("name", "Ann"))}
        ann.submit("/welcome", "email", "password", email=EMAIL, password=PASSWORD, country="no", **fields)
        ann.submit("/device/ntfy", "server", topic="my-topic")
        (first,) = eventually(lambda: ntfy.taken("my-topic"), "the test")
        base = server.base
        ann.own.post(first.body["click"], headers={"Origin": base}, timeout=20).raise_for_status()
        token = server.create_token(EMAIL)
        api = server.api(token)
        api.add_plan(api.events(0.1), name="Methotrexate")
        eventually(lambda: ntfy.taken("my-topic")[1:], "the reminder", seconds=60)
        [dose] = api.doses()
        assert api.answer(dose["id"], "taken", confirm=True).status_code == 200

        # The daily backup of the running server, then an upgrade with its own.
        debian.run("/usr/lib/regimen/backup", user="regimen:regimen")
        [daily] = backups.glob("regimen-????-??-??.backup")
        debian.run("sh", "-c", "echo '# mine' >>/etc/regimen/regimen.conf")
        again = newer(package, tmp_path)
        # Without a backup there is no upgrade, and the old version stays.
        backups.chmod(0o500)
        key = debian.root / "etc/regimen/backup.key"
        key.rename(key.with_suffix(".away"))
        shutil.copy(again, debian.root / "tmp/newer.deb")
        said = debian.run("dpkg", "--install", "/tmp/newer.deb", check=False)
        assert "not upgraded, because there is no backup" in said, said
        assert f"Version: {tree_version()}\n" in debian.run("dpkg", "--status", "regimen")
        key.with_suffix(".away").rename(key)
        backups.chmod(0o700)
        debian.run("dpkg", "--install", "/tmp/newer.deb")
        assert list(backups.glob(f"regimen-before-upgrade-from-{tree_version()}-*.backup"))
        assert "# mine" in (debian.root / "etc/regimen/regimen.conf").read_text()
        server.restart()
        assert server.api(token).dose(dose["id"])["state"] == "taken"
        server.stop()

        inside = f"/var/backups/regimen/{daily.name}"
        debian.run(
            "regimen", "restore", "--from", inside, "--data", "/var/lib/regimen/restored", "--key-file",
            "/etc/regimen/backup.key", user="regimen:regimen")
        debian.run("regimen", "verify", "--data", "/var/lib/regimen/restored", user="regimen:regimen")
        shutil.rmtree(data / "restored")
    finally:
        server.kill()
        ntfy.close()

    debian.run("apt-get", "remove", "--yes", "regimen")
    assert (data / "regimen.sqlite").is_file() and (debian.root / "etc/regimen/regimen.conf").is_file()
    said = debian.run("apt-get", "purge", "--yes", "regimen")
    # Without an answer the data stays, and the message says where.
    assert "the data stay in /var/lib/regimen" in said
    assert (data / "regimen.sqlite").is_file() and daily.is_file() and key.is_file()
    assert not (debian.root / "etc/regimen/regimen.conf").exists()
    debian.install(package)
    debian.run("debconf-set-selections", stdin="regimen regimen/purge-data boolean true\n")
    debian.run("apt-get", "purge", "--yes", "regimen")
    assert not data.exists() and not backups.exists() and not key.exists()
