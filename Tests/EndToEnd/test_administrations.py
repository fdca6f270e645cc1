# SPDX-License-Identifier: Apache-2.0
"""As-needed, extra and free entries, and the Idempotency-Key on every write."""
from collections.abc import Callable
from datetime import timedelta

import pytest

from harness.api import Api, instant, new_event, parse
from harness.server import Server
from test_doses import is_problem


def test_a_free_entry_becomes_an_administration(api: Api) -> None:
    response = api.administer("Paracetamol 500 mg", amount={"value": 2, "unit": "tablet"})
    assert response.status_code == 201, response.text
    body = response.json()
    assert "dose" not in body
    kept = api.ok(f"/fhir/MedicationAdministration/{body['id']}")
    assert kept["status"] == "completed"
    assert kept["medicationCodeableConcept"]["text"] == "Paracetamol 500 mg"
    assert kept["subject"]["reference"] == f"Patient/{api.patient}"
    assert abs(parse(kept["effectiveDateTime"]) - api.now()) < timedelta(minutes=1)
    assert kept["dosage"]["dose"]["value"] == 2


def test_not_taken_is_kept_with_its_reason(api: Api) -> None:
    body = api.administer("Ibuprofen", taken=False, reason="stomach ache").json()
    kept = api.ok(f"/fhir/MedicationAdministration/{body['id']}")
    assert kept["status"] == "not-done" and "stomach ache" in str(kept["statusReason"])


def test_an_entry_within_a_dose_window_answers_that_dose(own_server: Callable[..., Server]) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    api = server.api(token)
    plan = api.add_plan(api.events(10, 600))["id"]
    near = api.doses(plan=plan)[0]["id"]
    server.restart(later=1200)
    api = server.api(token)
    response = api.administer(plan)
    assert response.status_code == 201, response.text
    told = response.json()["dose"]
    assert (told["id"] if isinstance(told, dict) else told) == near
    assert api.dose(near)["state"] == "taken" and len(api.administrations()) == 1
    # No dose is open now, so one more is an extra intake.
    extra = api.administer(plan, confirm=True)
    assert extra.status_code == 201 and "dose" not in extra.json()
    assert len(api.administrations()) == 2


def test_a_repeated_event_is_one_entry(api: Api) -> None:
    event = new_event()
    first = api.administer("Aspirin", event=event, confirm=True)
    again = api.administer("Aspirin", event=event, confirm=True)
    assert first.json()["id"] == again.json()["id"] and len(api.administrations()) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"patient": 5}, {"medicine": None}, {"medicine": ""}, {"medicine": "   "},
        {"medicine": "x" * 100_000}, {"at": None}, {"at": "now"}, {"at": "2026-02-30T08:00:00Z"},
        {"at": "2026-03-01T08:00:00"}, {"taken": "yes"}, {"taken": None},
        {"amount": {"value": 0, "unit": "tablet"}}, {"amount": "two"}, {"event": "x"}, {"confirm": 1},
    ],
    ids=lambda c: str(c)[:50],
)
def test_a_bad_entry_is_refused_and_changes_nothing(api: Api, change: dict) -> None:
    body = {
        "patient": api.patient, "medicine": "Aspirin", "at": instant(api.now()), "taken": True,
    } | change
    response = api.post("/api/v1/administrations", {k: v for k, v in body.items() if v is not None})
    assert response.status_code in (400, 422), response.text
    assert is_problem(response, response.status_code)["detail"]
    assert api.administrations() == []


def test_the_same_key_and_body_get_the_first_answer_again(api: Api) -> None:
    at, key = instant(api.now()), new_event()
    first = api.administer("Aspirin", key, at=at)
    for _ in range(3):
        again = api.administer("Aspirin", key, at=at)
        assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert len(api.administrations()) == 1


def test_the_same_key_with_another_body_is_422(api: Api) -> None:
    at, key = instant(api.now()), new_event()
    assert api.administer("Aspirin", key, at=at).status_code == 201
    is_problem(api.administer("Ibuprofen", key, at=at), 422)
    assert len(api.administrations()) == 1


def test_a_key_is_of_one_token_method_and_path(new_api: Callable[[], Api]) -> None:
    ann, bob = new_api(), new_api()
    key = new_event()
    assert ann.administer("Aspirin", key).status_code == 201
    assert bob.administer("Aspirin", key).status_code == 201
    plan = ann.add_plan(ann.events(30))
    dose = ann.doses(plan=plan["id"])[0]["id"]
    assert ann.answer(dose, "taken", key=key).status_code == 200
    assert len(ann.administrations()) == 2 and len(bob.administrations()) == 1


def test_a_key_holds_after_a_restart_and_over_fhir(own_server: Callable[..., Server]) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    api, key = server.api(token), new_event()
    plan, headers = api.plan(api.events(30)), {"Idempotency-Key": key}
    first = api.request("POST", "/fhir/MedicationRequest", json=plan, headers=headers)
    assert first.status_code == 201, first.text
    server.restart()
    api = server.api(token)
    again = api.request("POST", "/fhir/MedicationRequest", json=plan, headers=headers)
    assert again.status_code == 201 and again.json() == first.json()
    assert len(api.pages("MedicationRequest")) == 1 and len(api.doses()) == 1


@pytest.mark.parametrize("key", ["", "a b", "x" * 5000])
def test_an_odd_key_is_refused_or_honoured_but_never_breaks(api: Api, key: str) -> None:
    response = api.request(
        "POST", "/api/v1/administrations", headers={"Idempotency-Key": key},
        json={"patient": api.patient, "medicine": "A", "at": instant(api.now()), "taken": True},
    )
    assert response.status_code in (201, 400, 422, 431)
