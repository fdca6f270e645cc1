# SPDX-License-Identifier: Apache-2.0
"""The systemd service's limits leave the program all that it needs, and the daily backup's script."""
import base64
import ctypes.util
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.server import REPOSITORY, Server, binary
from harness.session import Session
from harness.sign_up import new_email

SYSTEM = REPOSITORY / "Packaging/system"
LAUNCHER = REPOSITORY / "Tests/EndToEnd/harness/system_calls.py"


def test_the_allowed_system_calls_are_enough(own_server: Callable[..., Server], tmp_path: Path) -> None:
    if not ctypes.util.find_library("seccomp") or not shutil.which("systemd-analyze"):
        pytest.skip("libseccomp or systemd-analyze is not here")
    server = own_server(prefix=(sys.executable, str(LAUNCHER), str(SYSTEM / "regimen.service"))).start()
    ann = Session.by_invitation(server, new_email())
    # A page, a drawing through libraries that are loaded only now, and slow work at a lower priority.
    assert ann.get("/").status_code == 200
    assert ann.get("/report.pdf").content.startswith(b"%PDF-")
    key = tmp_path / "key"
    key.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")
    server.command("backup", "--to", str(tmp_path / "one.backup"), "--key-file", str(key))
    server.command("verify")
    server.stop()


def test_the_service_manager_hears_of_the_start_and_of_life(own_server: Callable[..., Server]) -> None:
    name = f"regimen-test-{os.urandom(8).hex()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        # A socket without a file.
        manager.bind(f"\0{name}")
        manager.settimeout(30)
        server = own_server(environment={"NOTIFY_SOCKET": f"@{name}", "WATCHDOG_USEC": "300000"}).start()
        heard = []
        while not heard or heard[-3:] != [b"WATCHDOG=1"] * 3 or b"READY=1" not in heard:
            heard.append(manager.recv(64))
        assert heard.count(b"READY=1") == 1
        server.stop()


class BackupScript:
    """The script of the backup service, with folders of the test."""

    def __init__(self, folder: Path) -> None:
        self.data, self.backups, self.key = folder / "data", folder / "backups", folder / "key"
        self.settings = folder / "regimen.conf"
        for each in (self.data, self.backups):
            each.mkdir()
        self.settings.write_text(f'# a comment\nREGIMEN_DATA="{self.data}"\nREGIMEN_BACKUP_KEEP=3\n')
        self.key.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")

    def run(self, *words: str, program: Path | str = "true") -> "subprocess.CompletedProcess[str]":
        environment = {
            "PATH": "/usr/bin:/bin", "REGIMEN_CONF": str(self.settings), "REGIMEN_BACKUPS": str(self.backups),
            "REGIMEN_KEY": str(self.key), "REGIMEN_PROGRAM": str(program),
        }
        return subprocess.run(
            [str(SYSTEM / "backup"), *words], capture_output=True, text=True, env=environment, timeout=120)

    def names(self) -> list[str]:
        return sorted(each.name for each in self.backups.iterdir())

    def add(self, *names: str) -> None:
        for age, name in enumerate(names):
            path = self.backups / name
            path.touch()
            os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))


@pytest.fixture
def script(tmp_path: Path) -> BackupScript:
    return BackupScript(tmp_path)


def test_the_daily_backup_can_be_restored(
    script: BackupScript, own_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = own_server().start()
    server.invite(new_email())
    script.settings.write_text(f"REGIMEN_DATA={server.data}\n")
    result = script.run(program=binary())
    assert result.returncode == 0, result.stderr
    [name] = script.names()
    restored = subprocess.run(
        [str(binary()), "restore", "--drill", "--from", script.backups / name, "--key-file", script.key],
        capture_output=True, text=True, timeout=60)
    assert restored.returncode == 0, restored.stderr


def test_old_backups_go_only_after_a_new_one_and_other_files_never(script: BackupScript) -> None:
    dates = [f"regimen-2026-01-0{day}.backup" for day in (5, 4, 3, 2, 1)]
    others = ["mine.backup", "regimen-2026-01-01.backup.part", "regimen-before-upgrade-from-0.1.0-2026-01-01.backup"]
    script.add(*dates, *others)
    (script.data / "regimen.sqlite").touch()
    failed = script.run(program="false")
    assert failed.returncode != 0 and script.names() == sorted(dates + others)
    assert script.run().returncode == 0
    assert script.names() == sorted(dates[:3] + others)


def test_before_an_upgrade_three_are_kept(script: BackupScript) -> None:
    names = [f"regimen-before-upgrade-from-0.1.{number}-2026-01-01.backup" for number in range(5)]
    script.add(*names, "regimen-2026-01-01.backup")
    (script.data / "postgresql").touch()
    assert script.run("upgrade", "0.2.0").returncode == 0
    assert script.names() == sorted([*names[:3], "regimen-2026-01-01.backup"])
    with script.settings.open("a") as file:
        file.write("REGIMEN_UPGRADE_BACKUP=no\n")
    result = script.run("upgrade", "0.2.0", program="false")
    assert result.returncode == 0 and "REGIMEN_UPGRADE_BACKUP=no" in result.stdout


def test_nothing_is_done_without_data_or_if_the_server_does_it(script: BackupScript) -> None:
    assert script.run(program="false").returncode == 0
    (script.data / "regimen.sqlite").touch()
    with script.settings.open("a") as file:
        file.write("REGIMEN_BACKUP_FOLDER=/elsewhere\n")
    result = script.run(program="false")
    assert result.returncode == 0 and "/elsewhere" in result.stdout


def test_settings_are_never_run_as_shell(script: BackupScript, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    script.settings.write_text(
        f"REGIMEN_DATA={script.data}\nREGIMEN_DATABASE=postgresql://a:$(touch {trace})@b/c\n"
        f"REGIMEN_X;touch {trace}=1\n`touch {trace}`\nREGIMEN_BACKUP_KEEP=$(touch {trace})\n")
    (script.data / "regimen.sqlite").touch()
    assert script.run().returncode == 0
    assert not trace.exists()
