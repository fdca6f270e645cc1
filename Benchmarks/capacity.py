# SPDX-License-Identifier: Apache-2.0
"""How large an installation can be: disk, memory, start, pages, answers and due reminders for many patients.

One patient gets three medicines (four doses a day) and some days of answers through the server's own interfaces;
the others are copies of this patient's rows (see copies.py). Environment:

REGIMEN_BENCH_CAPACITY_PATIENTS  patients (10000)
REGIMEN_BENCH_CAPACITY_DAYS      days of history of each (30)
REGIMEN_BENCH_CAPACITY_ENGINE    postgres or sqlite (postgres)
"""
import os
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import harness.server
from copies import PostgresCopies, SQLiteCopies, Table
from harness.postgres import FAST, SAFE, Cluster
from household import READER, Client, Server, instant, plan, sign_in, span
from load import SECONDS, Figure, wrk

PATIENTS = int(os.environ.get("REGIMEN_BENCH_CAPACITY_PATIENTS", "10000"))
DAYS = int(os.environ.get("REGIMEN_BENCH_CAPACITY_DAYS", "30"))
ENGINE = os.environ.get("REGIMEN_BENCH_CAPACITY_ENGINE", "postgres")
TIMES = [["08:00:00"], ["08:00:00", "20:00:00"], ["22:00:00"]]
DOSES_A_DAY = 4
# The database server's cache; the default of 128 MB is meant for tiny machines.
CACHE = ("-c", "shared_buffers=1GB", "-c", "max_wal_size=4GB")
RANDOM_PEOPLE = 5_000
# One dose of each medicine, so that no answer asks whether the next dose comes too soon; most stay unanswered for
# the reminders.
ANSWERS = 30_000
DUE_SECONDS = 600
# A large database takes longer than those of the tests.
harness.server.START_SECONDS = harness.server.STOP_SECONDS = 900


def model(server: Server) -> str:
    """Creates the patient that is copied, and returns its id."""
    server.clock_offset = -DAYS * 86_400
    server.create_account(READER)
    server.start()
    client = Client(server, server.create_token(READER))
    patient = client.json("GET", "/api/v1/me")["patients"][0]["id"]
    for number, times in enumerate(TIMES):
        timing = {"repeat": {"timeOfDay": times}}
        client.json("POST", "/fhir/MedicationRequest", plan(patient, f"Medicine {number}", timing))
    server.restart(later=DAYS * 86_400)
    client = Client(server, server.create_token(READER))
    now = datetime.now(timezone.utc).replace(microsecond=0)
    doses = planned(client, now)
    for dose in doses:
        at = datetime.fromisoformat(dose["due"]) + timedelta(minutes=5)
        if at < now:
            body = {"action": "taken", "at": instant(at), "confirm": True}
            client.json("POST", f"/api/v1/doses/{dose['id']}/answers", body)
    return patient


def planned(client: Client, now: datetime) -> list[dict[str, str]]:
    """Waits until the doses of the whole history exist."""
    deadline = time.monotonic() + 120
    while True:
        window = span(now - timedelta(days=DAYS), DAYS)
        doses = client.json("GET", f"/api/v1/doses?{window}")["doses"]
        if len(doses) >= DAYS * DOSES_A_DAY - DOSES_A_DAY:
            return doses
        if time.monotonic() > deadline:
            raise SystemExit("bench: the history was not planned in time")
        time.sleep(0.5)


def resident(server: Server, name: str = "VmRSS") -> float:
    status = Path(f"/proc/{server.process.pid}/status").read_text()  # type: ignore[union-attr]
    return int([l for l in status.splitlines() if l.startswith(name)][0].split()[1]) / 1000


def metric(server: Server, name: str) -> float:
    lines = server.command("metrics").splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(name) and line[len(name)] in " {")


def disk(made: list[Table], before: dict[str, int], after: dict[str, int], total: int) -> list[str]:
    """Returns the disk of a patient: what each day adds, and the rest."""
    grown = {name: size - before.get(name, 0) for name, size in after.items()}
    each_day = {table.name for table in made if table.rows >= DAYS * DOSES_A_DAY / 2}
    history = sum(size for name, size in grown.items() if name in each_day)
    rest = sum(grown.values()) - history
    a_dose = history / (PATIENTS * DAYS * DOSES_A_DAY)
    return [
        f"  database {total / 1e9:.2f} GB; a patient {sum(grown.values()) / PATIENTS / 1000:.1f} KB, of which "
        f"{rest / PATIENTS / 1000:.1f} KB without history; an answered dose {a_dose / 1000:.2f} KB, not counting the "
        "audit trail",
    ]


def line(name: str, figure: Figure) -> str:
    note = f"  {figure.errors} FAILED" if figure.errors else ""
    return f"  {name:44} {figure.rate:7.0f} per s  p50 {figure.p50:7.2f} ms  p99 {figure.p99:7.2f} ms{note}"


