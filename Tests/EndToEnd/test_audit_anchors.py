# SPDX-License-Identifier: Apache-2.0
"""Someone with access to the disk removes the anchors of the audit trail, or restores an earlier folder."""
import shutil
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.ringing import eventually
from harness.server import Server, ServerError


def begin(server: Server) -> None:
    server.start()
    server.invite("ann@example.org")
    api = server.api(server.create_token("ann@example.org"))
    api.add_plan(api.events(60, 120))


def test_an_emptied_trail_is_found_by_verify_and_doctor(
    own_server: Callable[..., Server],
) -> None:
    server = own_server()
    begin(server)
    server.stop()
    assert "FAIL" not in server.command("verify")
    with sqlite3.connect(server.data / "regimen.sqlite") as database:
        database.execute("DELETE FROM audit")
        database.execute("DELETE FROM audit_heads")
    for name in ("audit-head", "audit-anchors"):
        (server.data / name).unlink()
    server.start()
    assert any('"critical"' in line and "missing" in line for line in server.log)
    assert "FAIL  audit trail" in server.command("doctor", check=False)
    output = server.command("verify", check=False)
    assert "FAIL  audit trail" in output
    assert "FAIL  records against the audit trail" in output
    with pytest.raises(ServerError):
        server.command("verify")


def test_a_restored_or_new_folder_raises_no_alarm(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = own_server()
    begin(server)
    for _ in range(2):
        server.kill()
        server.start()
    secret = tmp_path / "key"
    secret.write_text("0123456789abcdef0123456789abcdef\n")
    secret.chmod(0o600)
    server.command("backup", "--to", str(tmp_path / "b"), "--passphrase-file", str(secret))
    server.stop()
    shutil.rmtree(server.data)
    server.command("restore", "--from", str(tmp_path / "b"), "--passphrase-file", str(secret))
    # The clock can be shifted only if this file exists.
    (server.data / "TEST").touch()
    server.start()
    assert not any('"critical"' in line for line in server.log)
    assert "FAIL" not in server.command("verify")


def test_anchors_elsewhere_find_a_folder_put_back(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    log = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    log.bind(("127.0.0.1", 0))
    log.settimeout(30)
    elsewhere = tmp_path / "elsewhere"
    server = own_server()
    server.environment |= {
        "REGIMEN_AUDIT_ANCHORS_FILE": str(elsewhere),
        "REGIMEN_AUDIT_ANCHORS_SYSLOG": f"udp://127.0.0.1:{log.getsockname()[1]}",
    }
    begin(server)
    eventually(elsewhere.exists, "the file elsewhere")
    assert b"regimen: audit anchor " in log.recv(4096)
    server.stop()
    old = tmp_path / "old"
    shutil.copytree(server.data, old, ignore=shutil.ignore_patterns("*.sock"))
    # Each start writes a line for its first row.
    server.start()
    server.create_token("ann@example.org")
    later = log.recv(4096)
    eventually(lambda: elsewhere.read_text().count("\n") >= 2, "the second line")
    server.stop()
    collected = tmp_path / "collected"
    collected.write_bytes(b"Nov 23 05:00:00 host " + later + b"\n")
    shutil.rmtree(server.data)
    old.rename(server.data)
    # The folder alone cannot show it, but anchors elsewhere can.
    assert "FAIL" not in server.command("verify")
    assert "FAIL" in server.command("verify", "--anchors", str(collected), check=False)
    server.start()
    assert "FAIL  audit trail" in server.command("verify", check=False)
    log.close()


def test_a_place_inside_the_data_folder_is_refused(own_server: Callable[..., Server]) -> None:
    server = own_server()
    server.environment["REGIMEN_AUDIT_ANCHORS_FILE"] = str(server.data / "anchors")
    with pytest.raises(ServerError, match="REGIMEN_AUDIT_ANCHORS_FILE"):
        server.start()
