# SPDX-License-Identifier: Apache-2.0
"""Reading over the JSON API: the account, its doses, and their states."""
from collections.abc import Callable
from datetime import timedelta, timezone

import pytest

from harness.api import Api, instant, parse
from harness.server import Server

STATES = {
    "scheduled", "due", "later", "taken", "skipped", "refused", "missed", "withheld", "cancelled",
}
EVERY_DAY = {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}}
TWICE_A_DAY = {"repeat": {"timeOfDay": ["08:00:00", "20:00:00"]}}


def is_problem(response, status: int, code: str | None = None) -> dict:
    assert response.status_code == status, response.text
    assert response.headers["Content-Type"].split(";")[0] == "application/problem+json"
    body = response.json()
    assert body["title"] and body["status"] == status
    if code:
        assert body["code"] == code
    return body


def test_me_names_the_account_and_its_own_patient(api: Api) -> None:
    me = api.ok("/api/v1/me")
    assert isinstance(me["account"], dict) and me["account"]
    assert len(me["patients"]) == 1
    patient = me["patients"][0]
    assert patient["relationship"] == "self"
    assert isinstance(patient["id"], str) and isinstance(patient["name"], str)


@pytest.mark.parametrize("token", [None, "", "nonsense", "a" * 5000])
@pytest.mark.parametrize("path", ["/api/v1/me", "/api/v1/doses", "/fhir/MedicationRequest"])
def test_without_a_valid_token_nothing_is_said(server: Server, token: str | None, path: str) -> None:
    response = server.api(token).get(path)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_plan_gives_doses_with_every_promised_field(api: Api) -> None:
    plan = api.add_plan(api.events(30, 90, 150))
    doses = api.doses(plan=plan["id"])
    assert len(doses) == 3
    for dose in doses:
        assert dose["patient"] == api.patient
        assert dose["state"] == "scheduled" and dose["late"] is False
        assert isinstance(dose["version"], int) and "answer" not in dose
        assert "Z" not in dose["due"], "the patient zone's numeric offset"
        parse(dose["due"])


def test_doses_are_sorted_by_due_then_id_from_inclusive_to_exclusive(api: Api) -> None:
    timing = api.events(30, 60, 90)
    for _ in range(3):
        api.add_plan(timing)
    first, middle, last = (parse(text) for text in timing["event"])
    listed = api.doses(first, last)
    assert [parse(d["due"]) for d in listed] == [first] * 3 + [middle] * 3
    assert listed == sorted(listed, key=lambda d: (parse(d["due"]), d["id"]))
    assert len({d["id"] for d in listed}) == 6


def test_any_offset_and_z_name_the_same_window(api: Api) -> None:
    api.add_plan(api.events(30, 60))
    start = api.now()
    windows = [
        (instant(start), instant(start + timedelta(hours=2))),
        (start.strftime("%Y-%m-%dT%H:%M:%SZ"), (start + timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%SZ")),
        tuple(
            instant((start + shift).astimezone(timezone(timedelta(hours=5, minutes=45))))
            for shift in (timedelta(), timedelta(hours=2))
        ),
    ]
    answers = [
        api.ok("/api/v1/doses", patient=api.patient, **{"from": a, "to": b})["doses"]
        for a, b in windows
    ]
    assert len(answers[0]) == 2 and answers[0] == answers[1] == answers[2]


WINDOW = {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z"}


@pytest.mark.parametrize(
    "change",
    [
        {"from": None}, {"to": None}, {"from": ""}, {"from": "yesterday"}, {"to": "2026-03-01"},
        {"to": "2026-03-02T00:00:00"}, {"from": "2026-02-30T00:00:00Z"}, {"to": "2027-05-01T00:00:00Z"},
        {"from": "99999-01-01T00:00:00Z"}, {"from": "2026-03-03T00:00:00Z"},
    ],
    ids=str,
)
def test_an_impossible_window_is_422(module_api: Api, change: dict) -> None:
    query = {"patient": module_api.patient, **WINDOW, **change}
    response = module_api.get("/api/v1/doses", **{k: v for k, v in query.items() if v is not None})
    is_problem(response, 422)


def test_400_days_are_listed_also_beyond_the_horizon(api: Api) -> None:
    plan = api.add_plan(EVERY_DAY)
    start = api.now()
    doses = api.doses(start, start + timedelta(days=400), plan=plan["id"])
    assert 398 <= len(doses) <= 401
    assert {d["state"] for d in doses} <= {"scheduled", "due"}
    dates = [parse(d["due"]).date() for d in doses]
    assert len(set(dates)) == len(dates), "one a day"


def test_a_dose_keeps_its_id_when_it_comes_within_the_horizon(
    own_server: Callable[..., Server],
) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    api = server.api(token)
    plan = api.add_plan(TWICE_A_DAY)
    start = api.now()
    window = (start + timedelta(days=3), start + timedelta(days=6))
    before = [d["id"] for d in api.doses(*window, plan=plan["id"])]
    server.restart(later=4 * 86_400)
    after = [d["id"] for d in server.api(token).doses(*window, plan=plan["id"])]
    assert len(before) == 6 and before == after


def test_someone_elses_doses_are_not_found(new_api: Callable[[], Api]) -> None:
    ann, bob = new_api(), new_api()
    plan = ann.add_plan(ann.events(30))
    dose = ann.doses(plan=plan["id"])[0]
    before = ann.snapshot()
    is_problem(bob.get("/api/v1/doses", patient=ann.patient, **WINDOW), 404)
    is_problem(bob.answer(dose["id"], "taken"), 404)
    is_problem(
        bob.post(
            "/api/v1/administrations",
            {"patient": ann.patient, "medicine": "x", "at": instant(bob.now()), "taken": True},
        ),
        404,
    )
    assert bob.fhir("GET", f"MedicationRequest/{plan['id']}").status_code == 404
    assert bob.fhir("GET", f"Patient/{ann.patient}").status_code == 404
    assert bob.doses() == [] and ann.snapshot() == before


def test_a_dose_goes_from_scheduled_over_due_and_late_to_missed(
    own_server: Callable[..., Server],
) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    api = server.api(token)
    plan = api.add_plan(api.events(10))
    dose = api.doses(plan=plan["id"])[0]["id"]
    start = server.clock_offset

    def at(hours: float) -> dict:
        server.restart(later=start + int(hours * 3600) - server.clock_offset)
        return server.api(token).dose(dose)

    # A single dose: on time for 60 minutes, late for 12 hours (half of 24), then missed.
    assert api.dose(dose)["state"] == "scheduled"
    assert [at(0.5)[k] for k in ("state", "late")] == ["due", False]
    assert [at(2)[k] for k in ("state", "late")] == ["due", True]
    assert [at(11.9)[k] for k in ("state", "late")] == ["due", True]
    assert at(13)["state"] == "missed"
    # Without an answer there is no record, and a missed dose can still be answered.
    late = server.api(token)
    assert late.administrations() == []
    response = late.answer(dose, "taken")
    assert response.status_code == 200 and response.json()["state"] == "taken"
    assert response.json()["late"] is True


def test_a_clock_offset_needs_the_test_file(own_server: Callable[..., Server]) -> None:
    server = own_server(clock_offset=3600)
    (server.data / "TEST").unlink()
    with pytest.raises(AssertionError, match="ended with"):
        server.start()


def test_new_people_have_no_doses(api: Api) -> None:
    year = timedelta(days=365)
    now = api.now()
    listing = api.ok(
        "/api/v1/doses", patient=api.patient, **{"from": instant(now), "to": instant(now + year)}
    )
    assert listing["doses"] == [] and listing["unplanned"] == []
