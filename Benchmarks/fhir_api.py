# SPDX-License-Identifier: Apache-2.0
"""The FHIR API on both engines: reads, searches, writes, transactions and an export, beside the bare route.

REGIMEN_BENCH_PRESCRIPTIONS sets the number of prescriptions (10000); each gets ten administrations.
"""
import json
import os
import time
import urllib.parse
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

from household import READER, Client, Server, each, instant
from harness.postgres import SAFE, Cluster  # found through household
from load import CONNECTIONS, SECONDS, Figure, wrk

PRESCRIPTIONS = int(os.environ.get("REGIMEN_BENCH_PRESCRIPTIONS", "10000"))
ADMINISTRATIONS_EACH = 10
PRESCRIPTIONS_EACH = 10
IN_TRANSACTION = 50
FHIR_JSON = "application/fhir+json"


def entry(resource: dict) -> dict:
    kind = resource["resourceType"]
    return {
        "fullUrl": f"urn:uuid:{uuid.uuid4()}", "resource": resource,
        "request": {"method": "POST", "url": kind},
    }


def prescription(patient: str, number: int) -> dict:
    return {
        "resourceType": "MedicationRequest", "status": "completed", "intent": "order",
        "identifier": [{"system": "urn:bench", "value": f"{patient}-{number}"}],
        "medicationCodeableConcept": {
            "coding": [{"system": "http://www.nlm.nih.gov/research/umls/rxnorm", "code": str(number % 97)}],
            "text": f"Medicine {number % 97}",
        },
        "subject": {"reference": f"Patient/{patient}"},
        "authoredOn": f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "dosageInstruction": [{"text": "one in the morning"}],
    }


def administration(patient: str, number: int, now: datetime) -> dict:
    return {
        "resourceType": "MedicationAdministration", "status": "completed",
        "identifier": [{"system": "urn:bench", "value": f"{patient}-{number}"}],
        "medicationCodeableConcept": {"text": f"Medicine {number % 97}"},
        "subject": {"reference": f"Patient/{patient}"},
        "effectiveDateTime": instant(now - timedelta(hours=3 * number + 1)),
    }


def send(client: Client, entries: list[dict]) -> int:
    """Sends a transaction; returns the number of its entries."""
    bundle = {"resourceType": "Bundle", "type": "transaction", "entry": entries}
    answer = client.send(
        "POST", "/fhir", json.dumps(bundle).encode(), {"Content-Type": FHIR_JSON})
    if answer.status != 200:
        raise SystemExit(f"bench: a transaction gave {answer.status} {answer.content[:400]!r}")  # type: ignore[attr-defined]
    return len(entries)


