# SPDX-License-Identifier: Apache-2.0
"""How fast prescriptions are fetched from a hospital, and how many connections one server can serve."""
import json
import sqlite3
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from household import Server
from harness.hospital import Hospital, prescription
from harness.session import Session

PRESCRIPTIONS = 2_000
CONNECTIONS = 1_000
PEOPLE = 100
EMAIL = "bench@example.org"
# The interval between two fetches of a connection.
INTERVAL_SECONDS = 15 * 60


def _wait(look: Callable[[], bool], seconds: float = 600) -> None:
    deadline = time.monotonic() + seconds
    while not look():
        if time.monotonic() > deadline:
            raise SystemExit("bench: the hospital was not fetched from in time")
        time.sleep(0.02)


def _database(server: Server) -> sqlite3.Connection:
    (file,) = [one for one in server.data.iterdir() if one.suffix in (".sqlite", ".db")]
    return sqlite3.connect(file)


def _bare(hospital: Hospital, paths: list[str]) -> float:
    """Returns the seconds for the same requests without our server."""
    begin = time.monotonic()
    for path in paths:
        with urllib.request.urlopen(f"http://{hospital.host}{path}") as answer:
            json.loads(answer.read())
    return time.monotonic() - begin


def measure_hospital(folder: Path) -> list[str]:
    hospital = Hospital()
    hospital.page = 200
    server = Server(
        folder / "hospital", clock_offset=0, environment={"REGIMEN_OUTBOUND_HOSTS": hospital.host})
    server.start()
    try:
        return [_first(server, hospital)] + _steady(server, hospital)
    finally:
        server.kill()
        hospital.close()


def _first(server: Server, hospital: Hospital) -> str:
    for number in range(PRESCRIPTIONS):
        hospital.put(prescription(str(number), f"Medicine {number}"))
    session = Session.by_invitation(server, EMAIL)
    fields = session.form("/hospitals/new", names=("address",)).fields
    connected = session.request("POST", "/hospitals", data=fields | {"address": hospital.base})
    place = connected.headers["Location"].removesuffix("/person")
    form = session.form(f"{place}/person", names=("name", "birth-date")).fields
    hospital.requests.clear()
    begin = time.monotonic()
    session.request("POST", f"{place}/person", data=form | {"person": "p1"})
    _wait(lambda: "Up to date" in session.get(place).text)
    seconds = time.monotonic() - begin
    paths = [path for method, path in hospital.requests if method == "GET"]
    bare = _bare(hospital, paths)
    return (
        f"first fetch of {PRESCRIPTIONS} prescriptions: {seconds:.2f} s,"
        f" {PRESCRIPTIONS / seconds:.0f} a second (its {len(paths)} requests alone {bare:.2f} s)")


def _steady(server: Server, hospital: Hospital) -> list[str]:
    """Connections of many people that are due at one moment, without news for any of them."""
    for person in range(PEOPLE):
        server.ask("account create", email=f"person{person}@example.org")
    server.stop()
    # The rows of one connection, copied for each of them.
    database = _database(server)
    columns = [row[1] for row in database.execute("PRAGMA table_info(hospital_connections)")]
    (template,) = database.execute("SELECT * FROM hospital_connections").fetchall()
    marks = database.execute("SELECT type, since, tag, address FROM hospital_marks").fetchall()
    people = database.execute("SELECT account, patient FROM accounts").fetchall()
    rows = []
    for number in range(CONNECTIONS):
        account, patient = people[number % len(people)]
        row = dict(zip(columns, template)) | {
            "connection": f"bench-{number}", "patient": patient, "account": account, "next_at": 0,
            "synced": None,
        }
        rows.append([row[name] for name in columns])
        database.executemany(
            "INSERT INTO hospital_marks (patient, connection, type, since, tag, address)"
            " VALUES (?, ?, ?, ?, ?, ?)", [(patient, f"bench-{number}", *mark) for mark in marks])
        # The whole list was read just now, so that only changes are fetched.
        database.execute(
            "INSERT INTO hospital_comparisons (patient, connection, histories, tried, missing, allowed)"
            " VALUES (?, ?, '', ?, 0, 0)", (patient, f"bench-{number}", int(time.time() * 1000)))
    database.executemany(
        f"INSERT INTO hospital_connections ({', '.join(columns)})"
        f" VALUES ({', '.join('?' * len(columns))})", rows)
    database.commit()
    database.close()
    # Everything is known already: a fetch only returns the overlap.
    for resource in hospital.resources.values():
        resource["meta"]["lastUpdated"] = "2020-01-01T00:00:00Z"
    hospital.requests.clear()
    begin = time.monotonic()
    server.start()
    reader = sqlite3.connect(f"file:{next(server.data.glob('*.sqlite'))}?mode=ro", uri=True)
    _wait(lambda: reader.execute(
        "SELECT COUNT(*) FROM hospital_connections WHERE connection LIKE 'bench-%'"
        " AND synced IS NULL").fetchone()[0] == 0)
    seconds = time.monotonic() - begin
    reader.close()
    paths = [path for method, path in hospital.requests if method == "GET"]
    bare = _bare(hospital, paths)
    return [
        f"steady fetch of {CONNECTIONS} connections due at once: {seconds:.2f} s,"
        f" {CONNECTIONS / seconds:.0f} a second (its {len(paths)} requests alone {bare:.2f} s)",
        f"  at one fetch each {INTERVAL_SECONDS // 60} minutes that is room for"
        f" {CONNECTIONS / seconds * INTERVAL_SECONDS:.0f} connections",
    ]
