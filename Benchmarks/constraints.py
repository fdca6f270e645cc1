# SPDX-License-Identifier: Apache-2.0
"""The cost of the schema's constraints: answers and Today with them, then on the same data without them.

REGIMEN_BENCH_PATIENTS is the number of people (default 500). Foreign keys, CHECKs and STRICT are removed
from a copy of the stored schema; the program is the same. Rounds alternate, since the speed of a disk
varies.
"""
import os
import re
import shutil
import sqlite3
import statistics
from pathlib import Path

from household import READER, Server, fill, furnish_reader, sign_in
from load import wrk

PEOPLE = int(os.environ.get("REGIMEN_BENCH_PATIENTS", "500"))
DOSES_EACH = 24
ROUNDS = 3


def closing(sql: str, opening: int) -> int:
    """Returns the index after the bracket that closes the one at `opening`; brackets in string literals do
    not count."""
    depth, quoted = 0, False
    for at in range(opening, len(sql)):
        if sql[at] == "'":
            quoted = not quoted
        elif not quoted:
            depth += (sql[at] == "(") - (sql[at] == ")")
            if depth == 0:
                return at + 1
    raise ValueError(f"no closing bracket in {sql!r}")


def unconstrained(sql: str) -> str:
    """Returns a CREATE TABLE without foreign keys, CHECKs and STRICT; primary keys and UNIQUE stay."""
    sql = re.sub(r"--[^\n]*", "", sql)
    while found := re.search(r"(,\s*)?(CONSTRAINT \w+\s+)?\bCHECK\s*\(", sql):
        # A table's CHECK is removed with the comma before it; a column's has none.
        sql = sql[: found.start()] + " " + sql[closing(sql, found.end() - 1):]
    keys = r"(CONSTRAINT \w+\s+)?FOREIGN KEY\s*\([^)]*\)\s*"
    reference = r"REFERENCES\s+\w+\s*(\([^)]*\))?(\s+ON (DELETE|UPDATE) (CASCADE|RESTRICT|SET NULL|NO ACTION))*"
    deferred = r"(\s+(NOT )?DEFERRABLE(\s+INITIALLY (DEFERRED|IMMEDIATE))?)?"
    sql = re.sub(rf",\s*{keys}{reference}{deferred}", "", sql)
    sql = re.sub(rf"\s{reference}{deferred}", "", sql)
    return re.sub(r"\bSTRICT\b\s*,?\s*", "", sql)


def strip(file: Path) -> int:
    """Removes the constraints from a database; returns the number of changed tables."""
    with sqlite3.connect(file) as database:
        tables = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL")
        changed = [(unconstrained(sql), name) for name, sql in tables.fetchall() if unconstrained(sql) != sql]
        database.execute("PRAGMA writable_schema = ON")
        database.executemany("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", changed)
        database.execute("PRAGMA writable_schema = RESET")
    database = sqlite3.connect(file)
    left = [name for name, sql in database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
            if sql and re.search(r"\bCHECK\s*\(|\bREFERENCES\b|\bSTRICT\b", re.sub(r"--[^\n]*", "", sql))]
    database.close()
    if left:
        raise SystemExit(f"bench: constraints are left in {', '.join(left)}")
    return len(changed)


def measure_constraints(folder: Path) -> list[str]:
    data, bare = folder / "constrained", folder / "unconstrained"
    server = Server(data, clock_offset=0)
    server.create_account(READER)
    server.start()
    furnish_reader(server)
    token = server.create_token(READER, "system/*.cruds")
    doses = folder / "constrained-doses"
    ready = fill(server, token, PEOPLE, DOSES_EACH, doses)
    server.stop()
    shutil.copytree(data, bare)
    tables = strip(bare / "regimen.sqlite")
    lines = doses.read_text().splitlines()
    share = len(lines) // ROUNDS
    rates: dict[str, list[float]] = {}
    for number in range(ROUNDS):
        part = folder / f"doses-{number}"
        part.write_text("".join(f"{line}\n" for line in lines[number * share: (number + 1) * share]))
        for place in [data, bare]:
            server = Server(place, clock_offset=0)
            server.start()
            cookie = sign_in(server, READER)
            answers = wrk(server, "/", "answers.lua", authorization=f"Bearer {token}", doses=str(part),
                          first=str(number * share))
            wrk(server, "/", seconds=1, cookie=cookie)
            page = wrk(server, "/", cookie=cookie)
            server.stop()
            if answers.errors or page.errors:
                raise SystemExit(f"bench: {answers.errors} answers and {page.errors} pages failed in {place.name}")
            rates.setdefault(f"answers {place.name}", []).append(answers.rate)
            rates.setdefault(f"Today {place.name}", []).append(page.rate)
    found = [f"cost of the schema's constraints ({tables} tables, {ready} doses, median of {ROUNDS} rounds; aim: 10 %):"]
    for what in ["answers", "Today"]:
        having, free = (statistics.median(rates[f"{what} {place.name}"]) for place in [data, bare])
        found.append(f"  {what:8} {having:6.0f} per s with, {free:6.0f} without: {100 * (1 - having / free):+.1f} %")
    return found
