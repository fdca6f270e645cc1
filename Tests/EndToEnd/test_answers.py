# SPDX-License-Identifier: Apache-2.0
"""Answers: one result, whatever is pressed, repeated, corrected or undone (DESIGN 5 and 10)."""
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from harness.api import Api, instant, new_event, parse
from harness.server import Server
from test_doses import EVERY_DAY, TWICE_A_DAY, is_problem


@pytest.fixture
def dose(api: Api) -> str:
    """Returns the id of a dose of a plan without a minimum gap."""
    plan = api.add_plan(api.events(30))
    return api.doses(plan=plan["id"])[0]["id"]


def without_state(body: dict) -> dict:
    return {k: v for k, v in body.items() if k != "late"}


@pytest.mark.parametrize(
    ("action", "status", "more"),
    [
        ("taken", "completed", {}),
        ("taken", "completed", {"amount": {"value": 2, "unit": "tablet"}}),
        ("skipped", "not-done", {"reason": "felt ill"}),
        ("refused", "not-done", {"reason": "tastes of soap: 苦い \U0001f9fc"}),
        ("skipped", "not-done", {}),
    ],
)
def test_an_answer_is_kept_with_its_stamps_and_its_administration(
    api: Api, dose: str, action: str, status: str, more: dict
) -> None:
    before = api.dose(dose)
    response = api.answer(dose, action, **more)
    assert response.status_code == 200, response.text
    body = response.json()
    assert body["id"] == dose and body["state"] == action and body["version"] > before["version"]
    answer = body["answer"]
    assert answer["action"] == action and answer["by"]
    assert abs(parse(answer["at"]) - api.now()) < timedelta(minutes=2)
    assert abs(parse(answer["recorded"]) - api.now()) < timedelta(minutes=2)
    assert answer.get("reason") == more.get("reason")
    if "amount" in more:
        assert float(answer["amount"]["value"]) == 2 and answer["amount"]["unit"] == "tablet"
    assert without_state(api.dose(dose)) == without_state(body)
    administrations = api.administrations()
    assert [a["status"] for a in administrations] == [status]
    assert administrations[0]["request"]["reference"].endswith(body["plan"])
    if "reason" in more:
        assert more["reason"] in str(administrations[0]["statusReason"])


def test_an_answer_at_another_time_keeps_due_taken_and_recorded_apart(api: Api, dose: str) -> None:
    taken = api.now() - timedelta(minutes=20)
    body = api.answer(dose, "taken", at=instant(taken)).json()
    assert parse(body["answer"]["at"]) == taken
    assert parse(body["answer"]["recorded"]) > taken + timedelta(minutes=19)
    assert parse(body["due"]) > taken


def test_the_same_outcome_from_anywhere_is_the_first_answer(api: Api, dose: str) -> None:
    first = api.answer(dose, "taken", event=new_event())
    for more in ({}, {"event": new_event()}, {"confirm": True}):
        again = api.answer(dose, "taken", **more)
        assert again.status_code == 200 and again.json()["answer"] == first.json()["answer"]
        assert again.json()["version"] == first.json()["version"]
    assert len(api.administrations()) == 1


def test_another_outcome_is_409_with_the_state_and_changes_nothing(api: Api, dose: str) -> None:
    first = api.answer(dose, "taken").json()
    for action in ("skipped", "refused", "later"):
        more = {"minutes": 10} if action == "later" else {}
        body = is_problem(api.answer(dose, action, **more), 409, "answered")
        assert body["dose"]["answer"] == first["answer"]
        assert body["dose"]["version"] == first["version"]
    assert [a["status"] for a in api.administrations()] == ["completed"]


def test_an_answer_that_names_the_version_corrects_it(api: Api, dose: str) -> None:
    first = api.answer(dose, "taken").json()
    second = api.answer(dose, "skipped", corrects=first["version"], reason="it was yesterday's")
    assert second.status_code == 200, second.text
    assert second.json()["state"] == "skipped" and second.json()["version"] > first["version"]
    assert [a["status"] for a in api.administrations()] == ["not-done"]
    stale = is_problem(api.answer(dose, "refused", corrects=first["version"]), 409, "stale")
    assert stale["dose"]["state"] == "skipped"


