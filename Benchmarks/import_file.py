# SPDX-License-Identifier: Apache-2.0
"""How fast a Bundle of administrations is imported, and imported again when all of it is known."""
import json
import time
from pathlib import Path
from typing import Any

from household import Server

ENTRIES = 10_000
PATIENT = "urn:uuid:11111111-1111-4111-8111-111111111111"


def _administration(number: int) -> dict[str, Any]:
    day, hour, minute, second = number // 28 % 12 + 1, number % 24, number % 60, number // 60 % 60
    return {
        "resourceType": "MedicationAdministration", "id": f"a{number}", "status": "completed",
        "medicationCodeableConcept": {"text": "Bisoprolol"}, "subject": {"reference": PATIENT},
        "effectiveDateTime": f"2025-{day:02}-{number % 28 + 1:02}T{hour:02}:{minute:02}:{second:02}Z",
    }


def measure_import(folder: Path) -> list[str]:
    """Returns the seconds to import the file under the lock, compared with Python's JSON parser."""
    server = Server(folder / "import", clock_offset=0)
    entries: list[dict[str, Any]] = [
        {"fullUrl": PATIENT, "resource": {"resourceType": "Patient", "name": [{"text": "Ann"}]}}]
    for number in range(ENTRIES - 1):
        address = f"https://example.org/fhir/MedicationAdministration/a{number}"
        entries.append({"fullUrl": address, "resource": _administration(number)})
    file = folder / "import.json"
    file.write_text(json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}))
    begin = time.monotonic()
    json.loads(file.read_text())
    yardstick = time.monotonic() - begin
    lines = [f"import of {ENTRIES} entries (Python's json reads them in {yardstick:.2f} s):"]
    for name in ["new", "known already"]:
        begin = time.monotonic()
        report = json.loads(server.command("import", str(file)).splitlines()[-1])
        seconds = time.monotonic() - begin
        if report["problemCount"] or report["entries"] != ENTRIES:
            raise SystemExit(f"bench: the import reported {report}")
        lines.append(f"  {name:14} {ENTRIES / seconds:8.0f} entries/s  (aim 2000)")
    return lines
