# SPDX-License-Identifier: Apache-2.0
"""`regimen import` of an Apple Health export, and answers posted while it runs."""
import contextlib
import json
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import health_export
from harness.server import Server, ServerError, binary


def report(server: Server, *arguments: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(server.command("import", *arguments).splitlines()[-1])
    return result


def test_an_export_is_taken_over_and_again_changes_nothing(tmp_path: Path) -> None:
    """Under the lock, on an empty folder: a dry run, the file, and the same file again."""
    archive = tmp_path / "eksport.zip"
    health_export.write(archive, seed=3, megabytes=2)
    server = Server(tmp_path / "data")
    trial = report(server, "--dry-run", str(archive))
    assert trial["stored"] == 0 and trial["values"]["resting-heart-rate"] > 5
    first = report(server, str(archive))
    assert first["stored"] > 1000 and not first["skipped"]
    assert first["stored"] + first["unchanged"] + first["replaced"] == sum(first["values"].values())
    again = report(server, str(archive))
    assert (again["stored"], again["replaced"]) == (0, 0)


def test_a_file_that_is_no_export_says_so(tmp_path: Path) -> None:
    """Checks for one clear line without the program's internals."""
    broken = tmp_path / "export.zip"
    broken.write_bytes(b"PK\x03\x04 nothing of use")
    with pytest.raises(ServerError, match="archive is damaged"):
        Server(tmp_path / "data").command("import", str(broken))


def test_answers_during_an_import_all_succeed(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    """Through the socket, while answers are posted one after the other."""
    archive = tmp_path / "export.zip"
    health_export.write(archive, seed=4, megabytes=8)
    server = own_server()
    server.create_account("ann@example.org")
    server.start()
    api = server.api(server.create_token("ann@example.org"))
    plan = api.add_plan(api.events(*[1 + minute * 20 for minute in range(100)]))
    doses = [dose["id"] for dose in api.doses(plan=plan["id"])]
    with subprocess.Popen(
        [str(binary()), "import", str(archive), "--data", str(server.data)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as process:
        answered, times = 0, []
        while process.poll() is None and answered < len(doses):
            begin = time.monotonic()
            assert api.answer(doses[answered], "taken", confirm=True).status_code == 200
            times.append((time.monotonic() - begin) * 1000)
            answered += 1
        output, _ = process.communicate(timeout=120)
    assert process.returncode == 0 and answered > 0
    print(f"{answered} answers during the import, p99 {sorted(times)[len(times) * 99 // 100]:.1f} ms")
    assert json.loads(output.splitlines()[-1])["stored"] > 1000


def test_tables_and_databases_are_known_by_their_content(tmp_path: Path) -> None:
    """A Gadgetbridge database and a table, with any file name, tried and imported."""
    database = tmp_path / "Gadgetbridge"
    with contextlib.closing(sqlite3.connect(database)) as made, made:
        made.execute("CREATE TABLE DEVICE (_id INTEGER PRIMARY KEY, NAME TEXT NOT NULL)")
        made.execute("INSERT INTO DEVICE VALUES (1, 'Band')")
        made.execute(
            "CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP INTEGER NOT NULL, DEVICE_ID INTEGER NOT NULL, "
            "STEPS INTEGER NOT NULL, HEART_RATE INTEGER NOT NULL)")
        made.executemany(
            "INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (?, 1, 7, ?)",
            [(1_760_000_000 + minute * 60, 60 + minute % 30) for minute in range(500)])
    server = Server(tmp_path / "data")
    first = report(server, str(database))
    assert first["format"] == "gadgetbridge" and first["stored"] == 1000, first
    assert report(server, str(database))["unchanged"] == 1000
    table = tmp_path / "values.txt"
    table.write_text("when;pulse\n2025-10-01 07:00;61\n2025-10-02 07:00;6000\n", encoding="utf-8")
    with pytest.raises(ServerError, match="Name it with --"):
        report(server, str(table))
    columns = ["--time", "when", "--metric", "=resting-heart-rate"]
    trial = report(server, str(table), "--dry-run", *columns)
    assert trial["stored"] == 0 and [entry["value"] for entry in trial["examples"]] == [61], trial
    assert trial["leftOut"] == [{"place": "line 3", "error": "value"}]
    assert report(server, str(table), *columns)["stored"] == 1
