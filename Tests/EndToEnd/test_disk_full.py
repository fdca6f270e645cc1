# SPDX-License-Identifier: Apache-2.0
"""A full disk: new data is refused, reminders continue, and everything works again once there is space."""
import base64
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests

from harness.api import TIMEOUT, new_event
from harness.ringing import Ring, eventually
from harness.server import Server, binary


def disk(place: Path, size: str) -> Iterator[Path]:
    """A file system of a set size, for the duration of a test."""
    place.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)],
        capture_output=True, text=True)
    if mount.returncode != 0:
        pytest.skip(f"no file system of a set size can be made here: {mount.stderr.strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    yield from disk(tmp_path / "small", "24m")


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    yield from disk(tmp_path / "tiny", "4k")


def fill(path: Path) -> None:
    """Fills the disk."""
    with path.open("ab", buffering=0) as file:
        for size in (1 << 20, 4096):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue


def test_a_full_disk(small_disk: Path) -> None:
    ring = Ring(small_disk)
    ring.server.start()
    try:
        person = ring.person()
        device = person.subscribe()
        doses = person.plan_in(9, *[60 + number for number in range(40)])
        api = person.api
        filler = small_disk / "filler"

        def answer(dose: str) -> requests.Response:
            return api.session.post(
                f"{api.base}/api/v1/doses/{dose}/answers",
                json={"action": "taken", "event": new_event(), "confirm": True}, timeout=TIMEOUT)

        assert answer(doses[1]).status_code == 200
        fill(filler)
        refused = None
        for _ in range(100):
            response = answer(doses[2])
            if response.status_code == 507:
                refused = response
                break
            time.sleep(0.05)
        assert refused is not None, "writes were taken on a full disk"
        assert refused.headers["Content-Type"].startswith("application/problem+json")
        assert "full" in refused.json()["detail"]
        eventually(
            lambda: any("disk is full" in line for line in ring.server.log), "the reserve", 10)
        # Reading continues, and so do reminders.
        assert api.ok("/health") == {"status": "ok"}
        assert len(api.doses()) >= 40
        eventually(lambda: device.rung(doses[0]), "the reminder on a full disk", 30)

        filler.unlink()
        eventually(lambda: answer(doses[3]).status_code == 200, "room for answers", 10)
        assert api.dose(doses[3])["state"] == "taken"
        assert api.dose(doses[1])["state"] == "taken"
        assert "FAIL" not in ring.server.command("verify")
        ring.server.restart()
        assert person.api.dose(doses[3])["state"] == "taken"
    finally:
        ring.close()


def test_a_backup_that_does_not_fit(
    tiny_disk: Path, own_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = own_server()
    server.invite("ann@example.org")
    key = tmp_path / "key"
    key.write_text(base64.b64encode(bytes(32)).decode())
    result = subprocess.run(
        [str(binary()), "backup", "--to", str(tiny_disk / "one.backup"), "--key-file", str(key),
         "--data", str(server.data)], capture_output=True, text=True, timeout=60)
    assert result.returncode == 1 and "disk is full" in result.stderr
    assert list(tiny_disk.iterdir()) == []
