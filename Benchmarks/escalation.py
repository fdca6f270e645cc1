# SPDX-License-Identifier: Apache-2.0
"""The time to plan many escalations, read from the database afterwards."""
import sqlite3
import time
from pathlib import Path

# The content of a delivery row besides its ids.
COLUMNS = (
    "patient, delivery, subject, generation, step, recipient, channel, address, doses, due, planned, state,"
    " next_try, attempt, changed"
)


def planned(data: Path, step: int) -> tuple[int, float]:
    """Returns the number of deliveries of a step, and the seconds between the first and the last planning."""
    with opened(data) as database:
        count, first, last = database.execute(
            "SELECT COUNT(*), MIN(planned), MAX(planned) FROM deliveries WHERE step = ?", (step,)
        ).fetchone()
    return count, (last - first) / 1000 if count else 0.0


def bare_rows(folder: Path, count: int) -> float:
    """Returns the seconds that SQLite alone takes for as many rows and updates, 200 in a transaction,
    synced each time."""
    database = sqlite3.connect(folder / "bare.sqlite")
    database.executescript(
        f"""
        PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        CREATE TABLE reminders (subject TEXT PRIMARY KEY, step INTEGER, next_at INTEGER);
        CREATE INDEX by_next ON reminders (next_at);
        CREATE TABLE deliveries ({COLUMNS}, PRIMARY KEY (patient, delivery));
        CREATE UNIQUE INDEX by_key ON deliveries (patient, subject, generation, step, recipient, address);
        CREATE UNIQUE INDEX by_id ON deliveries (delivery);
        CREATE INDEX by_due ON deliveries (patient, due);
        """
    )
    subjects = [f"{number:036d}" for number in range(count)]
    database.executemany("INSERT INTO reminders VALUES (?, 1, 0)", [(s,) for s in subjects])
    database.commit()
    places = ", ".join("?" * len(COLUMNS.split(",")))
    started = time.monotonic()
    for start in range(0, count, 200):
        part = subjects[start:start + 200]
        database.executemany("UPDATE reminders SET step = 2, next_at = 1 WHERE subject = ?", [(s,) for s in part])
        database.executemany(
            f"INSERT INTO deliveries ({COLUMNS}) VALUES ({places})",
            [(s, s, s, 1, 1, s, "push", s, s, 0, 0, "waiting", 0, 0, 0) for s in part],
        )
        database.commit()
    seconds = time.monotonic() - started
    database.close()
    return seconds


def opened(data: Path) -> sqlite3.Connection:
    (file,) = [one for one in data.iterdir() if one.suffix in (".sqlite", ".db")]
    return sqlite3.connect(f"file:{file}?mode=ro", uri=True)


def report(data: Path, folder: Path, memory: float) -> list[str]:
    """Returns the lines about the second step, which was due for all reminders at one moment."""
    count, seconds = planned(data, step=1)
    bare = bare_rows(folder, count)
    ratio = bare / seconds if seconds else 0.0
    return [
        f"{count} reminders moved on to their second step: planned within {seconds:.1f} s while they were sent,"
        f" most memory {memory:.0f} MB",
        f"  beside: the same rows in bare SQLite {bare:.1f} s (ratio {ratio:.2f})",
    ]
