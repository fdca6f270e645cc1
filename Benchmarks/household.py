# SPDX-License-Identifier: Apache-2.0
"""Fills a server only through its public interfaces: the command line, FHIR and the JSON API."""
import html.parser
import http.client
import json
import re
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from threading import local
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/EndToEnd"))
from harness.server import PASSWORD, Server, binary  # noqa: E402

CLIENTS = 8
READER = "reader@example.org"


class Client:
    """Keeps one connection for each thread."""

    def __init__(self, server: Server, token: str | None = None) -> None:
        self.server, self.token, self.own = server, token, local()

    def send(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> http.client.HTTPResponse:
        # The server closes a connection that was idle for 20 seconds.
        if time.monotonic() - getattr(self.own, "used", -10) >= 10:
            self.own.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if isinstance(body, dict):
            body, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        self.own.connection.request(method, path, body, sent | (headers or {}))
        response = self.own.connection.getresponse()
        response.content = response.read()  # type: ignore[attr-defined]
        self.own.used = time.monotonic()
        return response

    def json(self, method: str, path: str, body: Any = None) -> Any:
        response = self.send(method, path, body)
        content = response.content  # type: ignore[attr-defined]
        if response.status not in (200, 201):
            raise SystemExit(f"bench: {method} {path}: {response.status} {content[:400]!r}")
        return json.loads(content)


class Fields(html.parser.HTMLParser):
    """Returns the hidden fields of the form that has a password."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.current: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.current = {}
        elif tag == "input" and values.get("type") == "hidden":
            self.current[values.get("name", "")] = values.get("value", "")
        elif tag == "input" and values.get("type") == "password":
            self.fields = self.current


def sign_in(server: Server, email: str) -> str:
    """Returns the Cookie header of a new session."""
    client = Client(server)
    page = client.send("GET", "/sign-in")
    cookies = cookie_pairs(page)
    fields = Fields(page.content.decode()).fields  # type: ignore[attr-defined]
    answer = client.send(
        "POST", "/sign-in",
        urllib.parse.urlencode(fields | {"email": email, "password": PASSWORD}),
        {
            "Content-Type": "application/x-www-form-urlencoded", "Cookie": "; ".join(cookies),
            "Origin": server.base, "Sec-Fetch-Site": "same-origin",
        },
    )
    header = "; ".join(cookies + cookie_pairs(answer))
    seen = client.send("GET", "/", headers={"Cookie": header})
    if answer.status != 303 or seen.status != 200:
        raise SystemExit(f"bench: sign-in gave {answer.status}, then Today {seen.status}")
    return header


def cookie_pairs(response: http.client.HTTPResponse) -> list[str]:
    return [v.split(";")[0] for v in response.headers.get_all("Set-Cookie") or []]


def each(what: str, items: Iterable[Any], work: Callable[[Any], Any], at_once: int = CLIENTS) -> list:
    """Runs the work on all items and prints its duration."""
    listed, started = list(items), time.monotonic()
    with ThreadPoolExecutor(at_once) as pool:
        results = list(pool.map(work, listed))
    seconds = time.monotonic() - started
    print(f"  {what}: {len(listed)} in {seconds:.0f} s", flush=True)
    return results


def instant(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def plan(patient: str, name: str, timing: dict[str, Any]) -> dict[str, Any]:
    amount = [{"doseQuantity": {"value": 1, "unit": "tablet"}}]
    return {
        "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
        "medicationCodeableConcept": {"text": name},
        "subject": {"reference": f"Patient/{patient}"},
        "dosageInstruction": [{"timing": timing, "doseAndRate": amount}],
    }


def invite(server: Server, email: str) -> None:
    """Creates an account without a password; its invitation link is printed."""
    command = [str(binary()), "account", "create", "--email", email, "--data", str(server.data)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"bench: {' '.join(command)}: {done.stderr}")


def furnish_reader(server: Server) -> tuple[str, str]:
    """Returns the patient and token of the person whose Today and prescriptions are read."""
    token = server.create_token(READER)
    client = Client(server, token)
    patient = client.json("GET", "/api/v1/me")["patients"][0]["id"]
    times = [["08:00:00"], ["08:00:00", "20:00:00"], ["07:00:00", "13:00:00", "19:00:00"]]
    for number in range(6):
        timing = {"repeat": {"timeOfDay": times[number % 3]}}
        client.json("POST", "/fhir/MedicationRequest", plan(patient, f"Medicine {number}", timing))
    return patient, token


def patients(client: Client) -> list[str]:
    """Returns every patient, following the next links of a search with a system token."""
    path, found = "/fhir/Patient?_count=200", []
    while path:
        bundle = client.json("GET", path)
        found += [entry["resource"]["id"] for entry in bundle.get("entry", [])]
        links = [l["url"] for l in bundle.get("link", []) if l["relation"] == "next"]
        path = re.sub(r"^https?://[^/]+", "", links[0]) if links else ""
    return found


def fill(server: Server, token: str, people: int, doses: int, file: Path) -> int:
    """Creates people with a plan of some doses each; writes the doses' ids and returns their number."""
    client = Client(server, token)
    each("accounts", range(people), lambda n: invite(server, f"p{n}@example.org"), at_once=4)
    ids = patients(client)
    now = datetime.now(timezone.utc).replace(microsecond=0)
    step = min(90.0, 40 * 60 / doses)
    events = {"event": [instant(now + timedelta(hours=6, minutes=step * i)) for i in range(doses)]}
    made = each(
        "plans", ids,
        lambda p: client.json("POST", "/fhir/MedicationRequest", plan(p, f"Medicine {p}", events)),
    )
    # Only of these plans: two doses of a daily one, taken in the same minute, would raise a question.
    plans = {one["id"] for one in made}
    window = urllib.parse.urlencode(
        {"from": instant(now), "to": instant(now + timedelta(hours=47))}
    )

    def open_doses(patient: str) -> list[str]:
        listing = client.json("GET", f"/api/v1/doses?patient={patient}&{window}")
        return [
            d["id"] for d in listing["doses"]
            if d["state"] == "scheduled" and "answer" not in d and d["plan"] in plans
        ]

    found = each("dose lists", [p for p in ids], open_doses)
    # Alternates between patients, as real answers do.
    lines = [one[i] for i in range(doses) for one in found if i < len(one)]
    file.write_text("".join(f"{line}\n" for line in lines))
    return len(lines)


STORY_YEARS = 10


def furnish_story(server: Server) -> str:
    """Creates ten years of two medicines four times a day, every dose answered; returns one plan's id.

    The server starts ten years ago and is then restarted now.
    """
    seconds = STORY_YEARS * 365 * 86_400
    server.clock_offset = -seconds
    server.start()
    token = server.create_token(READER)
    client = Client(server, token)
    patient = client.json("GET", "/api/v1/me")["patients"][0]["id"]
    timing = {"repeat": {"timeOfDay": ["07:00:00", "12:00:00", "17:00:00", "22:00:00"]}}
    made = client.json("POST", "/fhir/MedicationRequest", plan(patient, "Long story", timing))
    client.json("POST", "/fhir/MedicationRequest", plan(patient, "Other story", timing))
    server.restart(later=seconds)
    # The token of that time expired long ago.
    client = Client(server, server.create_token(READER))
    now = datetime.now(timezone.utc).replace(microsecond=0)
    begin = now - timedelta(seconds=seconds)
    doses: list[tuple[str, str]] = []
    deadline = time.monotonic() + 120
    while not doses or client.json("GET", f"/api/v1/doses?{span(now, 1)}")["doses"] == []:
        doses = [
            (d["id"], d["due"])
            for year in range(STORY_YEARS)
            for d in client.json("GET", f"/api/v1/doses?{span(begin + timedelta(days=365 * year), 365)}")["doses"]
        ]
        if time.monotonic() > deadline:
            raise SystemExit("bench: the long story was not planned in time")

    def answer(item: tuple[int, tuple[str, str]]) -> None:
        number, (dose, due) = item
        if number % 23 == 0:
            return  # missed
        if number % 31 == 0:
            client.json("POST", f"/api/v1/doses/{dose}/answers", {"action": "skipped", "reason": "Unwell"})
            return
        at = datetime.fromisoformat(due) + timedelta(minutes=100 if number % 11 == 0 else 5)
        if at < now:
            body = {"action": "taken", "at": instant(at), "confirm": True}
            client.json("POST", f"/api/v1/doses/{dose}/answers", body)

    each("answers of ten years", enumerate(doses), answer)
    return made["id"]


def span(start: datetime, days: int) -> str:
    return urllib.parse.urlencode(
        {"from": instant(start), "to": instant(start + timedelta(days=days))}
    )
