# SPDX-License-Identifier: Apache-2.0
"""A client of the JSON and the FHIR API, with plans and instants to send."""
import uuid
from datetime import datetime, timedelta, timezone
from typing import Any

import requests

JSON = "application/json"
FHIR_JSON = "application/fhir+json"
TIMEOUT = 60


def instant(moment: datetime) -> str:
    """Returns an instant with offset, in the form of FHIR and the JSON API; with milliseconds only if
    there are any."""
    text = moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds")
    return text


def parse(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    assert moment.tzinfo is not None, f"{text} has no offset"
    return moment


def new_event() -> str:
    return str(uuid.uuid4())


class Api:
    """The rights of one token. `offset` is the clock offset of the server."""

    def __init__(self, base: str, token: str | None, offset: int = 0) -> None:
        self.base, self.token, self.offset = base, token, offset
        self.session = requests.Session()
        if token is not None:
            self.session.headers["Authorization"] = f"Bearer {token}"
        self._patient: str | None = None

    def request(self, method: str, path: str, **options: Any) -> requests.Response:
        url = path if path.startswith("http") else self.base + path
        response = self.session.request(
            method, url, timeout=TIMEOUT, allow_redirects=False, **options
        )
        assert response.status_code < 500, f"{method} {path}: {response.status_code} {response.text}"
        return response

    def get(self, path: str, **parameters: Any) -> requests.Response:
        return self.request("GET", path, params=parameters)

    def ok(self, path: str, **parameters: Any) -> Any:
        response = self.get(path, **parameters)
        assert response.status_code == 200, f"{path}: {response.status_code} {response.text}"
        return response.json()

    def post(self, path: str, body: Any, key: str | None = None) -> requests.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return self.request("POST", path, json=body, headers=headers)

    # MARK: the JSON API

    def now(self) -> datetime:
        moment = datetime.now(timezone.utc) + timedelta(seconds=self.offset)
        return moment.replace(microsecond=0)

    @property
    def patient(self) -> str:
        if self._patient is None:
            self._patient = self.ok("/api/v1/me")["patients"][0]["id"]
        return self._patient

    def doses(
        self, start: datetime | None = None, end: datetime | None = None, plan: str | None = None,
        patient: str | None = None,
    ) -> list[dict[str, Any]]:
        """Returns doses, by default from an hour ago for two days; of one plan if it is given."""
        start = start or self.now() - timedelta(hours=1)
        end = end or start + timedelta(hours=48)
        listing = self.ok(
            "/api/v1/doses", patient=patient or self.patient,
            **{"from": instant(start), "to": instant(end)},
        )
        return [dose for dose in listing["doses"] if plan in (None, dose["plan"])]

    def dose(self, dose_id: str) -> dict[str, Any]:
        start = self.now() - timedelta(days=30)
        found = [d for d in self.doses(start, start + timedelta(days=90)) if d["id"] == dose_id]
        assert len(found) == 1, f"{len(found)} doses with id {dose_id}"
        return found[0]

    def answer(
        self, dose_id: str, action: str, key: str | None = None, **more: Any
    ) -> requests.Response:
        return self.post(f"/api/v1/doses/{dose_id}/answers", {"action": action, **more}, key)

    def administer(self, medicine: str, key: str | None = None, **more: Any) -> requests.Response:
        body = {"patient": self.patient, "medicine": medicine, "taken": True, **more}
        body.setdefault("at", instant(self.now()))
        return self.post("/api/v1/administrations", body, key)

    # MARK: FHIR

    def fhir(self, method: str, path: str, resource: Any = None) -> requests.Response:
        headers = {"Accept": FHIR_JSON, "Content-Type": FHIR_JSON}
        return self.request(method, f"/fhir/{path}", json=resource, headers=headers)

    def add_plan(self, timing: dict[str, Any], **more: Any) -> dict[str, Any]:
        response = self.fhir("POST", "MedicationRequest", self.plan(timing, **more))
        assert response.status_code == 201, f"{response.status_code} {response.text}"
        return response.json()

    def withdraw(self, plan: dict[str, Any]) -> None:
        """Marks a plan as entered in error."""
        gone = self.fhir("PUT", f"MedicationRequest/{plan['id']}", plan | {"status": "entered-in-error"})
        assert gone.status_code == 200, f"{gone.status_code} {gone.text}"

    def plan(
        self, timing: dict[str, Any], name: str | None = None, **more: Any
    ) -> dict[str, Any]:
        """Returns a self-entered plan of one tablet; the default name is new each time."""
        tablet = {"value": 1, "unit": "tablet"}
        return {
            "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
            "medicationCodeableConcept": {"text": name or f"Medicine {uuid.uuid4().hex[:12]}"},
            "subject": {"reference": f"Patient/{self.patient}"},
            "dosageInstruction": [{"timing": timing, "doseAndRate": [{"doseQuantity": tablet}]}],
            **more,
        }

    def events(self, *minutes: float) -> dict[str, Any]:
        """Returns a Timing with instants, in minutes from now."""
        return {"event": [instant(self.now() + timedelta(minutes=m)) for m in minutes]}

    def pages(self, kind: str, **parameters: Any) -> list[dict[str, Any]]:
        """Returns all matches of a search, following the next links."""
        bundle = self.ok(f"/fhir/{kind}", **{"patient": self.patient, **parameters})
        found: list[dict[str, Any]] = []
        for _ in range(10_000):
            found += [entry["resource"] for entry in bundle.get("entry", [])]
            link = [l["url"] for l in bundle.get("link", []) if l["relation"] == "next"]
            if not link:
                return found
            bundle = self.ok(link[0])
        raise AssertionError(f"the next links of {kind} do not end")

    def administrations(self) -> list[dict[str, Any]]:
        """Returns the current MedicationAdministrations."""
        return [
            resource for resource in self.pages("MedicationAdministration", _count=100)
            if resource["status"] != "entered-in-error"
        ]

    def snapshot(self) -> dict[str, Any]:
        """Returns everything that a refused request must leave unchanged."""
        now = self.now()
        window = {
            "from": instant(now - timedelta(days=30)), "to": instant(now + timedelta(days=30)),
        }
        listing = self.ok("/api/v1/doses", patient=self.patient, **window)
        stable = [
            {k: v for k, v in dose.items() if k not in ("state", "late")}
            for dose in listing["doses"]
            # The planning horizon moves while tests run, so doses near its end are ignored.
            if parse(dose["due"]) < now + timedelta(days=20)
        ]
        return {
            "doses": stable,
            "unplanned": listing.get("unplanned", []),
            "requests": self.pages("MedicationRequest", _count=100),
            "administrations": self.pages("MedicationAdministration", _count=100),
            "patient": self.ok(f"/fhir/Patient/{self.patient}"),
        }
