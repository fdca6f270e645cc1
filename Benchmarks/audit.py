# SPDX-License-Identifier: Apache-2.0
"""How fast the audit chain is verified, and how much auditing slows a read."""
import hashlib
import hmac
import json
import re
import statistics
import time
from pathlib import Path
from typing import Any

from household import Client, Server

ENTRIES = 30_000
PEOPLE = 200
READER, LISTER = "reader@example.org", "lister@example.org"
PATIENT = "urn:uuid:22222222-2222-4222-8222-222222222222"
ROWS = re.compile(r"audit trail, (\d+) rows in (\d+) ms")


def _administration(number: int) -> dict[str, Any]:
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_700_000_000 + number * 60))
    return {
        "resourceType": "MedicationAdministration", "id": f"a{number}", "status": "completed",
        "medicationCodeableConcept": {"text": "Bisoprolol"}, "subject": {"reference": PATIENT},
        "effectiveDateTime": moment,
    }


def _bare(count: int) -> float:
    """Returns the seconds for as many hashes and seals of rows of a usual length, one after the other."""
    row, link, key = b"x" * 200, b"", b"k" * 32
    begin = time.monotonic()
    for _ in range(count):
        link = hashlib.sha256(link + row).digest()
        hmac.digest(key, link, "sha256")
    return time.monotonic() - begin


def _verify(folder: Path) -> list[str]:
    server = Server(folder / "audit", clock_offset=0)
    entries: list[dict[str, Any]] = [
        {"fullUrl": PATIENT, "resource": {"resourceType": "Patient", "name": [{"text": "Ann"}]}}]
    for number in range(ENTRIES):
        address = f"https://example.org/fhir/MedicationAdministration/a{number}"
        entries.append({"fullUrl": address, "resource": _administration(number)})
    file = folder / "audit.json"
    file.write_text(json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}))
    server.command("import", str(file))
    found = ROWS.search(server.command("verify"))
    if not found:
        raise SystemExit("bench: verify says nothing of the audit trail")
    rows, seconds = int(found[1]), max(int(found[2]), 1) / 1000
    bare = _bare(rows)
    return [
        f"audit trail of {rows} rows (Python hashes and seals as many in {bare:.2f} s):",
        f"  {'verified':14} {rows / seconds:8.0f} rows/s  (aim 50000)",
    ]


def _reads(folder: Path) -> list[str]:
    server = Server(folder / "reads", clock_offset=0)
    server.start()
    for name in [READER, LISTER, *(f"p{number}@example.org" for number in range(PEOPLE))]:
        server.ask("account create", email=name)
    lister = Client(server, server.create_token(LISTER, "system/*.cruds"))
    bundle = lister.json("GET", "/fhir/Patient?_count=500")
    patients = [entry["resource"]["id"] for entry in bundle["entry"]]
    reader = Client(server, server.create_token(READER, "system/*.cruds"))

    def median(path: str, *ids: str) -> float:
        times = []
        for each in ids:
            begin = time.monotonic()
            answer = reader.send("GET", f"{path}{each}")
            times.append(time.monotonic() - begin)
            if answer.status != 200:
                raise SystemExit(f"bench: {path}{each} answered {answer.status}")
        return statistics.median(times) * 1000

    median("/api/v1/me", *[""] * 50)
    free = median("/api/v1/me", *[""] * len(patients))
    first = median("/fhir/Patient/", *patients)
    later = median("/fhir/Patient/", *patients)
    server.stop()
    return [
        f"being on record, one read after the other (a read that is not audited: {free:.2f} ms):",
        f"  first look     {first:8.2f} ms  (waits for its commit)",
        f"  later looks    {later:8.2f} ms  (one row a minute, written within a second)",
    ]


def measure_audit(folder: Path) -> list[str]:
    """Returns the lines to print."""
    return _verify(folder) + _reads(folder)
