# SPDX-License-Identifier: Apache-2.0
"""The package under a running systemd, booted in a bare Debian: start, backup timer, watchdog, stop.

`make soak` runs it, as `test_package_life.py`. It is skipped where systemd cannot boot in a container.
"""
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.bare_debian import BareDebian, bare_debian
from harness.packaging import tree_version

PACKAGES = os.environ.get("REGIMEN_PACKAGE_LIFE")
pytestmark = [
    pytest.mark.skipif(not PACKAGES, reason="REGIMEN_PACKAGE_LIFE names no folder with the package; make soak does"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can boot a system in a folder"),
]
# Systemd waits this long for a sign of life, instead of three minutes.
WATCHDOG_SECONDS = 6
# Runs inside, once everything has started, and writes one file for each question.
WALK = """\
#!/bin/sh
mkdir /walk && cd /walk || exit 1
export SYSTEMD_PAGER=
health() { runuser -u regimen -- regimen health --data /var/lib/regimen; }
main() { systemctl show regimen -p MainPID --value; }
wait_for_other_than() {
  for _ in $(seq 120); do
    new=$(main)
    [ "$new" != 0 ] && [ "$new" != "$1" ] && [ "$(systemctl is-active regimen)" = active ] && return
    sleep 0.5
  done
}
wait_for_other_than 0
systemctl show regimen -p Type,ActiveState,NRestarts >started
health >>started 2>&1
systemd-analyze security --no-pager regimen.service | tail -1 >security
systemctl is-enabled regimen.service regimen-backup.timer >enabled
systemctl is-active regimen-backup.timer >>enabled
systemctl start regimen-backup.service; echo "$?" >backup
ls /var/backups/regimen >>backup
old=$(main)
kill -STOP "$old"
wait_for_other_than "$old"
systemctl show regimen -p ActiveState,NRestarts >restarted
health >>restarted 2>&1
journalctl -u regimen --no-pager >journal
systemctl stop regimen; echo "$?" >stopped
systemctl show regimen -p ActiveState,Result,ExecMainStatus >>stopped
systemctl poweroff
"""
UNIT = "[Unit]\nAfter=multi-user.target\n[Service]\nExecStart=/usr/local/bin/walk\n"


def boot(root: Path) -> str:
    """Boots the system in a folder, waits until it powers itself off, and returns what its console said."""
    # Without registration, the host needs no systemd of its own; without a network, ports are those of the guest.
    command = [
        "systemd-nspawn", "--quiet", "--directory", str(root), "--boot", "--keep-unit", "--register=no",
        "--private-network"]
    result = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", timeout=300)
    return result.stdout


def lines(root: Path, name: str) -> list[str]:
    return (root / "walk" / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.skipif(not shutil.which("systemd-nspawn"), reason="systemd-nspawn is not installed (systemd-container)")
def test_systemd_starts_watches_and_stops_the_server() -> None:
    with bare_debian() as debian:
        walk_through(debian)


def walk_through(debian: BareDebian) -> None:
    debian.run("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", "systemd-sysv", "dbus")
    debian.install(Path(PACKAGES or "") / f"regimen_{tree_version()}_amd64.deb")
    subprocess.run(["umount", debian.root / "proc"], check=True)
    units = debian.root / "etc/systemd/system"
    (units / "regimen.service.d").mkdir(parents=True)
    (units / "regimen.service.d/watchdog.conf").write_text(f"[Service]\nWatchdogSec={WATCHDOG_SECONDS}\n")
    (units / "walk.service").write_text(UNIT)
    (units / "multi-user.target.wants").mkdir(exist_ok=True)
    (units / "multi-user.target.wants/walk.service").symlink_to("../walk.service")
    walk = debian.root / "usr/local/bin/walk"
    walk.write_text(WALK)
    walk.chmod(0o755)

    console = boot(debian.root)
    if not (debian.root / "walk").is_dir():
        pytest.skip(f"systemd does not boot here: {console.strip()[-300:]}")
    started = lines(debian.root, "started")
    assert {"Type=notify", "ActiveState=active", "NRestarts=0", "ok"} <= set(started), started
    [exposure] = lines(debian.root, "security")
    assert float(exposure.split("regimen.service:")[1].split()[0]) <= 2.0, exposure
    assert lines(debian.root, "enabled") == ["enabled", "enabled", "active"]
    status, backup = lines(debian.root, "backup")
    assert status == "0" and backup.startswith("regimen-") and backup.endswith(".backup")
    restarted = lines(debian.root, "restarted")
    assert {"ActiveState=active", "NRestarts=1", "ok"} <= set(restarted), restarted
    journal = "\n".join(lines(debian.root, "journal"))
    assert "Watchdog timeout" in journal and "Failed with result 'watchdog'" in journal
    stopped = lines(debian.root, "stopped")
    assert stopped[0] == "0"
    assert {"ActiveState=inactive", "Result=success", "ExecMainStatus=0"} <= set(stopped), stopped
