# SPDX-License-Identifier: Apache-2.0
"""How fast a large database is backed up and restored, and how much memory that takes.

REGIMEN_BENCH_BACKUP_MB is the size of the database in MB. The yardstick is SQLite's own backup, which
copies the file as it is.
"""
import base64
import os
import sqlite3
import subprocess
import time
from pathlib import Path

from household import Server, binary

SIZE_MB = int(os.environ.get("REGIMEN_BENCH_BACKUP_MB", "200"))
BODY = 1500


def _fill(database: Path) -> None:
    """Adds versions of resources until the file is large enough, while no server runs."""
    body = '{"resourceType":"Observation","note":"' + "x" * (BODY - 40) + '"}'
    connection = sqlite3.connect(database)
    with connection:
        connection.executemany(
            "INSERT INTO people (patient, display_name, zone, language) VALUES (?, 'A', 'Europe/Oslo', 'en')",
            [(f"p{n}",) for n in range(997)])
    number = 0
    while database.stat().st_size < SIZE_MB << 20:
        rows = [("Observation", f"p{n % 997}", f"{n:09}", 1, n, "create", "bench", body)
                for n in range(number, number + 20_000)]
        number += len(rows)
        with connection:
            connection.executemany("INSERT INTO resource_versions VALUES (?,?,?,?,?,?,?,?)", rows)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _timed(*command: str) -> tuple[float, float]:
    """Returns the seconds and the peak memory in MB of a program that exits with 0."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"bench: {command[1]} failed: {process.stderr.read()}")  # type: ignore[union-attr]
    return time.monotonic() - begin, usage.ru_maxrss / 1000


def measure_backup(folder: Path) -> list[str]:
    """Backup and restore under the lock, compared with a plain copy of the file by SQLite."""
    server = Server(folder / "backup", clock_offset=0)
    server.create_account("bench@example.org")
    database = server.data / "regimen.sqlite"
    _fill(database)
    size = database.stat().st_size / (1 << 20)
    key = folder / "key"
    key.write_text(base64.b64encode(os.urandom(32)).decode())
    begin = time.monotonic()
    with sqlite3.connect(database) as source, sqlite3.connect(folder / "copy.sqlite") as copy:
        source.backup(copy)
    yardstick = time.monotonic() - begin
    (folder / "copy.sqlite").unlink()
    program = str(binary())
    file, target = str(folder / "bench.backup"), str(folder / "restored")
    _, base = _timed(program, "doctor", "--data", str(server.data))
    lines = [f"backup of {size:.0f} MB (SQLite copies it in {yardstick:.1f} s; a command that reads next to "
             f"nothing takes {base:.0f} MB of memory):"]
    for name, command in [
        ("backup", ["backup", "--to", file, "--data", str(server.data)]),
        ("restore", ["restore", "--from", file, "--data", target]),
    ]:
        seconds, peak = _timed(program, *command, "--key-file", str(key))
        lines.append(f"  {name:8} {seconds:7.1f} s  {size / seconds:7.1f} MB/s  peak {peak:6.0f} MB of memory")
    return lines