def test_undo_reopens_and_the_dose_can_be_answered_anew(api: Api, dose: str) -> None:
    first = api.answer(dose, "taken").json()
    event = new_event()
    undone = api.answer(dose, "undo", event=event)
    assert undone.status_code == 200, undone.text
    assert undone.json()["state"] == "scheduled" and "answer" not in undone.json()
    assert undone.json()["version"] > first["version"]
    assert api.administrations() == []
    second = api.answer(dose, "refused", reason="no")
    assert second.status_code == 200 and second.json()["state"] == "refused"
    # Repeating the same undo is a replay: it does not undo later answers.
    assert api.answer(dose, "undo", event=event).status_code == 200
    assert api.dose(dose)["state"] == "refused"
    assert [a["status"] for a in api.administrations()] == ["not-done"]


def test_undo_of_a_version_that_is_no_longer_in_force_is_stale(api: Api, dose: str) -> None:
    first = api.answer(dose, "taken").json()
    second = api.answer(dose, "skipped", corrects=first["version"]).json()
    is_problem(api.answer(dose, "undo", corrects=first["version"]), 409, "stale")
    assert api.answer(dose, "undo", corrects=second["version"]).json()["state"] == "scheduled"


def test_a_repeated_event_is_the_same_answer(api: Api) -> None:
    plan = api.add_plan(api.events(30, 60))
    one, two = (d["id"] for d in api.doses(plan=plan["id"]))
    event = new_event()
    first = api.answer(one, "taken", event=event)
    assert api.answer(one, "taken", event=event).json()["answer"] == first.json()["answer"]
    # The event of one dose is not valid for another.
    assert 400 <= api.answer(two, "taken", event=event).status_code < 500
    assert api.dose(two)["state"] == "scheduled" and len(api.administrations()) == 1


def test_later_and_a_later_answer(own_server: Callable[..., Server]) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    api = server.api(token)
    plan = api.add_plan(api.events(10))
    dose = api.doses(plan=plan["id"])[0]["id"]
    server.restart(later=900)
    api = server.api(token)
    assert api.dose(dose)["state"] == "due"
    later = api.answer(dose, "later", minutes=30)
    assert later.status_code == 200 and later.json()["state"] == "later", later.text
    assert api.administrations() == []
    # "Later" ends before the late window: 12 hours for a single dose.
    assert api.answer(dose, "later", minutes=13 * 60).status_code == 422
    assert api.dose(dose)["state"] == "later"
    server.restart(later=31 * 60)
    api = server.api(token)
    assert api.dose(dose)["state"] == "due"
    assert api.answer(dose, "taken").json()["state"] == "taken"


@pytest.mark.parametrize(
    "body",
    [
        {"action": "eaten"}, {"action": None}, {"action": 3}, {}, {"action": ["taken"]}, [], "taken",
        None, 7, {"action": "taken", "event": "not-a-uuid"}, {"action": "taken", "event": 5},
        {"action": "taken", "at": "08:00"}, {"action": "taken", "at": "2026-03-01T08:00:00"},
        {"action": "taken", "at": 1772348400}, {"action": "later"},
        {"action": "later", "minutes": 0}, {"action": "later", "minutes": -10},
        {"action": "later", "minutes": 1e30}, {"action": "later", "minutes": "ten"},
        {"action": "later", "minutes": 10.5}, {"action": "taken", "corrects": "1"},
        {"action": "taken", "corrects": 10**30}, {"action": "taken", "confirm": "yes"},
        {"action": "taken", "amount": {"value": 0, "unit": "tablet"}},
        {"action": "taken", "amount": {"value": -1, "unit": "tablet"}},
        {"action": "taken", "amount": {"value": "two", "unit": "tablet"}},
        {"action": "taken", "amount": 2}, {"action": "skipped", "reason": 5},
        {"action": "skipped", "reason": "x" * 100_000},
    ],
    ids=lambda b: str(b)[:60],
)
def test_a_bad_answer_is_refused_with_a_reason_and_changes_nothing(
    api: Api, dose: str, body: object
) -> None:
    before = api.snapshot()
    response = api.post(f"/api/v1/doses/{dose}/answers", body)
    assert response.status_code in (400, 415, 422), response.text
    assert is_problem(response, response.status_code)["detail"]
    assert api.snapshot() == before


def test_a_time_in_the_future_is_422(api: Api, dose: str) -> None:
    ahead = instant(api.now() + timedelta(minutes=10))
    is_problem(api.answer(dose, "taken", at=ahead), 422)
    is_problem(api.administer("Paracetamol", at=ahead), 422)
    assert api.administrations() == []


