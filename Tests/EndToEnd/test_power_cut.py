# SPDX-License-Identifier: Apache-2.0
"""The power fails while eight clients post: afterwards, every acknowledged answer is stored exactly once.

Killing a process loses nothing that it has written; only a power cut shows whether each commit was synced
before it was acknowledged. Both storage engines are tested: SQLite's file, and a PostgreSQL server.
"""
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.postgres import Cluster
from harness.power_cut import PowerCut
from harness.server import Server
from test_kill import Ledger, add_plans, attack, check

ROUNDS = int(os.environ.get("REGIMEN_POWER_CUTS", "2"))
SEED = int(os.environ.get("REGIMEN_KILL_SEED", "20260301"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path / "data")
    yield made
    made.kill()


def run(server: Server, cut: PowerCut, power_off, power_on) -> None:
    """Posts until the power fails, checks what is left, and starts again."""
    choice = random.Random(SEED)
    server.start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    ledger = Ledger(allows_outage=True)
    for round_number in range(ROUNDS):
        add_plans(server.api(token), round_number)
        # The clients continue until the server is killed.
        attack(server, token, ledger, choice)
        power_off()
        cut.cut()
        power_on()
        server.start()
        api = server.api(token)
        assert api.get("/health").status_code == 200
        unknown, ledger.unknown = ledger.unknown, []
        for write in unknown:
            assert ledger.post(api, write), f"the server died again on {write}"
        assert not ledger.wrong, ledger.wrong[:3]
        check(api, ledger)
        # The audit trail, its anchors and the records agree: a power cut raises no alarm.
        assert "FAIL" not in server.command("verify")
    print(
        f"{ROUNDS} power cuts, {len(ledger.acknowledged)} answers; of the sectors that were not "
        f"synced {cut.lost} were lost and {cut.kept} kept"
    )
    assert len(ledger.acknowledged) > ROUNDS * 5, "too few answers to show anything"
    assert cut.lost > 0, "nothing was lost, so nothing is shown"


def test_a_power_cut_loses_nothing_acknowledged(server: Server) -> None:
    cut = PowerCut(server.data, SEED)
    server.environment |= cut.environment
    cut.begin()
    try:
        run(server, cut, lambda: None, cut.begin)
        server.stop()
        with sqlite3.connect(server.data / "regimen.sqlite") as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        cut.close()


@pytest.mark.long
def test_a_power_cut_of_postgresql_loses_nothing_acknowledged(server: Server) -> None:
    cluster = Cluster(settings=("-c", "listen_addresses=", "-c", "max_wal_size=64MB"))
    cut = PowerCut(cluster.data, SEED)
    try:
        cut.begin()
        cluster.environment = cut.environment
        cluster.start()
        server.environment["REGIMEN_DATABASE"] = cluster.database()

        def on() -> None:
            (cluster.data / "postmaster.pid").unlink(missing_ok=True)
            cut.begin()
            cluster.start()

        run(server, cut, cluster.kill, on)
        server.stop()
    finally:
        cluster.close()
        cut.close()


@pytest.mark.parametrize("synchronous", ["OFF", "FULL"])
def test_the_simulation_loses_what_was_not_synced(tmp_path: Path, synchronous: str) -> None:
    """Without syncs, commits are lost, which shows that the tests above could fail."""
    folder = tmp_path / "data"
    folder.mkdir()
    cut = PowerCut(folder, SEED)
    program = f"""
import os, sqlite3
database = sqlite3.connect({str(folder / "a.sqlite")!r}, isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY)")
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
database.execute("PRAGMA synchronous = {synchronous}")
for id in range(200):
    database.execute("INSERT INTO notes VALUES (?)", (id,))
os.kill(os.getpid(), 9)
"""
    try:
        subprocess.run(
            [sys.executable, "-c", program], env=os.environ | cut.environment, check=False,
        )
        cut.cut()
        with sqlite3.connect(folder / "a.sqlite") as database:
            count = database.execute("SELECT count(*) FROM notes").fetchone()[0]
    finally:
        cut.close()
    assert (count == 200) == (synchronous == "FULL"), count
