# SPDX-License-Identifier: Apache-2.0
"""docs/operate-large.md names every key that stands in the way of a split by patient."""
import re
import sqlite3

from harness.server import REPOSITORY

MIGRATIONS = REPOSITORY / "Sources" / "Storage" / "Migrations"
# The page treats these two on their own.
APART = {"accounts", "audit"}


def unique_without_patient(database: sqlite3.Connection) -> set[str]:
    """Returns the tables about patients with a unique key that does not contain the patient."""
    found = set()
    tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    for (table,) in tables.fetchall():
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        if "patient" not in columns:
            continue
        for _, index, is_unique, *_ in database.execute(f"PRAGMA index_list({table})").fetchall():
            parts = [row[2] for row in database.execute(f"PRAGMA index_info({index})")]
            if is_unique and "patient" not in parts:
                found.add(table)
    return found


def test_every_unique_key_without_the_patient_is_named() -> None:
    database = sqlite3.connect(":memory:")
    for file in sorted(MIGRATIONS.glob("m*.sql")):
        database.executescript(file.read_text(encoding="utf-8"))
    text = (REPOSITORY / "docs" / "operate-large.md").read_text(encoding="utf-8")
    paragraph = re.search(r"\*\*Unique keys\.\*\*.*?(?=\n- \*\*)", text, re.DOTALL)
    assert paragraph
    named = set(re.findall(r"`([a-z_]+)(?: \([a-z_, ]+\))?`", paragraph[0]))
    assert named == unique_without_patient(database) - APART
