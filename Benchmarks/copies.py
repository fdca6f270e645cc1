# SPDX-License-Identifier: Apache-2.0
"""Copies of one real patient's rows, with new ids, made within the database.

Copies have no account: the fields that a key seals belong to one row and cannot be copied. Rows of the audit trail
are not copied either, because they form one chain.
"""
import hashlib
import json
import re
import sqlite3
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.postgres import Cluster

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
KEPT = {"accounts", "grants", "audit"}
# The rows of a statement or a little more, and the seconds that one may take.
BATCH_ROWS = 200_000
PATIENCE = 3_600


def copied(value: str | None, number: int) -> str | None:
    """Returns the id of a copy; nothing for nothing, as in SQL."""
    return None if value is None else str(uuid.UUID(bytes=hashlib.md5(f"{number}{value}".encode()).digest()))


@dataclass
class Table:
    """A table with rows of the patient, and the expression of each column in a copy `n`."""

    name: str
    expressions: dict[str, str]
    rows: int

    def statement(self, patient: str, numbers: str) -> str:
        columns = ", ".join(self.expressions)
        values = ", ".join(self.expressions.values())
        return (
            f"INSERT INTO {self.name} ({columns}) SELECT {values} FROM {numbers} "
            f"CROSS JOIN {self.name} t WHERE t.patient = '{patient}'")


def tables(
    patient: str, names: Iterable[str], rows: dict[str, list[dict[str, object]]], others: set[str]
) -> list[Table]:
    """Returns how each table's rows are copied; `others` are ids that every copy shares, such as accounts."""
    made = []
    for name in names:
        if name not in KEPT and (own := rows[name]):
            expressions = {column: expression(column, own, patient, others) for column in own[0]}
            made.append(Table(name, expressions, len(own)))
    return made


def expression(column: str, rows: list[dict[str, object]], patient: str, others: set[str]) -> str:
    """Returns the SQL of a column: its value, with the ids in it replaced by those of the copy."""
    texts = [row[column] for row in rows if isinstance(row[column], str)]
    found = {each for text in texts for each in UUID.findall(text)} - others
    if not found:
        return f"t.{column}"
    if all(is_id(text) if len(text) == 36 else not UUID.search(text) for text in texts):
        shared = ", ".join(f"'{each}'" for each in sorted(others))
        return (
            f"CASE WHEN length(t.{column}) <> 36 OR t.{column} IN ({shared}) THEN t.{column} "
            f"ELSE copied(t.{column}, n) END")
    # Ids within a text: the same in every row, or those of other columns of the row.
    own = [
        name for name in rows[0]
        if name != "patient" and all(is_id(row[name]) and row[name] not in others for row in rows)]
    rest = found - {row[name] for row in rows for name in own} - {patient}  # type: ignore[arg-type]
    sql = f"t.{column}"
    for name in own:
        sql = f"replace({sql}, t.{name}, copied(t.{name}, n))"
    for value in [patient, *sorted(rest)]:
        sql = f"replace({sql}, '{value}', copied('{value}', n))"
    return sql


def batches(made: list[Table], count: int) -> Iterable[tuple[int, int]]:
    """Returns the first and last numbers of copies that are made together."""
    size = max(1, BATCH_ROWS // sum(table.rows for table in made))
    return [(first, min(first + size - 1, count)) for first in range(1, count + 1, size)]


def is_id(value: object) -> bool:
    return isinstance(value, str) and UUID.fullmatch(value) is not None


class PostgresCopies:
    """Copies in a PostgreSQL database, by its superuser."""

    def __init__(self, cluster: Cluster, database: str) -> None:
        self.cluster, self.database = cluster, database

    def rows(self, table: str, patient: str) -> list[dict[str, object]]:
        output = self.cluster.sql(
            f"SELECT row_to_json(t) FROM {table} t WHERE patient = '{patient}'", self.database)
        return [json.loads(line) for line in output.splitlines()]

    def names(self) -> list[str]:
        return self.cluster.sql(
            "SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' "
            "AND column_name = 'patient' ORDER BY 1", self.database).splitlines()

    def make(self, patient: str, others: set[str], count: int) -> list[Table]:
        names = self.names()
        made = tables(patient, names, {name: self.rows(name, patient) for name in names}, others)
        self.cluster.sql(
            "CREATE OR REPLACE FUNCTION copied(value text, number int) RETURNS text LANGUAGE sql IMMUTABLE "
            "PARALLEL SAFE RETURN pg_catalog.md5(number::text || value)::uuid::text", self.database)
        for first, last in batches(made, count):
            numbers = f"generate_series({first}, {last}) n"
            statements = "; ".join(table.statement(patient, numbers) for table in made)
            # The copies are consistent: references are not checked again for each row.
            self.cluster.sql(
                f"SET session_replication_role = replica; BEGIN; {statements}; COMMIT", self.database, PATIENCE)
        self.cluster.sql("VACUUM ANALYZE", self.database, PATIENCE)
        return made

    def sizes(self) -> dict[str, int]:
        """Returns the bytes of each table with its indexes."""
        lines = self.cluster.sql(
            "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables", self.database).splitlines()
        return {name: int(size) for name, size in (line.split("|") for line in lines)}

    def column(self, text: str) -> list[str]:
        return self.cluster.sql(text, self.database, PATIENCE).splitlines()


class SQLiteCopies:
    """Copies in the file of a server that is stopped."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file, isolation_level=None)
        connection.create_function("copied", 2, copied, deterministic=True)
        connection.row_factory = sqlite3.Row
        return connection

    def make(
        self, patient: str, others: set[str], count: int, only: set[str] | None = None
    ) -> list[Table]:
        """Makes copies of the rows in all tables, or only in some."""
        connection = self.connect()
        listed = connection.execute(
            "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = 'patient' "
            "WHERE m.type = 'table' ORDER BY 1").fetchall()
        names = [row[0] for row in listed if only is None or row[0] in only]
        rows = {
            name: [dict(row) for row in connection.execute(f"SELECT * FROM {name} WHERE patient = ?", (patient,))]
            for name in names}
        made = tables(patient, names, rows, others)
        connection.execute("PRAGMA synchronous = OFF")
        for first, last in batches(made, count):
            numbers = f"(SELECT value AS n FROM numbers WHERE value BETWEEN {first} AND {last})"
            connection.execute("BEGIN")
            connection.execute("CREATE TEMP TABLE IF NOT EXISTS numbers (value INTEGER PRIMARY KEY)")
            connection.executemany(
                "INSERT OR IGNORE INTO numbers VALUES (?)", ((n,) for n in range(first, last + 1)))
            for table in made:
                connection.execute(table.statement(patient, numbers))
            connection.execute("COMMIT")
        connection.execute("ANALYZE")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return made

    def sizes(self) -> dict[str, int]:
        """Returns the bytes of each table with its indexes, or of the whole file as one."""
        connection = self.connect()
        try:
            rows = connection.execute(
                "SELECT m.tbl_name, sum(s.pgsize) FROM dbstat s JOIN sqlite_schema m ON m.name = s.name "
                "GROUP BY 1").fetchall()
            return {row[0]: row[1] for row in rows}
        except sqlite3.OperationalError:
            return {"file": self.file.stat().st_size}
        finally:
            connection.close()

    def column(self, text: str) -> list[str]:
        connection = self.connect()
        found = [str(row[0]) for row in connection.execute(text)]
        connection.close()
        return found
