# SPDX-License-Identifier: Apache-2.0
"""`regimen upgrade`, and starts that are refused with one line and leave the data alone."""
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from harness.server import Server, ServerError, binary

UP_TO_DATE = "ok    the database is up to date: there is nothing to upgrade\n"


def upgrade(data: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(binary()), "upgrade", *options, "--data", str(data)], capture_output=True, text=True, timeout=60)


def refused(server: Server) -> str:
    """Returns the single line of a refused start."""
    with pytest.raises(ServerError, match="ended with 1 at the start"):
        server.start()
    assert server.log[-1].startswith("regimen: "), server.log
    return server.log[-1]


def stored(own_server: Callable[..., Server]) -> Server:
    """A stopped server with an account."""
    server = own_server()
    server.invite("ann@example.org")
    return server


def content(server: Server) -> str:
    """Returns the schema and all rows; the file itself counts how often it was opened for writing."""
    with closing(sqlite3.connect(server.data / "regimen.sqlite")) as database:
        return "\n".join(database.iterdump())


def one_line(result: "subprocess.CompletedProcess[str]") -> str:
    assert result.returncode == 1 and result.stdout == "", result
    line, = result.stderr.splitlines()
    return line


def test_a_database_of_this_version_needs_nothing(own_server: Callable[..., Server]) -> None:
    server = stored(own_server)
    before = content(server)
    for options in (["--check"], ["--no-backup", "i-have-one"]):
        result = upgrade(server.data, *options)
        assert (result.returncode, result.stdout, result.stderr) == (0, UP_TO_DATE, ""), result
    assert content(server) == before


@pytest.mark.parametrize(
    "options",
    [
        [], ["--no-backup", "yes"], ["--backup", "a"], ["--backup", "a", "--key-file", "k", "--passphrase-file", "p"],
        ["--backup", "a", "--key-file", "k", "--no-backup", "i-have-one"],
    ],
    ids=" ".join,
)
def test_an_upgrade_without_a_backup_must_be_asked_for(options: list[str], tmp_path: Path) -> None:
    result = upgrade(tmp_path, *options)
    assert result.returncode == 2 and result.stdout == "" and "--" in result.stderr


def test_the_backup_lies_outside_the_data_folder(own_server: Callable[..., Server], tmp_path: Path) -> None:
    server = stored(own_server)
    result = upgrade(server.data, "--backup", str(server.data / "a.backup"), "--key-file", str(tmp_path / "key"))
    assert result.returncode == 2 and "outside the data folder" in result.stderr
    assert not (server.data / "a.backup").exists()


def test_an_upgrade_waits_for_the_server_to_stop(own_server: Callable[..., Server], tmp_path: Path) -> None:
    server = stored(own_server).start()
    assert "in use by another process" in one_line(upgrade(server.data, "--check"))
    assert server.alive
    assert "no database" in one_line(upgrade(tmp_path / "nowhere", "--check"))
    assert not (tmp_path / "nowhere").exists()


def test_a_newer_database_refuses_this_program(own_server: Callable[..., Server]) -> None:
    server = stored(own_server)
    with sqlite3.connect(server.data / "regimen.sqlite") as database:
        database.execute("INSERT INTO schema_migrations VALUES ('m9999-newer', 'abc')")
    database.close()
    before = content(server)
    message = "regimen: The database contains m9999-newer, which this version does not know. Start a newer version."
    assert one_line(upgrade(server.data, "--check")) == message
    assert refused(server) == message
    assert content(server) == before


def test_half_a_database_file_is_refused_and_kept(own_server: Callable[..., Server]) -> None:
    server = stored(own_server)
    file = server.data / "regimen.sqlite"
    half = file.read_bytes()[:file.stat().st_size // 2]
    file.write_bytes(half)
    assert "The database file is damaged" in one_line(upgrade(server.data, "--check"))
    assert "Restore the last backup" in refused(server)
    assert file.read_bytes() == half


def test_the_keys_of_another_installation_are_refused(own_server: Callable[..., Server]) -> None:
    server, other = stored(own_server), stored(own_server)
    before = content(server)
    shutil.copy(other.data / "keys.json", server.data / "keys.json")
    assert "The database uses other keys" in one_line(upgrade(server.data, "--check"))
    assert content(server) == before
    assert not (server.data / "audit-head.conflict").exists()
