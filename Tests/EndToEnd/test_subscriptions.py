# SPDX-License-Identifier: Apache-2.0
"""Push subscriptions: created, listed, removed; forbidden addresses are refused."""
from typing import Any

import pytest
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode

from harness.ringing import Person, Ring, eventually
from harness.session import Session
from test_doses import is_problem

PATH = "/api/v1/push-subscriptions"


@pytest.fixture
def person(ring: Ring) -> Person:
    return ring.person()


def test_a_subscription_is_made_listed_and_removed(person: Person) -> None:
    api = person.api
    empty = api.ok(PATH)
    assert empty["subscriptions"] == []
    assert len(b64urldecode(empty["vapidPublicKey"].encode())) == 65
    Vapid02.from_raw_public(empty["vapidPublicKey"].encode())  # a point of the curve
    device = person.subscribe()
    (listed,) = api.ok(PATH)["subscriptions"]
    assert listed["id"] == device.subscription
    assert listed["address"] and device.name not in listed["address"], "the address is not masked"
    assert api.request("DELETE", f"{PATH}/{device.subscription}").status_code == 204
    assert person.subscriptions() == []
    is_problem(api.request("DELETE", f"{PATH}/{device.subscription}"), 404)


def test_the_same_endpoint_again_is_200_with_the_same_id(person: Person) -> None:
    device = person.subscribe()
    first = device.subscription
    assert person.subscribe_again(device) == 200 and device.subscription == first
    assert person.subscriptions() == [first]


def test_new_keys_of_a_known_endpoint_count(ring: Ring, person: Person) -> None:
    device = person.subscribe()
    other = device.receiver.device()
    device.private_key, device.secret = other.private_key, other.secret
    assert person.subscribe_again(device) == 200
    dose = person.dose_in(0)
    assert eventually(lambda: device.rung(dose))[0].payload["dose"] == dose


def test_someone_elses_subscription_is_neither_seen_nor_removed(ring: Ring) -> None:
    ann, bob = ring.person(), ring.person()
    device = ann.subscribe()
    assert bob.subscriptions() == []
    is_problem(bob.api.request("DELETE", f"{PATH}/{device.subscription}"), 404)
    is_problem(bob.api.post(f"{PATH}/{device.subscription}/test", {}), 404)
    assert ann.subscriptions() == [device.subscription]


def test_a_device_that_changes_hands_rings_for_its_new_owner_only(ring: Ring) -> None:
    ann, bob = ring.person(), ring.person()
    device = ann.subscribe()
    assert bob.subscribe_again(device) in (200, 201)
    assert ann.subscriptions() == [] and len(bob.subscriptions()) == 1
    hers, his = ann.dose_in(0), bob.dose_in(0)
    eventually(lambda: device.rung(his))
    ring.marker()
    assert device.rung(hers) == []


def test_without_sign_in_nothing_is_said(ring: Ring) -> None:
    api = ring.server.api("nonsense")
    for response in (api.get(PATH), api.post(PATH, {}), api.request("DELETE", f"{PATH}/x")):
        is_problem(response, 401)


def test_a_session_subscribes_and_takes_its_devices_along(ring: Ring) -> None:
    session = Session.by_invitation(ring.server, "session@example.org")
    device = ring.services[0].device()
    response = session.request("POST", PATH, json=device.json)
    assert response.status_code == 201, response.text
    assert len(session.get(PATH).json()["subscriptions"]) == 1
    token = ring.server.create_token("session@example.org")
    session.submit("/me", action="/sign-out")
    assert ring.server.api(token).ok(PATH)["subscriptions"] == []