def test_a_taken_dose_within_the_minimum_gap_asks_first(api: Api) -> None:
    plan = api.add_plan(TWICE_A_DAY)
    one, two = [d["id"] for d in api.doses(plan=plan["id"]) if d["state"] == "scheduled"][:2]
    first = api.answer(one, "taken", confirm=True).json()
    key = new_event()
    question = is_problem(api.answer(two, "taken", key=key), 409, "confirm")
    assert len(question["taken"]) == 1
    assert api.dose(two)["state"] == "scheduled" and len(api.administrations()) == 1
    # Skipping it raises no question; a real second intake can always be recorded.
    confirmed = api.answer(two, "taken", confirm=True)
    assert confirmed.status_code == 200 and confirmed.json()["state"] == "taken"
    assert api.dose(one)["answer"] == first["answer"] and len(api.administrations()) == 2
    # The question did not use up the key: another body does not give a 422.
    assert api.answer(two, "taken", key=key, confirm=True).status_code == 200


def test_the_question_comes_for_the_same_name_in_another_plan_too(api: Api) -> None:
    name = "Metoprolol Räthel 50 mg"
    one = api.add_plan(EVERY_DAY, name=name)["id"]
    two = api.add_plan(EVERY_DAY, name=f"  {name.upper()} ")["id"]
    first, second = (
        [d["id"] for d in api.doses(plan=plan) if d["state"] == "scheduled"][0] for plan in (one, two)
    )
    assert api.answer(first, "taken", confirm=True).status_code == 200
    is_problem(api.answer(second, "taken"), 409, "confirm")
    is_problem(api.administer(name), 409, "confirm")
    assert len(api.administrations()) == 1


def test_a_dose_of_another_day_asks_first(api: Api) -> None:
    plan = api.add_plan(api.events(30 * 60))
    dose = api.doses(plan=plan["id"])[0]["id"]
    question = is_problem(api.answer(dose, "taken"), 409, "confirm")
    assert question["taken"] == [] and question["early"]["dose"] == dose
    assert parse(question["early"]["due"]) - parse(question["early"]["from"]) == timedelta(hours=1)
    assert api.administrations() == [] and api.dose(dose)["state"] == "scheduled"
    # Skipping a dose ahead of time raises no question.
    assert api.answer(dose, "skipped", reason="fasting").status_code == 200
    assert api.answer(dose, "undo").status_code == 200
    assert api.answer(dose, "taken", confirm=True).json()["state"] == "taken"


def test_skipped_after_taken_needs_no_question(api: Api) -> None:
    plan = api.add_plan(TWICE_A_DAY)
    one, two = [d["id"] for d in api.doses(plan=plan["id"]) if d["state"] == "scheduled"][:2]
    assert api.answer(one, "taken", confirm=True).status_code == 200
    assert api.answer(two, "skipped", reason="enough").status_code == 200


def test_a_stopped_plan_takes_no_answers_and_keeps_its_history(api: Api) -> None:
    plan = api.add_plan(api.events(30, 60))
    one, two = (d["id"] for d in api.doses(plan=plan["id"]))
    api.answer(one, "taken")
    stopped = {**plan, "status": "stopped", "statusReason": {"text": "rash"}}
    response = api.fhir("PUT", f"MedicationRequest/{plan['id']}", stopped)
    assert response.status_code == 200, response.text
    states = {d["id"]: d["state"] for d in api.doses(plan=plan["id"])}
    assert states == {one: "taken", two: "cancelled"}
    is_problem(api.answer(two, "taken"), 409, "cancelled")
    assert len(api.administrations()) == 1


def test_answers_from_eight_places_at_once_keep_one_truth(api: Api) -> None:
    plan = api.add_plan(api.events(*range(15, 55, 5)))
    actions = ["taken", "skipped", "refused", "taken"] * 2
    for dose in api.doses(plan=plan["id"]):
        clients = [Api(api.base, api.token, api.offset) for _ in actions]
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda p: p[0].answer(dose["id"], p[1]), zip(clients, actions)))
        state = api.dose(dose["id"])["state"]
        for action, response in zip(actions, answers):
            assert response.status_code == (200 if action == state else 409), response.text
            told = response.json() if action == state else response.json()["dose"]
            assert told["state"] == state
    assert len(api.administrations()) == 8
