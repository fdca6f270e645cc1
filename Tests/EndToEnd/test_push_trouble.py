# SPDX-License-Identifier: Apache-2.0
"""Push services that misbehave: what is retried, what is given up, what the person is told.

Every failure has its own push service, so that none is hidden by another one's limits. They all begin
together, so that the test only waits for the slowest.
"""
import time
from dataclasses import dataclass, field
from datetime import timedelta
from email.utils import format_datetime

import pytest

from harness.push_receiver import Device, Push, PushReceiver, Reply, retry_after
from harness.ringing import Person, Ring, eventually
from harness.session import Session

ACCEPT = Reply()


@dataclass
class Case:
    """A person with one device and one dose that is due."""

    ring: Ring
    person: Person
    device: Device
    dose: str = ""
    doses: list[str] = field(default_factory=list)
    # When the service accepts the push again, by the clock of Push.received; a date in the header is
    # absolute.
    opens: float = 0

    def pushes(self, count: int) -> list[Push]:
        what = f"push {count} of {self.person.email}"
        return eventually(lambda: self.device.pushes[count - 1:] and self.device.pushes, what, 30)

    def told(self, outcome: str) -> dict:
        return self.person.delivery(self.dose, outcome, rung=0)


def http_date(service: PushReceiver, seconds: int) -> str:
    moment = service.clock() + timedelta(seconds=seconds)
    return format_datetime(moment.replace(microsecond=0), usegmt=True)


TROUBLES = {
    "404": [Reply(404)],
    "410": [Reply(410)],
    "413 for long ones": [Reply(413, above=1693)],
    "413 for all": [Reply(413)],
    "429 seconds": [retry_after(429, "4"), ACCEPT],
    "429 date": [],
    "429 nothing": [Reply(429), ACCEPT],
    "503 seconds": [retry_after(503, "2"), ACCEPT],
    "429 nonsense": [retry_after(429, "soon"), ACCEPT],
    "429 for ever": [retry_after(429, "9" * 30)],
    "500": [Reply(500), Reply(502), ACCEPT],
    "400": [Reply(400)],
    "401": [Reply(401)],
    "403": [Reply(403)],
    "301": [],
    "drop": [Reply(drop=True), ACCEPT],
    "hang": [Reply(hang=True), ACCEPT],
    "long answer": [Reply(201, body=b"a" * 3_000_000)],
    "slow": [Reply(delay=3)],
}


@pytest.fixture(scope="module")
def cases(ring: Ring) -> dict[str, Case]:
    made = {}
    elsewhere = ring.service()
    for name, replies in TROUBLES.items():
        person = ring.person("trouble")
        service = ring.service()
        device = person.subscribe(service)
        opens = 0.0
        if name == "429 date":
            # A date is truncated to whole seconds.
            opens = time.monotonic() + 8
            replies = [retry_after(429, http_date(service, 9)), ACCEPT]
        if name == "301":
            place = elsewhere.device()
            place.server_key = device.server_key
            replies = [Reply(301, (("Location", place.endpoint),))]
        device.reply(*replies)
        made[name] = Case(ring, person, device, opens=opens)
    for name, case in made.items():
        count = 16 if name == "413 for long ones" else 1
        case.doses = case.person.plan_in(*[number / 100 for number in range(count)])
        case.dose = case.doses[0]
    made["301"].device.elsewhere = elsewhere  # type: ignore[attr-defined]
    return made


def goes_to_mail_at_once(case: Case) -> None:
    """No other device is left: the next channel takes over without waiting for its step."""
    eventually(case.person.mails, "a mail in place of the push")
    mailed = [d for d in case.person.deliveries(case.dose) if d["channel"] == "mail"]
    assert len(mailed) == 1 and mailed[0]["rung"] == 0, case.person.deliveries(case.dose)


@pytest.mark.parametrize("name", ["404", "410"])
def test_a_subscription_that_is_gone_is_deleted(cases: dict[str, Case], name: str) -> None:
    case = cases[name]
    told = case.told("gone")
    assert told["attempts"] == 1 and "handedOver" not in told
    assert case.person.subscriptions() == []
    goes_to_mail_at_once(case)
    assert len(case.device.pushes) == 1


def test_what_is_too_large_is_sent_again_smaller(cases: dict[str, Case]) -> None:
    case = cases["413 for long ones"]
    told = case.told("handedOver")
    assert len(case.device.pushes) == 2, [len(p.body) for p in case.device.pushes]
    first, second = case.pushes(2)
    assert [first.status, second.status] == [413, 201], [len(first.body), len(second.body)]
    assert len(second.body) < len(first.body)
    assert second.payload["delivery"] == first.payload["delivery"] == told["id"]
    assert second.payload["doses"] == first.payload["doses"] == case.doses
    assert second.topic == first.topic and second.payload["tag"] == first.payload["tag"]


def test_what_stays_too_large_is_given_up_and_said(cases: dict[str, Case]) -> None:
    case = cases["413 for all"]
    told = case.told("failed")
    assert "handedOver" not in told and len(case.device.pushes) == 2
    assert case.person.subscriptions() == [case.device.subscription]


@pytest.mark.parametrize(
    ("name", "seconds"), [("429 seconds", 4), ("429 date", 0), ("503 seconds", 2)]
)
def test_retry_after_is_respected(cases: dict[str, Case], name: str, seconds: int) -> None:
    case = cases[name]
    first, second = case.pushes(2)
    # The only lower bound: a service that asks for a delay gets it.
    assert second.received - first.received >= seconds
    assert second.received >= case.opens
    assert second.payload == first.payload and second.topic == first.topic
    told = case.told("handedOver")
    assert told["id"] == first.payload["delivery"] and told["attempts"] == 2
    assert len(case.device.pushes) == 2


