# SPDX-License-Identifier: Apache-2.0
"""A person with medicines in every state, at 09:20 on a future morning."""
from datetime import timedelta
from urllib.parse import urlsplit

from harness.api import instant
from harness.server import Server, offset_to

EMAIL = "ann@example.org"


def furnish(server: Server) -> tuple[str, dict[str, str]]:
    """Starts the server, fills it, and leaves it running at 09:20.

    Returns Ann's invitation, which is still unused, and addresses of pages by short names.
    """
    server.clock_offset = offset_to(6, 30)
    server.start()
    invitation = urlsplit(server.invite(EMAIL)).path
    token = server.create_token(EMAIL)
    early = server.api(token)

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
    vitamin = plan("Vitamin D3 1000 IU", {"repeat": {"timeOfDay": ["09:00:00"]}}, tablets(2, "drop"))
    # A dose each hour: the first is missed at 09:20.
    plan("Saline nose spray", {"event": [at(7, 30), at(8, 30), at(9, 10), at(10, 10)]}, tablets(1, "puff"))
    headache = {"asNeededBoolean": True, "maxDosePerPeriod": {
        "numerator": {"value": 4, "unit": "tablet"}, "denominator": {"value": 24, "unit": "h", "code": "h"}}}
    plan("Ibuprofen 400 mg", {"repeat": {"period": 6, "periodUnit": "h"}}, tablets(1), **headache)
    text_only = early.plan(daily, name="Prednisolone") | {
        "dosageInstruction": [{"text": "Taper as discussed on the phone, see letter of 3 March"}]
    }
    assert early.fhir("POST", "MedicationRequest", text_only).status_code == 201
    stopped = early.add_plan(daily, name="Ramipril 5 mg")
    stopped |= {"status": "stopped", "statusReason": {"text": "Dry cough"}}
    assert early.fhir("PUT", f"MedicationRequest/{stopped['id']}", stopped).status_code == 200

    server.restart(later=(2 * 60 + 50) * 60)
    api = server.api(token)
    since = api.now().replace(hour=0, minute=0, second=0)
    today = api.doses(since, since + timedelta(days=1))

    def open_dose(*plans: str) -> str:
        of_plans = [d for d in today if d["state"] in ("due", "missed") and d["plan"] in plans]
        return of_plans[0]["id"]

    morning = open_dose(metoprolol)
    assert api.answer(morning, "taken", at=at(8, 4)).status_code == 200
    answer = api.answer(open_dose(insulin), "skipped", reason="No appetite")
    assert answer.status_code == 200, answer.text
    return invitation, {
        "today": "/", "dose-open": f"/doses/{open_dose(vitamin)}", "dose-taken": f"/doses/{morning}",
        "entry": "/entry", "medicines": "/medicines", "medicine-add": "/medicines/new",
        "medicine-which": "/medicines/new?pick=m108&name=Metoprolol", "medicine-new": "/medicines/new/details",
        "medicine": f"/medicines/{metoprolol}", "medicine-stopped": f"/medicines/{stopped['id']}",
        "medicine-edit": f"/medicines/{metoprolol}/edit", "medicine-look": f"/medicines/{metoprolol}/appearance",
        "medicine-change": f"/medicines/{metoprolol}/change",
        "medicine-change-often": f"/medicines/{metoprolol}/change/often",
        "medicine-change-times": f"/medicines/{metoprolol}/change/times",
        "medicine-stop": f"/medicines/{metoprolol}/stop",
        "medicine-pause": f"/medicines/{metoprolol}/pause", "history": "/history",
        "charts": "/report/charts", "charts-week": "/report/charts?range=week",
        "as-needed": "/as-needed", "simple": "/simple", "travel": "/travel?zone=Asia/Bangkok",
        "medicine-times": "/medicines/simplify",
        "start": "/start", "start-for": "/start/for", "device-start": "/device/start",
        "me": "/me", "me-account": "/me/account", "me-routine": "/me/routine",
        "me-health-profile": "/me/health-profile", "me-contacts": "/me/contacts",
        "me-reminders": "/me/reminders", "me-connections": "/me/connections",
        "offline": "/device/offline", "widgets": "/widgets",
        "home-assistant": "/device/home-assistant", "me-appearance": "/me/appearance", "me-apps": "/me/apps", "me-programs": "/me/programs", "progress": "/progress", "help": "/help",
        "help-open": "/help?question=reminders#reminders", "search": "/search?q=metoprolol",
        "search-nothing": "/search?q=xyzzy", "people": "/people", "people-family": "/people/family", "people-sharing": "/people/sharing", "chat": "/chat", "privacy": "/privacy", "who-looked": "/privacy/access-log",
        "erase": "/privacy/erase", "doctors": "/doctors",
        "not-found": "/nothing-here",
    }