def test_a_page_of_another_site_cannot_subscribe(ring: Ring) -> None:
    session = Session.by_invitation(ring.server, "victim@example.org")
    response = session.request(
        "POST", PATH, json=ring.services[0].device().json,
        headers={"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    )
    assert response.status_code == 403
    assert session.get(PATH).json()["subscriptions"] == []


def foreign(port: str) -> list[str]:
    """Forbidden addresses, in the notations that fool other checks."""
    return [
        "https://evil.example/push/x", "http://fcm.googleapis.com/fcm/send/x",
        "https://fcm.googleapis.com:8443/x", "https://fcm.googleapis.com:80/x",
        "https://fcm.googleapis.com.evil.example/x", "https://evilfcm.googleapis.com/x",
        "https://evil.example#fcm.googleapis.com/x", "https://evil.example?fcm.googleapis.com/x",
        "https://fcm.googleapis.com@evil.example/x", "https://a:b@fcm.googleapis.com/x",
        f"http://127.0.0.1:{port}@evil.example/x", "https://evil.example\\@fcm.googleapis.com/x",
        "https://fcm.googleapis.com\\.evil.example/x", "https://fcm.googleapis.com./x",
        "https://fcm%2egoogleapis.com/x", "https://fcm.googleapis.com%00.evil.example/x",
        "https://fcm.googleapis。com/x", "https://ｆcm.googleapis.com/x",
        "https://xn--fcm-x.googleapis.com/x", "https:fcm.googleapis.com/x", "//fcm.googleapis.com/x",
        "https:///fcm.googleapis.com/x", "https://", "fcm.googleapis.com/x", "", " ",
        "https://fcm.googleapis.com /x", "https://fcm.googleapis.com\r\nHost: evil.example/x",
        "https://fcm.googleapis.com/x\r\nX-Injected: 1", "https://fcm.googleapis.com/" + "a" * 5000,
        "https://push.apple.com.evil.example/x", "https://apple.com/x",
        "http://127.0.0.1:1/x", f"http://127.0.0.1:{port}1/x", f"http://127.0.0.1:0{port}/x",
        f"http://127.1:{port}/x", f"http://2130706433:{port}/x",
        f"http://0x7f000001:{port}/x", f"http://0177.0.0.1:{port}/x", f"http://0.0.0.0:{port}/x",
        f"http://localhost:{port}/x", f"http://[::1]:{port}/x", f"http://[::ffff:127.0.0.1]:{port}/x",
        f"http://127.0.0.1.nip.io:{port}/x", "http://127.0.0.1/x", "https://127.0.0.1/x",
        "https://[::1]/x", "https://169.254.169.254/latest/meta-data/", "https://10.0.0.1/x",
        "file:///etc/passwd", "gopher://127.0.0.1:25/x", "javascript:alert(1)", "data:,x",
    ]


def test_foreign_hosts_and_port_tricks_are_refused(ring: Ring, person: Person) -> None:
    device = ring.services[0].device()
    taken = {}
    for endpoint in foreign(str(ring.services[0].http.server_port)):
        response = person.api.post(PATH, {**device.json, "endpoint": endpoint})
        if response.status_code != 422:
            taken[endpoint] = response.status_code
        else:
            is_problem(response, 422)
    assert taken == {} and person.subscriptions() == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def", "https://FCM.googleapis.com/wp/quite-secret",
        "https://updates.push.services.mozilla.com/wpush/v2/quite-secret", "https://web.push.apple.com/quite-secret",
        "https://wns2-par02p.notify.windows.com/w/?token=quite-secret", "https://fcm.googleapis.com:443/wp/quite-secret",
    ],
)
def test_the_services_of_the_browsers_are_allowed(
    ring: Ring, person: Person, endpoint: str
) -> None:
    # Nothing is due, so nothing is sent there.
    response = person.api.post(PATH, {**ring.services[0].device().json, "endpoint": endpoint})
    assert response.status_code == 201, response.text
    assert endpoint.split("/")[-1] not in person.api.get(PATH).text


@pytest.mark.parametrize(
    "change",
    [
        {"keys": None}, {"keys": {}}, {"keys": []}, {"endpoint": None}, {"endpoint": 7},
        {"p256dh": ""}, {"p256dh": "!!!!"}, {"p256dh": "B" + "A" * 86}, {"p256dh": "A" * 87},
        {"p256dh": "B" * 5000}, {"auth": ""}, {"auth": "AAAA"}, {"auth": "A" * 400}, {"auth": 3},
    ],
    ids=str,
)
def test_broken_keys_are_refused(ring: Ring, person: Person, change: dict[str, Any]) -> None:
    body = ring.services[0].device().json
    parts = {k: v for k, v in change.items() if k in ("p256dh", "auth")}
    body |= {"keys": body["keys"] | parts} if parts else change
    is_problem(person.api.post(PATH, body), 422)
    assert person.subscriptions() == []


@pytest.mark.parametrize("body", [[], "text", 7, {}, {"endpoint": "x"}], ids=str)
def test_what_is_no_subscription_is_refused(person: Person, body: Any) -> None:
    response = person.api.post(PATH, body)
    assert response.status_code in (400, 422), response.text
    assert person.subscriptions() == []


def test_the_test_of_a_device_rings_it_and_nothing_else(person: Person) -> None:
    one, other = person.subscribe(), person.subscribe()
    response = person.api.post(f"{PATH}/{one.subscription}/test", {})
    assert response.status_code == 202, response.text
    (push,) = eventually(lambda: one.accepted, "the test")
    assert push.payload["delivery"] == response.json()["delivery"]
    assert push.payload["title"] and push.payload["body"] and push.payload["kind"] == "test"
    assert not push.payload.get("doses")
    response = person.api.post(f"{PATH}/{one.subscription}/confirm", {})
    assert response.status_code in (200, 204), response.text
    assert other.pushes == []
    is_problem(person.api.post(f"{PATH}/nothing-here/test", {}), 404)
    is_problem(person.api.post(f"{PATH}/nothing-here/confirm", {}), 404)
