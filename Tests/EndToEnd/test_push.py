# SPDX-License-Identifier: Apache-2.0
"""Reminders as devices receive them: their content, the names in them, and what silences them."""
import json
import sqlite3
from collections.abc import Callable
from datetime import timedelta

import pytest

from harness.api import parse
from harness.push_receiver import Device, Push
from harness.ringing import Person, Ring, eventually
from test_doses import is_problem


def first_push(device: Device, dose: str) -> Push:
    return eventually(lambda: device.rung(dose), f"a push for {dose}")[0]


def test_a_push_holds_what_is_promised_and_no_word_about_the_medicine(ring: Ring) -> None:
    person = ring.person("veryrarename")
    device = person.subscribe()
    dose = person.dose_in(1, name="Methotrexate 7.5 mg")
    push = first_push(device, dose)
    payload = push.payload
    known = person.api.dose(dose)
    assert payload["doses"] == [dose] and payload["dose"] == dose
    assert payload["plans"] == [person.last_plan["id"]]
    assert payload["patient"] == person.api.patient
    assert payload["due"] == known["due"]
    assert payload["tag"] and payload["kind"] == "doses"
    assert parse(payload["due"]).strftime("%H:%M") in payload["title"] + payload["body"]
    assert push.headers["urgency"] == "high" and push.topic
    # A single dose can be answered for 12 hours: keeping the push longer is useless.
    assert 60 <= int(push.headers["ttl"]) <= 12 * 3600
    text = push.plaintext.decode().lower()
    for private in ("methotrexate", "7.5", "tablet", "veryrarename"):
        assert private not in text
    delivery = person.delivery(dose, "handedOver")
    assert delivery["id"] == payload["delivery"] and person.deliveries(dose) == [delivery]


def test_newer_safari_reads_it_without_a_worker(ring: Ring) -> None:
    person = ring.person()
    device = person.subscribe()
    payload = first_push(device, person.dose_in(0)).payload
    shown = payload["notification"]
    assert payload["web_push"] == 8030
    assert shown["title"] == payload["title"] and shown["body"] == payload["body"]
    assert shown["tag"] == payload["tag"]
    assert shown["navigate"].startswith(ring.server.base + "/"), "it must be absolute"


def test_a_delivery_tells_its_story(ring: Ring) -> None:
    person = ring.person()
    device = person.subscribe()
    dose = person.dose_in(0)
    push = first_push(device, dose)
    told = person.delivery(dose, "handedOver")
    assert told["id"] == push.payload["delivery"]
    assert told["doses"] == [dose] and told["rung"] == 0 and told["channel"] == "push"
    assert told["attempts"] == 1 and told["due"] == push.payload["due"]
    assert device.name not in told["address"], "the address is not masked"
    assert parse(told["planned"]) <= parse(told["handedOver"])
    assert "shown" not in told and "answered" not in told
    path = f"/api/v1/deliveries/{told['id']}/shown"
    assert person.api.post(path, {}).status_code == 204
    assert person.api.post(path, {}).status_code == 204
    shown = person.delivery(dose, "handedOver")
    assert parse(shown["shown"]) >= parse(told["handedOver"])
    is_problem(ring.person().api.post(path, {}), 404)
    assert person.api.answer(dose, "taken").status_code == 200
    (answered,) = eventually(
        lambda: [d for d in person.deliveries(dose) if "answered" in d], "the answer"
    )
    assert parse(answered["answered"]) >= parse(shown["shown"])
    assert [d["id"] for d in person.deliveries()] == [told["id"]]


