# SPDX-License-Identifier: Apache-2.0
"""The effect of a medicine after ten years: doses four times a day, and a value of three measures a day."""
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from household import READER, STORY_YEARS, Client, Server, each, furnish_story, instant, sign_in
from load import SECONDS, wrk

LOINC = "http://loinc.org"
UNITS = "http://unitsofmeasure.org"
GLUCOSE, PRESSURE, SYSTOLIC = "2339-0", "85354-9", "8480-6"


def quantity(value: float, unit: str) -> dict[str, Any]:
    return {"valueQuantity": {"value": value, "unit": unit, "system": UNITS, "code": unit}}


def coded(code: str) -> dict[str, Any]:
    return {"code": {"coding": [{"system": LOINC, "code": code}]}}


def observations(patient: str, number: int, day: datetime) -> list[dict[str, Any]]:
    """Returns a weight, a glucose and a blood pressure of one day."""
    common = {
        "resourceType": "Observation", "status": "final", "effectiveDateTime": instant(day),
        "subject": {"reference": f"Patient/{patient}"},
    }
    swing = number * 7 % 13
    pressure = coded(PRESSURE) | {
        "component": [
            coded(SYSTOLIC) | quantity(120 + swing, "mm[Hg]"),
            coded("8462-4") | quantity(75 + swing, "mm[Hg]"),
        ]
    }
    return [
        common | coded("29463-7") | quantity(70 + swing / 10, "kg"),
        common | coded(GLUCOSE) | quantity(90 + swing, "mg/dL"),
        common | pressure,
    ]


def measure(folder: Path) -> list[str]:
    """Returns the time of the page for each range and measure, requested one after the other."""
    server = Server(folder / "effect", clock_offset=0)
    server.create_account(READER)
    plan = furnish_story(server)
    client = Client(server, server.create_token(READER))
    patient = client.json("GET", "/api/v1/me")["patients"][0]["id"]
    end = datetime.now(timezone.utc).replace(microsecond=0)
    days = range(STORY_YEARS * 365)
    bodies = [one for n in days for one in observations(patient, n, end - timedelta(days=n, hours=1))]
    each("measurements", bodies, lambda body: client.json("POST", "/fhir/Observation", body))
    # Months changed by late answers are rolled up again a minute later.
    time.sleep(90)
    cookie = sign_in(server, READER)
    bare = wrk(server, "/robots.txt", seconds=2, connections=1)
    lines = [
        f"effect of a medicine after {STORY_YEARS} years, one request at a time (bare route {bare.p50:.2f} ms):"
    ]
    glucose, pressure = f"{LOINC}%7C{GLUCOSE}", f"{LOINC}%7C{PRESSURE}%7C{LOINC}%7C{SYSTOLIC}"
    for length in ["4-weeks", "3-months", "1-year", "10-years"]:
        for name, query in [
            ("weight", "measure=weight"), ("glucose", f"measure={glucose}"),
            ("weight, glucose", f"measure=weight&second={glucose}"),
            ("blood pressure", f"measure={pressure}"),
        ]:
            path = f"/medicines/{plan}/effect?range={length}&{query}"
            wrk(server, path, seconds=1, connections=1, cookie=cookie)
            figure = wrk(server, path, seconds=min(SECONDS, 5), connections=1, cookie=cookie)
            if figure.errors:
                raise SystemExit(f"bench: {figure.errors} requests of {path} failed")
            lines.append(
                f"  {length:9} {name:16} p50 {figure.p50:6.2f} ms  p99 {figure.p99:6.2f} ms  (aim 50)"
            )
    server.stop()
    return lines