@pytest.mark.parametrize("name", ["429 nothing", "429 nonsense"])
def test_without_a_time_it_is_tried_again_soon(cases: dict[str, Case], name: str) -> None:
    first, second = cases[name].pushes(2)
    assert second.received - first.received >= 0.5
    assert second.payload["delivery"] == first.payload["delivery"]
    assert cases[name].told("handedOver")["attempts"] == 2


def test_a_wait_without_end_is_shown_as_trying(cases: dict[str, Case]) -> None:
    case = cases["429 for ever"]
    told = case.told("retrying")
    assert told["attempts"] >= 1 and "handedOver" not in told
    assert case.person.subscriptions() == [case.device.subscription]


def test_server_errors_are_tried_again_at_growing_distances(cases: dict[str, Case]) -> None:
    case = cases["500"]
    first, second, third = case.pushes(3)
    assert second.received - first.received >= 0.7
    assert third.received - second.received >= 1.5
    assert len({p.payload["delivery"] for p in (first, second, third)}) == 1
    assert len({p.topic for p in (first, second, third)}) == 1
    assert case.told("handedOver")["attempts"] == 3


@pytest.mark.parametrize("name", ["400", "401", "403"])
def test_a_fault_of_ours_is_said_and_keeps_the_subscription(
    cases: dict[str, Case], name: str
) -> None:
    case = cases[name]
    told = case.told("failed")
    assert "handedOver" not in told
    assert case.person.subscriptions() == [case.device.subscription]


def test_a_redirect_is_not_followed(cases: dict[str, Case]) -> None:
    case = cases["301"]
    case.told("failed")
    elsewhere = case.device.elsewhere  # type: ignore[attr-defined]
    assert [d.pushes for d in elsewhere.devices.values()] == [[]] and not elsewhere.strays
    assert case.person.subscriptions() == [case.device.subscription]


def test_a_dropped_connection_is_tried_again_with_the_same_id(cases: dict[str, Case]) -> None:
    case = cases["drop"]
    case.told("handedOver")
    accepted = case.device.accepted
    assert len(accepted) == 1
    for push in case.device.pushes:
        assert push.payload["delivery"] == accepted[0].payload["delivery"]
        assert push.topic == accepted[0].topic


def test_a_service_that_never_answers_is_given_up_after_a_while(cases: dict[str, Case]) -> None:
    case = cases["hang"]
    first, second = case.pushes(2)
    assert second.payload["delivery"] == first.payload["delivery"]
    assert case.told("handedOver")["attempts"] == 2


def test_an_endless_answer_does_no_harm(cases: dict[str, Case]) -> None:
    case = cases["long answer"]
    case.pushes(1)
    assert case.told("handedOver")["id"] == case.device.pushes[0].payload["delivery"]


def test_a_slow_service_is_waited_for(cases: dict[str, Case]) -> None:
    case = cases["slow"]
    assert case.told("handedOver")["attempts"] == 1
    assert len(case.device.pushes) == 1


def test_one_silent_service_does_not_hold_the_others(ring: Ring) -> None:
    silent, devices = ring.service(), []
    stuck = ring.person("stuck")
    for _ in range(40):
        device = stuck.subscribe(silent)
        device.reply(Reply(hang=True))
        devices.append(device)
    hanging = stuck.dose_in(0)
    eventually(lambda: any(d.pushes for d in devices), "the first of the silent ones")
    quick = ring.person("quick")
    device = quick.subscribe()
    doses = quick.plan_in(0, 0.3, 0.6)
    eventually(lambda: all(device.rung(dose) for dose in doses), "the others' reminders")
    # The silent ones are still waiting or were given up: none was delivered.
    assert all("handedOver" not in told for told in stuck.deliveries(hanging))
    for device in devices:
        device.reply(ACCEPT)


def test_an_outage_of_one_device_leaves_the_other_to_ring(ring: Ring) -> None:
    person = ring.person()
    broken, healthy = person.subscribe(ring.service()), person.subscribe()
    broken.reply(Reply(410))
    dose = person.dose_in(0)
    push = eventually(lambda: healthy.rung(dose), "the healthy device")[0]
    person.delivery(dose, "gone")
    assert person.delivery(dose, "handedOver")["id"] == push.payload["delivery"]
    assert person.subscriptions() == [healthy.subscription]
    assert person.mails() == [], "a device is left: mail waits for its step"


def test_the_status_page_names_what_is_in_trouble(ring: Ring, cases: dict[str, Case]) -> None:
    for name in ("403", "301", "413 for all"):
        cases[name].told("failed")
    administrator = Session.by_invitation(ring.server, "operator@example.org", is_administrator=True)
    page = administrator.get("/status")
    assert page.status_code == 200
    for name in ("403", "301"):
        assert cases[name].device.receiver.host in page.text, f"{name} is not on the status page"
    for case in cases.values():
        assert case.device.name not in page.text and case.person.email not in page.text
    # A person who is not an administrator sees their own devices and no counters.
    somebody = Session.by_invitation(ring.server, "somebody@example.org")
    page = somebody.get("/status")
    assert page.status_code == 200
    assert cases["403"].device.receiver.host not in page.text
