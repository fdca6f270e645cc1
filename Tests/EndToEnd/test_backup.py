# SPDX-License-Identifier: Apache-2.0
"""Backups of a running server: consistent, intact after a kill, and restorable."""
import base64
import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import requests

from harness.api import new_event
from harness.server import PASSWORD, Server, binary

EMAIL = "ann@example.org"
PASSPHRASE = "eleven brown horses by the sea"


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {k: v for k, v in os.environ.items() if not k.startswith("REGIMEN_")}
    return subprocess.run(
        [str(binary()), *arguments], capture_output=True, text=True, timeout=60, env=environment)


def restore(file: Path, target: Path, secret: Path) -> "subprocess.CompletedProcess[str]":
    return run("restore", "--from", str(file), "--data", str(target), "--key-file", str(secret))


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A key file, because a passphrase costs a second each time."""
    path = tmp_path / "key"
    path.write_text(base64.b64encode(os.urandom(32)).decode() + "\n")
    return path


def test_what_was_acknowledged_before_a_backup_is_in_it(
    own_server: Callable[..., Server], tmp_path: Path, key: Path
) -> None:
    server = own_server().start()
    server.create_account(EMAIL)
    api = server.api(server.create_token(EMAIL))
    api.add_plan(api.events(*[minute / 10 + 1 for minute in range(400)]))
    doses = [dose["id"] for dose in api.doses()]
    acknowledged: list[str] = []
    stop = threading.Event()

    def answer() -> None:
        for dose in doses:
            if stop.is_set():
                return
            try:
                if api.answer(dose, "taken", event=new_event(), confirm=True).status_code == 200:
                    acknowledged.append(dose)
            except requests.RequestException:
                return  # The server was killed.

    poster = threading.Thread(target=answer)
    poster.start()
    while not acknowledged:
        time.sleep(0.01)
    before = list(acknowledged)
    file = tmp_path / "one.backup"
    said = server.command("backup", "--to", str(file), "--key-file", str(key))
    assert "read back and complete" in said
    assert poster.is_alive() or len(acknowledged) == len(doses)
    good = file.read_bytes()

    # Killed during the next one, the earlier file is unchanged.
    second = subprocess.Popen(
        [str(binary()), "backup", "--to", str(file), "--key-file", str(key), "--data", str(server.data)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20
    while not file.with_suffix(".backup.part").exists() and second.poll() is None:
        assert time.monotonic() < deadline
    server.kill()
    stop.set()
    poster.join()
    _, error = second.communicate(timeout=30)
    if second.returncode == 0:
        good = file.read_bytes()  # It was faster.
    else:
        assert len(error.strip().splitlines()) == 1
    assert file.read_bytes() == good

    target = tmp_path / "restored"
    result = restore(file, target, key)
    assert result.returncode == 0, result.stderr
    assert "ok    audit trail, doses and intakes" in result.stdout
    copy = Server(target)
    copy.start()
    try:
        # The backup contains the browser's session, the account, its password and its medicines.
        page = requests.get(f"{copy.base}/sign-in", timeout=30)
        assert page.status_code == 200
        signed = requests.post(
            f"{copy.base}/sign-in", data={"email": EMAIL, "password": PASSWORD}, timeout=60,
            allow_redirects=False, headers={"Origin": copy.base})
        assert signed.status_code == 303, signed.text[:2000]
        again = copy.api(copy.create_token(EMAIL))
        states = {dose["id"]: dose["state"] for dose in again.doses()}
        assert {states[dose] for dose in before} == {"taken"}
        assert "FAIL" not in copy.command("verify")
    finally:
        copy.kill()


def test_what_cannot_be_restored_is_refused_in_words(
    own_server: Callable[..., Server], tmp_path: Path, key: Path
) -> None:
    server = own_server()
    server.invite(EMAIL)
    file = tmp_path / "one.backup"
    # No server runs: the command works under the lock.
    server.command("backup", "--to", str(file), "--key-file", str(key))
    other = tmp_path / "other"
    other.write_text(base64.b64encode(os.urandom(32)).decode())
    phrase = tmp_path / "phrase"
    phrase.write_text(PASSPHRASE)
    cut = tmp_path / "cut.backup"
    cut.write_bytes(file.read_bytes()[:-40])
    target = tmp_path / "new"
    for result, word in [
        (restore(file, target, other), "not the passphrase or key the backup was made with"),
        (restore(cut, target, key), "cut off"),
        (restore(phrase, target, key), "is not a Regimen backup"),
        (restore(file, server.data, key), "not empty"),
        (run("restore", "--from", str(file), "--data", str(target), "--passphrase-file",
             str(phrase)), "key file"),
    ]:
        assert result.returncode == 1 and word in result.stderr, result.stderr
        assert len(result.stderr.strip().splitlines()) == 1
        assert not target.exists()
    drill = run("restore", "--drill", "--from", str(file), "--key-file", str(key))
    assert drill.returncode == 0 and "Nothing was kept" in drill.stdout
    assert run("verify", "--data", str(tmp_path / "nowhere")).returncode == 1
    assert not (tmp_path / "nowhere").exists()


def test_the_server_makes_them_by_itself_and_says_when_one_is_lost(
    own_server: Callable[..., Server], tmp_path: Path, key: Path
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    environment = {
        "REGIMEN_BACKUP_FOLDER": str(folder), "REGIMEN_BACKUP_EVERY": "24h",
        "REGIMEN_BACKUP_KEEP": "2", "REGIMEN_BACKUP_KEY_FILE": str(key),
    }
    server = own_server(environment=environment).start()
    deadline = time.monotonic() + 30
    while not (made := list(folder.glob("*.backup"))):
        assert time.monotonic() < deadline, server.tail()
        time.sleep(0.1)
    while not any("backup made" in line for line in server.log):
        assert time.monotonic() < deadline, server.tail()
        time.sleep(0.1)
    assert "ok    backup: the last one was made 0 hours ago" in server.command("doctor")
    made[0].unlink()
    said = server.command("doctor", check=False)
    assert "FAIL  backup" in said and "is missing" in said
    result = run("doctor", "--data", str(server.data))
    assert result.returncode == 1