def test_anothers_deliveries_are_not_found(ring: Ring) -> None:
    ann, bob = ring.person(), ring.person()
    query = {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z"}
    is_problem(bob.api.get("/api/v1/deliveries", patient=ann.api.patient, **query), 404)
    assert ann.api.ok("/api/v1/deliveries", patient=ann.api.patient, **query) == {"deliveries": []}
    is_problem(ring.server.api(None).get("/api/v1/deliveries", **query), 401)


@pytest.mark.parametrize(
    "query",
    [
        {}, {"from": "2026-03-01T00:00:00Z"}, {"from": "yesterday", "to": "2026-03-01T00:00:00Z"},
        {"from": "2026-03-01T00:00:00Z", "to": "2027-05-01T00:00:00Z"},
        {"from": "2026-03-02T00:00:00Z", "to": "2026-03-01T00:00:00Z"},
    ],
    ids=str,
)
def test_an_impossible_window_of_deliveries_is_422(ring: Ring, query: dict) -> None:
    person = ring.person()
    is_problem(person.api.get("/api/v1/deliveries", patient=person.api.patient, **query), 422)


def test_a_group_names_every_dose_within_a_quarter_of_an_hour(ring: Ring) -> None:
    person = ring.person()
    device = person.subscribe()
    within, beyond = person.plan_in(14 * 60, 16 * 60)
    same = [person.dose_in(3, name=f"Medicine {n}") for n in range(3)]
    push = first_push(device, same[0])
    listed = {d["id"]: parse(d["due"]) for d in person.api.doses()}
    # Doses due up to 15 minutes after the first are named, however far ahead it is.
    group = [d for d in listed if d in (*same, within)]
    assert push.payload["doses"] == sorted(group, key=lambda d: (listed[d], d))
    assert beyond not in push.payload["doses"]
    assert push.payload["dose"] == push.payload["doses"][0]
    assert len(push.payload["plans"]) == len(set(push.payload["plans"])) == 4
    ring.marker()
    assert [p for p in device.accepted if p is not push] == [], "one push for the whole group"


def test_more_doses_than_fit_are_named_in_further_pushes(ring: Ring) -> None:
    person = ring.person()
    device = person.subscribe()
    doses = person.plan_in(*[1 + second / 10 for second in range(20)])
    eventually(lambda: all(device.rung(dose) for dose in doses), "a push for each of 20 doses")
    pushes = device.accepted
    named = [dose for push in pushes for dose in push.payload["doses"]]
    assert sorted(named) == sorted(doses), "each once"
    assert max(len(push.payload["doses"]) for push in pushes) <= 16
    assert len({push.payload["tag"] for push in pushes}) == len(pushes)


def test_each_device_gets_its_own_delivery_of_the_same_subject(ring: Ring) -> None:
    person = ring.person()
    devices = [person.subscribe() for _ in range(3)]
    dose = person.dose_in(0)
    pushes = [first_push(device, dose) for device in devices]
    assert len({p.payload["delivery"] for p in pushes}) == 3
    assert len({p.payload["tag"] for p in pushes}) == len({p.topic for p in pushes}) == 1
    assert len({p.body for p in pushes}) == 3 and len({p.body[:16] for p in pushes}) == 3
    assert len(person.deliveries(dose)) == 3


def test_two_persons_share_nothing(ring: Ring) -> None:
    ann, bob = ring.person(), ring.person()
    hers, his = ann.subscribe(), bob.subscribe()
    one, two = ann.dose_in(1), bob.dose_in(1)
    pushes = [first_push(hers, one).payload, first_push(his, two).payload]
    assert [p["patient"] for p in pushes] == [ann.api.patient, bob.api.patient]
    assert [p["doses"] for p in pushes] == [[one], [two]]
    assert pushes[0]["tag"] != pushes[1]["tag"]
    ring.marker()
    assert len(hers.pushes) == len(his.pushes) == 1


def test_an_answer_before_it_is_due_silences_it(ring: Ring) -> None:
    person = ring.person()
    device = person.subscribe()
    dose, kept = person.plan_in(2, 3)
    assert person.api.answer(dose, "taken", confirm=True).status_code == 200
    push = first_push(device, kept)
    assert push.payload["doses"] == [kept] and device.rung(dose) == []


@pytest.mark.parametrize("status", ["stopped", "on-hold", "entered-in-error"])
def test_a_plan_that_ends_does_not_ring(ring: Ring, status: str) -> None:
    person = ring.person()
    device = person.subscribe()
    dose = person.dose_in(2)
    plan = person.last_plan
    path = f"MedicationRequest/{plan['id']}"
    assert person.api.fhir("PUT", path, plan | {"status": status}).status_code == 200
    kept = person.dose_in(2)
    first_push(device, kept)
    ring.marker()
    assert device.rung(dose) == []


def test_an_edit_takes_effect_at_once(ring: Ring) -> None:
    person = ring.person()
    device = person.subscribe()
    person.plan_in(3600)
    plan = person.last_plan
    soon = person.api.events(1 / 60)
    edited = plan | {"dosageInstruction": person.api.plan(soon)["dosageInstruction"]}
    path = f"MedicationRequest/{plan['id']}"
    response = person.api.fhir("PUT", path, edited)
    assert response.status_code == 200, response.text
    push = eventually(lambda: device.accepted, "the new time")[0]
    assert push.payload["plans"] == [plan["id"]]
    assert parse(push.payload["due"]) == parse(soon["event"][0])


def test_a_dose_that_an_edit_moves_away_does_not_ring_at_the_old_time(ring: Ring) -> None:
    person = ring.person()
    device = person.subscribe()
    old = person.dose_in(2)
    plan = person.last_plan
    later = person.api.events(90)
    edited = plan | {"dosageInstruction": person.api.plan(later)["dosageInstruction"]}
    assert person.api.fhir("PUT", f"MedicationRequest/{plan['id']}", edited).status_code == 200
    first_push(device, person.dose_in(2))
    ring.marker()
    assert device.rung(old) == []
    assert [p for p in device.accepted if plan["id"] in p.payload["plans"]] == []


def test_a_removed_device_is_silent_and_the_other_rings(ring: Ring) -> None:
    person = ring.person()
    removed, kept = person.subscribe(), person.subscribe()
    dose = person.dose_in(2)
    path = f"/api/v1/push-subscriptions/{removed.subscription}"
    assert person.api.request("DELETE", path).status_code == 204
    first_push(kept, dose)
    ring.marker()
    assert removed.pushes == []


def act_for(ring: Ring, patient: str, account: str, relationship: str, **span: int) -> None:
    """Writes a grant directly into the database while no server runs."""
    with sqlite3.connect(ring.server.data / "regimen.sqlite") as database:
        database.execute(
            "INSERT INTO grants (patient, account, relationship, starts, ends) VALUES (?,?,?,?,?)",
            (patient, account, relationship, span.get("starts", 0), span.get("ends")),
        )


def test_a_guardian_is_rung_with_the_persons_label(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    child, parent, aunt, former = (
        ring.person(n) for n in ("childwithname", "parent", "aunt", "former")
    )
    devices = [p.subscribe() for p in (child, parent, aunt, former)]
    patient, own = child.api.patient, parent.api.patient
    accounts = [p.api.ok("/api/v1/me")["account"]["id"] for p in (parent, aunt, former)]
    ring.server.stop()
    act_for(ring, patient, accounts[0], "guardian")
    act_for(ring, patient, accounts[1], "family")
    act_for(ring, patient, accounts[2], "guardian", ends=1)
    ring.server.start()
    dose, hers = child.dose_in(1), parent.dose_in(1)
    pushes = [first_push(device, dose).payload for device in devices[:2]]
    first_push(devices[1], hers)
    ring.marker()
    assert devices[2].rung(dose) == [] and devices[3].rung(dose) == []
    assert pushes[0]["delivery"] != pushes[1]["delivery"]
    assert [p["patient"] for p in pushes] == [patient, patient]
    # The parent acts for two: each notification says for whom, and never with a full name.
    mine = devices[1].rung(hers)[0].payload
    assert (pushes[1]["title"], pushes[1]["body"]) != (pushes[0]["title"], pushes[0]["body"])
    assert mine["doses"] == [hers] and mine["patient"] == own
    assert "childwithname" not in json.dumps(pushes[1])
    # If one of them answers a dose, both are told.
    assert parent.api.answer(dose, "taken").status_code == 200
    eventually(lambda: all("answered" in told for told in child.deliveries(dose)), "the answer")


def test_the_deliveries_of_a_day_are_found_by_due_time(ring: Ring) -> None:
    person = ring.person()
    device = person.subscribe()
    dose = person.dose_in(0)
    push = first_push(device, dose)
    due = parse(push.payload["due"])
    api = person.api

    def between(start: timedelta, end: timedelta) -> list[str]:
        listing = api.ok(
            "/api/v1/deliveries", patient=api.patient,
            **{"from": (due + start).isoformat(), "to": (due + end).isoformat()},
        )
        return [delivery["id"] for delivery in listing["deliveries"]]

    second = timedelta(seconds=1)
    assert between(timedelta(), second) == [push.payload["delivery"]]
    assert between(-second, timedelta()) == [] and between(second, 2 * second) == []
