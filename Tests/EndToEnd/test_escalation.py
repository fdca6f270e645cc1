# SPDX-License-Identifier: Apache-2.0
"""Escalation over minutes and hours: the server restarts at a later hour for each step."""
from collections.abc import Callable
from datetime import timedelta

from harness.api import parse
from harness.push_receiver import Device, Push, Reply
from harness.ringing import Person, Ring, eventually

MINUTE = 60


def rung_pushes(device: Device, dose: str, count: int) -> list[Push]:
    """Waits for a number of pushes that name a dose, and fails if there are more."""

    def look() -> list[Push]:
        found = device.rung(dose)
        return found if len(found) >= count else []

    found = eventually(look, f"push {count} for {dose}")
    assert len(found) == count, f"{len(found)} pushes, not {count}"
    return found


def at_steps(person: Person, dose: str) -> list[tuple[int, str]]:
    return [(d["rung"], d["channel"]) for d in person.deliveries(dose)]


def test_the_steps_of_an_unanswered_dose(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    person, without = ring.person("ann"), ring.person("nodevice")
    device = person.subscribe()
    dose, mailed = person.dose_in(0), without.dose_in(0)
    rung_pushes(device, dose, 1)
    # Without a device, the mail is the first step.
    (first_mail,) = eventually(without.mails)
    assert at_steps(without, mailed)[0] == (0, "mail")

    ring.restart(5 * MINUTE)
    pushes = rung_pushes(device, dose, 2)
    assert person.mails() == []
    ring.restart(5 * MINUTE)
    pushes = rung_pushes(device, dose, 3)
    ring.restart(10 * MINUTE)
    (mail,) = eventually(person.mails, "the mail of the last step")
    assert at_steps(person, dose) == [(0, "push"), (1, "push"), (2, "push"), (3, "mail")]
    assert len({p.payload["delivery"] for p in pushes}) == 3
    assert len({p.payload["tag"] for p in pushes}) == len({p.topic for p in pushes}) == 1
    assert {p.payload["due"] for p in pushes} == {person.api.dose(dose)["due"]}
    assert parse(pushes[0].payload["due"]).strftime("%H:%M") in mail.text

    # The policy has no more steps at any later time.
    ring.restart(30 * MINUTE)
    ring.marker()
    assert len(device.accepted) == 3 and len(person.mails()) == 1
    assert len(without.mails()) <= 2, "at once, and at most once more at its own step"
    assert first_mail.recipients == [without.email]


def test_an_answer_ends_the_escalation_and_an_undo_begins_it_again(
    own_ring: Callable[..., Ring],
) -> None:
    ring = own_ring()
    person = ring.person()
    device = person.subscribe()
    dose, skipped = person.plan_in(0, 20 * MINUTE)
    (first,) = rung_pushes(device, dose, 1)
    version = person.api.answer(dose, "taken").json()["version"]
    ring.restart(6 * MINUTE)
    ring.marker()
    assert len(device.rung(dose)) == 1, "an answered dose rang again"
    eventually(lambda: all("answered" in told for told in person.deliveries(dose)), "the answer")

    assert person.api.answer(dose, "undo", corrects=version).status_code == 200
    again = rung_pushes(device, dose, 2)[1]
    assert again.payload["tag"] == first.payload["tag"] and again.topic == first.topic
    assert again.payload["delivery"] != first.payload["delivery"]
    # The new generation starts again at the first step.
    ring.restart(5 * MINUTE)
    third = rung_pushes(device, dose, 3)[2]
    assert third.payload["tag"] == first.payload["tag"]
    assert person.api.answer(dose, "skipped", reason="felt ill").status_code == 200
    ring.restart(10 * MINUTE)
    rung_pushes(device, skipped, 1)
    assert len(device.rung(dose)) == 3


def test_later_silences_until_then(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    person = ring.person()
    device = person.subscribe()
    dose = person.dose_in(0)
    (first,) = rung_pushes(device, dose, 1)
    response = person.api.answer(dose, "later", minutes=10)
    assert response.status_code == 200, response.text
    ring.restart(6 * MINUTE)
    ring.marker()
    assert len(device.rung(dose)) == 1, "rang although it was put off"
    ring.restart(5 * MINUTE)
    second = rung_pushes(device, dose, 2)[1]
    assert second.payload["tag"] == first.payload["tag"] and second.topic == first.topic
    assert second.payload["delivery"] != first.payload["delivery"]
    # Postponing does not change the due time.
    assert second.payload["due"] == first.payload["due"]
    ring.restart(5 * MINUTE)
    rung_pushes(device, dose, 3)


def test_later_for_one_of_a_group_takes_it_out_and_leaves_the_rest(
    own_ring: Callable[..., Ring],
) -> None:
    ring = own_ring()
    person = ring.person()
    device = person.subscribe()
    # Two medicines, since the next dose of the same plan would interfere.
    one, other = person.dose_in(2), person.dose_in(2)
    (first,) = rung_pushes(device, one, 1)
    assert set(first.payload["doses"]) == {one, other}
    assert person.api.answer(one, "later", minutes=10).status_code == 200
    ring.restart(5 * MINUTE)
    kept = rung_pushes(device, other, 2)[1]
    assert kept.payload["doses"] == [other] and kept.payload["tag"] == first.payload["tag"]
    assert len(device.rung(one)) == 1
    ring.restart(5.5 * MINUTE)
    moved = rung_pushes(device, one, 2)[1]
    assert moved.payload["doses"] == [one]
    assert moved.payload["tag"] != first.payload["tag"]
    assert device.rung(other)[-1].payload["tag"] == first.payload["tag"]


def test_an_answered_dose_leaves_its_group(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    person = ring.person()
    device = person.subscribe()
    doses = person.plan_in(1, 1.2, 1.4)
    (first,) = rung_pushes(device, doses[0], 1)
    assert person.api.answer(doses[0], "taken", confirm=True).status_code == 200
    ring.restart(5 * MINUTE)
    second = rung_pushes(device, doses[1], 2)[1]
    assert second.payload["doses"] == doses[1:] and second.payload["dose"] == doses[1]
    assert second.payload["tag"] == first.payload["tag"]
    # Delivered messages still name the same doses.
    assert {tuple(d["doses"]) for d in person.deliveries() if d["rung"] == 0} == {tuple(doses)}


def test_a_stop_ends_a_running_escalation(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    person = ring.person()
    device = person.subscribe()
    kept = person.dose_in(0)
    rung_pushes(device, kept, 1)
    stopped = person.dose_in(0)
    plan = person.last_plan
    rung_pushes(device, stopped, 1)
    path = f"MedicationRequest/{plan['id']}"
    assert person.api.fhir("PUT", path, plan | {"status": "stopped"}).status_code == 200
    ring.restart(6 * MINUTE)
    rung_pushes(device, kept, 2)
    ring.marker()
    assert len(device.rung(stopped)) == 1


def test_a_device_that_shows_nothing_for_a_day_counts_as_broken(
    own_ring: Callable[..., Ring],
) -> None:
    ring = own_ring()
    person, seen = ring.person("unseen"), ring.person("seen")
    silent, working = person.subscribe(), seen.subscribe()
    hours = [n * 26 * 3600 / 5 for n in range(6)]
    doses, others = person.plan_in(*hours), seen.plan_in(*hours)
    for number, (dose, other) in enumerate(zip(doses, others)):
        rung_pushes(silent, dose, 1)
        (push,) = rung_pushes(working, other, 1)
        path = f"/api/v1/deliveries/{push.payload['delivery']}/shown"
        assert seen.api.post(path, {}).status_code == 204
        assert person.api.answer(dose, "taken", confirm=True).status_code == 200
        assert seen.api.answer(other, "taken", confirm=True).status_code == 200
        if number < 5:
            ring.restart(hours[1])
    # The sixth, a day after the first that no one saw, is also sent by mail at once.
    (mail,) = eventually(person.mails, "a mail beside the broken device")
    assert mail.recipients == [person.email]
    assert seen.mails() == []


def test_a_mail_comes_at_once_when_the_last_device_is_gone_between_two_steps(
    own_ring: Callable[..., Ring],
) -> None:
    ring = own_ring()
    person = ring.person()
    device = person.subscribe()
    dose = person.dose_in(0)
    rung_pushes(device, dose, 1)
    device.reply(Reply(410))
    ring.restart(5 * MINUTE)
    person.delivery(dose, "gone", rung=1)
    (mail,) = eventually(person.mails, "a mail in place of the lost device")
    assert (1, "mail") in at_steps(person, dose)
    due = parse(person.api.dose(dose)["due"])
    assert due.strftime("%H:%M") in mail.text
    assert person.api.now() - due < timedelta(minutes=6)