def traffic(
    server: Server, store: PostgresCopies | SQLiteCopies, people: list[str], doses: list[str], folder: Path
) -> list[str]:
    """Measures one page and the requests of random patients."""
    token = server.create_token(READER, "system/*.cruds")
    authorization = f"Bearer {token}"
    now = datetime.now(timezone.utc).replace(microsecond=0)
    window = span(now - timedelta(hours=12), 1)
    cookie = sign_in(server, READER)
    wrk(server, "/", seconds=1, cookie=cookie)
    lines = [line("Today of one patient", wrk(server, "/", cookie=cookie))]
    a_week = f"{now - timedelta(days=7):%Y-%m-%d}"
    read = {"authorization": authorization, "accept": "application/json, application/fhir+json"}
    for name, form in [
        ("a day's doses of a random patient", f"/api/v1/doses?patient={{}}&{window}"),
        ("prescriptions of a random patient", "/fhir/MedicationRequest?patient={}"),
        (
            "a week's intakes of a random patient",
            f"/fhir/MedicationAdministration?patient={{}}&effective-time=ge{a_week}",
        ),
    ]:
        paths = folder / "paths"
        paths.write_text("".join(form.format(person) + "\n" for person in people))
        wrk(server, "/", "paths.lua", seconds=1, paths=str(paths), **read)
        lines.append(line(name, wrk(server, "/", "paths.lua", paths=str(paths), **read)))
    file = folder / "doses"
    file.write_text("".join(f"{dose}\n" for dose in doses))
    before = store.sizes().get("audit", 0) if isinstance(store, PostgresCopies) else 0
    rows = metric(server, "regimen_audit_rows_total")
    answered = wrk(server, "/", "answers.lua", authorization=authorization, doses=str(file))
    lines.append(line("answers of random patients", answered))
    added = metric(server, "regimen_audit_rows_total") - rows
    if before and added:
        lines.append(
            f"  audit trail: {(store.sizes()['audit'] - before) / added:.0f} bytes a row")
    return lines


def all_due(server: Server) -> list[str]:
    """Moves the clock to everyone's next dose time, and measures how fast their reminders are planned."""
    now = datetime.now(timezone.utc)
    today = now.replace(minute=0, second=0, microsecond=0)
    moments = [today.replace(hour=hour) + timedelta(days=day) for day in (0, 1) for hour in (8, 20, 22)]
    due = min(moment for moment in moments if moment > now + timedelta(minutes=2))
    server.restart(later=int((due - datetime.now(timezone.utc)).total_seconds()) - 20)
    begin = time.monotonic() + 20
    rung, last, changed = 0.0, 0.0, begin
    # The first may wait for plans that are prolonged after the jump of the clock.
    while time.monotonic() < begin + DUE_SECONDS and time.monotonic() < changed + (30 if rung else 300):
        time.sleep(1)
        rung = metric(server, "regimen_reminders_rung_total")
        if rung != last:
            last, changed = rung, time.monotonic()
    if not rung:
        return [f"  doses of all patients due at one moment: no reminder within {time.monotonic() - begin:.0f} s"]
    seconds = max(changed - begin, 1.0)
    return [
        f"  doses of all patients due at one moment: {rung:.0f} planned in {seconds:.0f} s, {rung / seconds * 60:.0f} a "
        f"minute; most memory {resident(server, 'VmHWM'):.0f} MB"]


def measure(folder: Path) -> list[str]:
    """Returns the lines to print."""
    cluster = Cluster(settings=FAST + CACHE).start() if ENGINE == "postgres" else None
    try:
        return measure_on(folder / "capacity", cluster)
    finally:
        if cluster:
            cluster.close()


def measure_on(folder: Path, cluster: Cluster | None) -> list[str]:
    environment = {"REGIMEN_DATABASE": cluster.database()} if cluster else {}
    server = Server(folder / "data", clock_offset=0, environment=environment)
    store: PostgresCopies | SQLiteCopies = (
        PostgresCopies(cluster, "test1") if cluster else SQLiteCopies(server.data / "regimen.sqlite"))
    try:
        return fill_and_measure(folder, server, store, cluster)
    finally:
        server.kill()


def fill_and_measure(
    folder: Path, server: Server, store: PostgresCopies | SQLiteCopies, cluster: Cluster | None
) -> list[str]:
    patient = model(server)
    server.stop()
    accounts = set(store.column("SELECT account FROM accounts"))
    before, started = store.sizes(), time.monotonic()
    made = store.make(patient, accounts, PATIENTS - 1)
    print(f"  {PATIENTS} patients with {DAYS} days each in {time.monotonic() - started:.0f} s", flush=True)
    after = store.sizes()
    people = store.column(f"SELECT patient FROM people ORDER BY patient LIMIT {RANDOM_PEOPLE}")
    doses = store.column(
        "SELECT min(plan || '_' || era || '_' || occurrence) FROM doses WHERE state = 'open' AND answer IS NULL "
        f"AND patient <> '{patient}' GROUP BY patient, plan ORDER BY plan LIMIT {min(ANSWERS, PATIENTS)}")
    if cluster:
        # From here on commits are synced, as they are in use.
        cluster.stop("fast")
        cluster.settings = SAFE + CACHE
        cluster.start()
    lines = [
        f"{PATIENTS} patients with {DAYS} days of {DOSES_A_DAY} doses on {ENGINE}, {os.cpu_count()} cores, "
        f"{SECONDS} s each:"]
    lines += disk(made, before, after, sum(after.values()))
    started = time.monotonic()
    server.start()
    lines.append(f"  start {time.monotonic() - started:.2f} s")
    time.sleep(15)
    lines.append(f"  memory {resident(server):.0f} MB after the start")
    lines += traffic(server, store, people, doses, folder)
    lines.append(f"  memory {resident(server):.0f} MB after the load")
    lines += all_due(server)
    server.stop()
    return lines
