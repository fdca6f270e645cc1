# SPDX-License-Identifier: Apache-2.0
"""A person with medicines in every state, seen at twenty past nine on a morning to come."""
from datetime import datetime, timedelta, timezone

from harness.api import Api, instant
from harness.server import Server

EMAIL = "ann@example.org"


def _offset(hour: int, minute: int) -> int:
    """Seconds from now to that time tomorrow: clocks of tests stand on full minutes of UTC."""
    now = datetime.now(timezone.utc)
    tomorrow = (now + timedelta(days=1)).replace(hour=hour, minute=minute, second=0, microsecond=0)
    return int((tomorrow - now).total_seconds())


def furnish(server: Server) -> tuple[Api, dict[str, str]]:
    """Starts the server, fills it, leaves it running; gives addresses of pages by short names."""
    server.environment["TZ"] = "UTC"
    server.clock_offset = _offset(7, 0)
    server.start()
    server.create_account(EMAIL)
    token = server.create_token(EMAIL)
    early = Api(server.base, token, server.clock_offset)

    def at(hour: int, minute: int) -> str:
        return instant(early.now().replace(hour=hour, minute=minute, second=0))

    def tablets(number: int, unit: str = "tablet") -> list[dict]:
        return [{"doseQuantity": {"value": number, "unit": unit}}]

    def plan(name: str, timing: dict, amount: list[dict], **more: object) -> str:
        dosage = {"timing": timing, "doseAndRate": amount, **more}
        return early.add_plan(timing, name=name, dosageInstruction=[dosage])["id"]

    daily = {"repeat": {"timeOfDay": ["08:00:00", "20:00:00"]}}
    metoprolol = plan("Metoprolol 50 mg", daily, tablets(1))
    insulin = plan("Insulin aspart", {"repeat": {"when": ["ACM", "ACD", "ACV"]}}, tablets(6, "IU"))
    plan("Vitamin D3 1000 IU", {"repeat": {"timeOfDay": ["09:00:00"]}}, tablets(2, "drop"))
    # A dose an hour: the first is missed at twenty past nine.
    plan("Saline nose spray", {"event": [at(7, 30), at(8, 30), at(9, 10), at(10, 10)]}, tablets(1, "puff"))
    text_only = early.plan(daily, name="Prednisolone") | {
        "dosageInstruction": [{"text": "Taper as discussed on the phone, see letter of 3 March"}]
    }
    assert early.fhir("POST", "MedicationRequest", text_only).status_code == 201
    stopped = early.add_plan(daily, name="Ramipril 5 mg")
    stopped |= {"status": "stopped", "statusReason": {"text": "Dry cough"}}
    assert early.fhir("PUT", f"MedicationRequest/{stopped['id']}", stopped).status_code == 200

    server.restart(clock_offset=_offset(9, 20))
    api = Api(server.base, token, server.clock_offset)
    morning = [d for d in api.doses(plan=metoprolol) if d["state"] == "due"][0]["id"]
    assert api.answer(morning, "taken", at=at(8, 4)).status_code == 200
    before_meal = [d for d in api.doses(plan=insulin) if d["state"] in ("due", "missed")]
    if before_meal:
        answer = api.answer(before_meal[0]["id"], "skipped", reason="No appetite")
        assert answer.status_code == 200, answer.text
    open_dose = [d for d in api.doses() if d["state"] == "due"][0]["id"]
    return api, {
        "today": "/", "dose-open": f"/doses/{open_dose}", "dose-taken": f"/doses/{morning}",
        "entry": "/entry", "medicines": "/medicines", "medicine-new": "/medicines/new",
        "medicine": f"/medicines/{metoprolol}", "medicine-stopped": f"/medicines/{stopped['id']}",
        "medicine-edit": f"/medicines/{metoprolol}/edit",
        "medicine-stop": f"/medicines/{metoprolol}/stop", "details": "/details", "more": "/more",
        "not-found": "/nothing-here",
    }