def people(client: Client) -> list[str]:
    """Creates the patients, and returns their ids."""
    count = max(PRESCRIPTIONS // PRESCRIPTIONS_EACH, 1)

    def make(number: int) -> str:
        name = [{"family": f"Family {number}", "given": ["Given"]}]
        return client.json("POST", "/fhir/Patient", {"resourceType": "Patient", "name": name})["id"]

    return each("patients", range(count), make)


def fill(client: Client, ids: list[str]) -> float:
    """Fills the server by transactions; returns the resources per second."""
    now = datetime.now(timezone.utc).replace(microsecond=0)
    entries = PRESCRIPTIONS_EACH * ADMINISTRATIONS_EACH
    parts: list[list[dict]] = []
    for patient in ids:
        own = [entry(prescription(patient, number)) for number in range(PRESCRIPTIONS_EACH)]
        own += [entry(administration(patient, number, now)) for number in range(entries)]
        parts += [own[i : i + IN_TRANSACTION] for i in range(0, len(own), IN_TRANSACTION)]
    started = time.monotonic()
    sent = each(f"transactions of {IN_TRANSACTION}", parts, lambda part: send(client, part), at_once=CONNECTIONS)
    return sum(sent) / (time.monotonic() - started)


def export(client: Client) -> tuple[int, float]:
    """Exports everything; returns the number of resources and the seconds."""
    started = time.monotonic()
    kicked = client.send("GET", "/fhir/$export", headers={"Prefer": "respond-async", "Accept": FHIR_JSON})
    if kicked.status != 202:
        raise SystemExit(f"bench: the export gave {kicked.status} {kicked.content[:400]!r}")  # type: ignore[attr-defined]
    path = urllib.parse.urlsplit(kicked.headers["Content-Location"]).path
    while True:
        answer = client.send("GET", path)
        if answer.status != 202:
            break
        time.sleep(0.05)
    manifest = json.loads(answer.content)  # type: ignore[attr-defined]
    return sum(file["count"] for file in manifest["output"]), time.monotonic() - started


def measure(folder: Path) -> list[str]:
    """Returns the figures on SQLite."""
    return figures(Server(folder / "fhir-api", clock_offset=0), "SQLite")


def measure_on_postgres(folder: Path) -> list[str]:
    """Returns the figures on PostgreSQL, a cluster of its own with safe settings."""
    if not Cluster.installed():
        return ["FHIR API on PostgreSQL: not measured, PostgreSQL is not installed"]
    cluster = Cluster(settings=SAFE).start()
    try:
        environment = {"REGIMEN_DATABASE": cluster.database()}
        server = Server(folder / "fhir-api-postgres", clock_offset=0, environment=environment)
        return figures(server, "PostgreSQL")
    finally:
        cluster.close()


def figures(server: Server, engine: str) -> list[str]:
    server.create_account(READER)
    server.start()
    token = server.create_token(READER, "system/*.cruds")
    client = Client(server, token)
    ids = people(client)
    rate = fill(client, ids)
    patient = ids[len(ids) // 2]
    found = client.json("GET", f"/fhir/MedicationRequest?patient={patient}")
    one = found["entry"][0]["resource"]["id"]
    authorization = f"Bearer {token}"

    def load(path: str, script: str = "get.lua", **more: str) -> Figure:
        figure = wrk(server, path, script, authorization=authorization, accept=FHIR_JSON, **more)
        if figure.errors:
            raise SystemExit(f"bench: {figure.errors} requests of {path} failed")
        return figure

    wrk(server, "/robots.txt", seconds=1)
    bare = wrk(server, "/robots.txt")
    year = datetime.now(timezone.utc).year
    lines = [
        f"FHIR API, {engine}, {len(ids)} patients, {PRESCRIPTIONS} prescriptions, "
        f"{PRESCRIPTIONS * ADMINISTRATIONS_EACH} administrations; {CONNECTIONS} connections, {SECONDS} s each "
        f"(bare route {bare.rate:.0f} per s):"
    ]
    code = urllib.parse.quote("http://www.nlm.nih.gov/research/umls/rxnorm|3")
    for name, path, aim in [
        ("read", f"/fhir/MedicationRequest/{one}", 0.4),
        ("search by patient", f"/fhir/MedicationRequest?patient={patient}", 0.35),
        ("by patient and code", f"/fhir/MedicationRequest?patient={patient}&code={code}", 0.35),
        (
            "sorted, filtered page of 20",
            f"/fhir/MedicationAdministration?patient={patient}&effective-time=ge{year - 1}"
            "&status=completed&_sort=-effective-time&_count=20", 0.1,
        ),
    ]:
        wrk(server, path, seconds=1, authorization=authorization, accept=FHIR_JSON)
        figure = load(path)
        lines.append(
            f"  {name:28} {figure.rate:8.0f} per s  p50 {figure.p50:6.2f} ms  p99 {figure.p99:6.2f} ms  "
            f"ratio {figure.rate / bare.rate:.2f} (aim {aim:.2f}; p99 25 ms)")
    figure = load("/fhir/Condition", "fhir_create.lua", patient=patient)
    lines.append(
        f"  {'create':28} {figure.rate:8.0f} per s  p50 {figure.p50:6.2f} ms  p99 {figure.p99:6.2f} ms  "
        "(aim: as many as dose answers)")
    lines.append(f"  transactions of {IN_TRANSACTION}: {rate:.0f} resources per s (aim 1500)")
    count, seconds = export(client)
    lines.append(f"  export of {count} resources: {count / seconds:.0f} per s (aim 20000)")
    server.stop()
    return lines
