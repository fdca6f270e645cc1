# SPDX-License-Identifier: Apache-2.0
"""The doctor's home with a very large number of patients, compared with the bare route of the same
process."""
import os
import sqlite3
import time
from pathlib import Path

from household import READER, Client, Server, sign_in

PATIENTS = int(os.environ.get("REGIMEN_BENCH_PANEL", "2000"))
DOSES_A_DAY, DAYS, ROUNDS = 3, 30, 200
HOUR = 3_600_000


def furnish(file: Path, account: str, now: int) -> None:
    """Adds patients to the account, each with a month of doses, one in ten of them not taken."""
    database = sqlite3.connect(file)
    for number in range(PATIENTS):
        patient, other = f"{number:08d}-0000-4000-8000-000000000000", f"account-{number}"
        database.execute(
            "INSERT INTO people (patient, display_name, zone, language) VALUES (?, ?, 'Europe/Oslo', 'en')",
            (patient, f"Patient number {number}"))
        database.execute(
            """
            INSERT INTO accounts (account, email_sealed, email_index, display_name, patient, administrator,
              created, changed) VALUES (?, x'01', ?, 'A', ?, 0, 1, 1)
            """, (other, other.encode(), patient))
        database.execute(
            """
            INSERT INTO plans (patient, plan, request_version, status, medicine_name, ingredients, policy, era,
              kind, anchor, anchor_date, active_from, planned_through, created, changed)
            VALUES (?, 'plan', 1, 'active', 'M', '', 'follow', 1, 'none', 0, '2026-01-01', 0, ?, 0, 0)
            """, (patient, 1 << 62))
        for who, relationship in [(account, "practitioner"), (other, "self")]:
            database.execute(
                "INSERT INTO grants (patient, account, relationship, starts) VALUES (?, ?, ?, 0)",
                (patient, who, relationship))
        rows = []
        for count in range(DOSES_A_DAY * DAYS):
            due = now - count * 24 * HOUR // DOSES_A_DAY - 13 * HOUR
            chance = (number * 31 + count * 7) % 40
            state = "refused" if chance == 0 and number % 9 == 0 else "open" if chance < 4 else "taken"
            rows.append((patient, f"{number}-{count}", due, due + HOUR, due + 4 * HOUR, state,
                         None if state == "open" else f"{number}-{count}", due))
        database.executemany(
            """
            INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until, state, answer,
              version, reminder, answered_at) VALUES (?, 'plan', 1, ?, ?, ?, ?, ?, ?, 1, '', ?)
            """, rows)
        if number % 7 == 0:
            database.execute(
                """
                INSERT INTO heart_rate_warnings (patient, warning, kind, day, created, method, is_monitored,
                  doses_in_doubt) VALUES (?, ?, 'heart', '2026-01-01', ?, 'dynamic', 1, 0)
                """, (patient, f"warning-{number}", now - 30 * HOUR))
        database.execute(
            """
            INSERT INTO push_subscriptions (subscription, account, endpoint_sealed, endpoint_index, keys_sealed,
              host, created, handed_over, unshown, first_unshown) VALUES (?, ?, x'01', ?, x'01', 'h', 1, 9, ?, ?)
            """, (f"device-{number}", other, other.encode(), 6 if number % 11 == 0 else 0, now - 60 * HOUR))
    database.commit()
    database.close()


def times(client: Client, path: str, cookie: str) -> tuple[list[float], int]:
    """Returns the milliseconds of each of many requests, one after the other, and the size of an answer."""
    found, length = [], 0
    for _ in range(ROUNDS):
        begin = time.monotonic()
        answer = client.send("GET", path, headers={"Cookie": cookie})
        found.append((time.monotonic() - begin) * 1000)
        if answer.status != 200:
            raise SystemExit(f"bench: {path}: {answer.status}")
        length = len(answer.content)  # type: ignore[attr-defined]
    return sorted(found), length


def measure_care_panel(folder: Path) -> list[str]:
    """Returns the lines to print."""
    server = Server(folder / "panel", clock_offset=0)
    server.create_account(READER)
    server.start()
    me = server.api(server.create_token(READER)).ok("/api/v1/me")
    server.stop()
    furnish(server.data / "regimen.sqlite", me["account"]["id"], int(time.time() * 1000))
    server.start()
    cookie, client = sign_in(server, READER), Client(server)
    times(client, "/care", cookie)
    bare, _ = times(client, "/robots.txt", cookie)
    lines = [
        f"panel of {PATIENTS} patients with {DAYS} days of doses, one request at a time (bare route "
        f"{bare[len(bare) // 2]:.2f} ms):"
    ]
    for name, path in [("first page", "/care"), ("a filter and a name", "/care?show=missed&q=number+19"),
                       ("last page", f"/care?page={(PATIENTS + 49) // 50}")]:
        found, length = times(client, path, cookie)
        lines.append(
            f"  {name:20} p50 {found[len(found) // 2]:6.2f} ms  p99 {found[len(found) * 99 // 100]:6.2f} ms"
            f"  {length / 1000:.0f} kB  (aim 50)")
    server.stop()
    return lines
