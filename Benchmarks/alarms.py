# SPDX-License-Identifier: Apache-2.0
"""Alarms: everyone's at one moment, planned and delivered, compared with the same rows in bare SQLite."""
import os
import sqlite3
import time
from datetime import datetime
from pathlib import Path

import escalation
from household import Server
from pipeline import over_connections, request
from reminders import Receiver, collect, fill, lateness, new_server, percentile

ALARMS = int(os.environ.get("REGIMEN_BENCH_ALARMS", "20000"))
EVERY_DAY = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def add_alarms(server: Server, tokens: list[str]) -> float:
    """One alarm for each person, all at one time of day; returns when that comes next."""
    body = {"kind": "water", "time": "12:00", "weekdays": EVERY_DAY}
    moments = over_connections(
        server.port, [request("POST", "/api/v1/alarms", body, token) for token in tokens],
        keep=lambda answer: answer["next"],
    )
    (moment,) = set(moments)
    return datetime.fromisoformat(moment).timestamp()


def bare_rows(folder: Path, count: int) -> float:
    """Returns the seconds that SQLite alone takes for the rows of one alarm, 200 in a transaction, synced
    each time."""
    database = sqlite3.connect(folder / "bare-alarms.sqlite")
    database.executescript(
        f"""
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        CREATE TABLE alarms (alarm TEXT PRIMARY KEY, next_due INTEGER);
        CREATE INDEX alarms_by_next ON alarms (next_due);
        CREATE TABLE alerts (alert TEXT PRIMARY KEY, subject TEXT, due INTEGER, state TEXT);
        CREATE UNIQUE INDEX alerts_by_subject ON alerts (subject);
        CREATE INDEX alerts_by_due ON alerts (due);
        CREATE TABLE reminders (subject TEXT PRIMARY KEY, step INTEGER, next_at INTEGER);
        CREATE INDEX by_next ON reminders (next_at);
        CREATE TABLE deliveries ({escalation.COLUMNS}, PRIMARY KEY (patient, delivery));
        CREATE UNIQUE INDEX by_key ON deliveries (patient, subject, generation, step, recipient, address);
        CREATE UNIQUE INDEX by_id ON deliveries (delivery);
        CREATE INDEX by_due ON deliveries (patient, due);
        """
    )
    names = [f"{number:036d}" for number in range(count)]
    database.executemany("INSERT INTO alarms VALUES (?, 0)", [(name,) for name in names])
    database.commit()
    places = ", ".join("?" * len(escalation.COLUMNS.split(",")))
    started = time.monotonic()
    for start in range(0, count, 200):
        part = names[start:start + 200]
        database.executemany("UPDATE alarms SET next_due = 1 WHERE alarm = ?", [(n,) for n in part])
        database.executemany("INSERT INTO alerts VALUES (?, ?, 0, 'open')", [(n, n) for n in part])
        database.executemany("INSERT INTO reminders VALUES (?, 0, 0)", [(n,) for n in part])
        database.executemany("UPDATE reminders SET step = 1, next_at = 1 WHERE subject = ?", [(n,) for n in part])
        database.executemany(
            f"INSERT INTO deliveries ({escalation.COLUMNS}) VALUES ({places})",
            [(n, n, n, 1, 0, n, "push", n, "", 0, 0, "waiting", 0, 0, 0) for n in part],
        )
        database.commit()
    seconds = time.monotonic() - started
    database.close()
    return seconds


def measure(folder: Path) -> list[str]:
    """Returns the lines to print."""
    receiver = Receiver(folder)
    try:
        server = new_server(folder / "alarms", receiver)
        print(f"filling with {ALARMS} people, each with a device and an alarm", flush=True)
        people = fill(server, receiver, ALARMS)
        due = add_alarms(server, people.tokens)
        server.restart(later=int(due - time.time()) - 5)
        arrivals, memory = collect(server, receiver, ALARMS, 300)
        late = lateness(arrivals, lambda n: due, server.clock_offset)
        server.stop()
    finally:
        receiver.close()
    count, seconds = escalation.planned(server.data, step=0)
    bare = bare_rows(folder, count)
    lines = [
        f"{count} alarms at one moment: planned within {seconds:.1f} s while they were sent,"
        f" {len(arrivals.first)} handed over, {arrivals.again} twice, most memory {memory:.0f} MB",
        f"  from due to hand-over p50 {percentile(late, 0.5) / 1000:.1f} s, p99"
        f" {percentile(late, 0.99) / 1000:.1f} s" if late else "  none arrived",
        f"  beside: the same rows in bare SQLite {bare:.1f} s (ratio {bare / seconds if seconds else 0:.2f})",
    ]
    if len(arrivals.first) < ALARMS:
        missing = ALARMS - len(arrivals.first)
        raise SystemExit("\n".join([*lines, f"bench: {missing} alarms never rang"]))
    return lines
