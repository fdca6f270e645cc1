# SPDX-License-Identifier: Apache-2.0
"""Webhooks, Home Assistant and phone gateways over real HTTP, each against a stand-in that checks its
form."""
import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Iterator

import pytest
import requests

from harness.gateway_receiver import ACCOUNT, NUMBER, SECRET, GatewayReceiver, Taken
from harness.ringing import Person, Ring, eventually
from harness.session import Session
from test_channels import press

KEY = "whsec_" + base64.b64encode(b"k" * 32).decode()


@pytest.fixture
def gateway() -> Iterator[GatewayReceiver]:
    made = GatewayReceiver(KEY)
    yield made
    made.close()
    assert made.faults == []


def address(one: Taken) -> str:
    return re.search(r"https?://[^\s\"]+/(?:proof|tap)/[\w-]+", str(one.body)).group()  # type: ignore[union-attr]


def test_webhooks_from_the_form_to_the_answer(
    own_ring: Callable[..., Ring], gateway: GatewayReceiver
) -> None:
    ring = own_ring(environment={"REGIMEN_OUTBOUND_HOSTS": gateway.host})
    session = Session.by_invitation(ring.server, "hooks@example.org")
    session.submit("/device/add/webhook", "server", server=f"{gateway.base}/in?x=1", secret=KEY)
    session.submit("/device/add/home-assistant", "server", server=gateway.base, name="-hook")
    session.submit(
        "/device/add/home-assistant-notify", "server", server=gateway.base,
        name="mobile_app_phone", secret="long-lived",
    )
    eventually(lambda: len(gateway.taken) == 3, "the tests")
    assert {one.path for one in gateway.taken} == {
        "/in", "/api/webhook/-hook", "/api/services/notify/mobile_app_phone"
    }
    for one in list(gateway.taken):
        assert press(address(one)).status_code == 200
    person = Person(ring, "hooks@example.org")
    # A failing server is retried with the same id; the others are not delayed.
    gateway.replies.extend([500, 200, 200])
    dose = person.dose_in(0, name="Methotrexate 7.5 mg")
    eventually(lambda: len(gateway.taken) == 6, "the reminders")
    assert "methotrexate" not in str(gateway.taken[3:]).lower()
    hook = next(one for one in gateway.taken[3:] if one.path == "/in")
    assert hook.body["data"]["delivery"] == hook.headers["webhook-id"]
    assert press(address(hook)).status_code == 200
    assert person.api.dose(dose)["state"] == "taken"
    for file in ring.server.data.iterdir():
        if file.is_file():
            content = file.read_bytes()
            for secret in (KEY.encode(), b"long-lived", b"-hook"):
                assert secret not in content, file.name


@pytest.mark.parametrize("kind", ["twilio", "vonage", "seven"])
def test_a_number_is_proven_by_a_code(
    own_ring: Callable[..., Ring], gateway: GatewayReceiver, kind: str
) -> None:
    ring = own_ring(environment={
        "REGIMEN_GATEWAY_KIND": kind, "REGIMEN_GATEWAY_URL": gateway.base,
        "REGIMEN_GATEWAY_ACCOUNT": ACCOUNT, "REGIMEN_GATEWAY_SECRET": SECRET,
        "REGIMEN_GATEWAY_FROM": "+15005550006",
    })
    session = Session.by_invitation(ring.server, "phone@example.org")
    ways = ["sms"] if kind == "vonage" else ["sms", "call"]
    for way in ways:
        session.submit(f"/device/add/{way}", "number", number=NUMBER)
        one = eventually(lambda: gateway.taken and gateway.taken[-1], "the code")
        said = one.body.get("said") or one.body.get("Body") or one.body["text"]
        code = re.sub(r"\D", "", said)[:6]
        page = session.get("/device").text
        field = re.search(r'name="(code-[^"]+)"', page).group(1)  # type: ignore[union-attr]
        session.submit("/device", field, **{field: code})
        gateway.taken.clear()
    assert session.get("/device/add/call").status_code == (404 if kind == "vonage" else 200)
    # No device: the reminder goes to every confirmed channel at once, and can be answered from the text
    # message.
    person = Person(ring, "phone@example.org")
    dose = person.dose_in(0, name="Methotrexate 7.5 mg")
    eventually(lambda: len(gateway.taken) == len(ways), "the reminders")
    assert "methotrexate" not in str(gateway.taken).lower()
    text = next(one for one in gateway.taken if "/tap/" in str(one.body))
    assert press(address(text)).status_code == 200
    assert person.api.dose(dose)["state"] == "taken"


def reply(ring: Ring, text: str, identifier: str, key: str = SECRET) -> requests.Response:
    """Sends a text to the server as Twilio does, with its signature."""
    address = f"{ring.server.base}/api/v1/gateways/replies"
    fields = {"MessageSid": identifier, "AccountSid": ACCOUNT, "From": NUMBER, "Body": text}
    signed = address + "".join(name + fields[name] for name in sorted(fields))
    signature = base64.b64encode(hmac.new(key.encode(), signed.encode(), hashlib.sha1).digest())
    return requests.post(address, data=fields, headers={"X-Twilio-Signature": signature}, timeout=30)


def test_a_text_is_answered_by_a_text(own_ring: Callable[..., Ring], gateway: GatewayReceiver) -> None:
    ring = own_ring(environment={
        "REGIMEN_GATEWAY_KIND": "twilio", "REGIMEN_GATEWAY_URL": gateway.base,
        "REGIMEN_GATEWAY_ACCOUNT": ACCOUNT, "REGIMEN_GATEWAY_SECRET": SECRET,
        "REGIMEN_GATEWAY_SIGNING": SECRET, "REGIMEN_GATEWAY_FROM": "+15005550006",
    })
    session = Session.by_invitation(ring.server, "reply@example.org")
    session.submit("/device/add/sms", "number", number=NUMBER)
    one = eventually(lambda: gateway.taken and gateway.taken[-1], "the code")
    page = session.get("/device").text
    field = re.search(r'name="(code-[^"]+)"', page).group(1)  # type: ignore[union-attr]
    session.submit("/device", field, **{field: re.sub(r"\D", "", one.body["Body"])[:6]})
    gateway.taken.clear()
    person = Person(ring, "reply@example.org")
    dose = person.dose_in(0, name="Methotrexate 7.5 mg")
    one = eventually(lambda: gateway.taken and gateway.taken[-1], "the reminder")
    assert "Reply 1" in one.body["Body"]
    assert reply(ring, "1", "SM1", key="forged").status_code == 403
    assert person.api.dose(dose)["state"] == "due"
    assert reply(ring, "Taken!", "SM2").status_code == 200
    assert person.api.dose(dose)["state"] == "taken"
    eventually(lambda: len(gateway.taken) == 2, "the confirmation")
    assert "Logged as taken" in gateway.taken[-1].body["Body"]
    # The gateway sends the same text again.
    assert reply(ring, "Taken!", "SM2").status_code == 200
    assert len(gateway.taken) == 2
    for file in ring.server.data.iterdir():
        if file.is_file():
            assert NUMBER[1:].encode() not in file.read_bytes(), file.name


def test_a_number_to_sign_in_with_is_proved_and_replaces_a_password(
    own_ring: Callable[..., Ring], gateway: GatewayReceiver
) -> None:
    ring = own_ring(environment={
        "REGIMEN_GATEWAY_KIND": "vonage", "REGIMEN_GATEWAY_URL": gateway.base,
        "REGIMEN_GATEWAY_ACCOUNT": ACCOUNT, "REGIMEN_GATEWAY_SECRET": SECRET,
        "REGIMEN_GATEWAY_FROM": "+15005550006",
    })
    session = Session.by_invitation(ring.server, "number@example.org")
    session.submit("/account/security/address", "address", address=NUMBER)
    one = eventually(lambda: gateway.taken and gateway.taken[-1], "the code")
    code = re.search(r"\b\d{6}\b", one.body["text"])
    assert code and one.body["to"] == NUMBER.removeprefix("+")
    session.submit("/account/security/address/code", "code", code=code.group(0))
    assert NUMBER in session.get("/account/security").text
    # It also resets a forgotten password, by a link in a text message.
    gateway.taken.clear()
    stranger = Session(ring.server)
    assert stranger.request("POST", "/sign-in/forgotten", data={"email": NUMBER}).status_code == 200
    one = eventually(lambda: gateway.taken and gateway.taken[-1], "the link")
    link = re.search(r"/invitation/rgi_[\w-]+", one.body["text"])
    assert link and stranger.get(link.group(0)).status_code == 200
    for file in ring.server.data.iterdir():
        if file.is_file():
            content = file.read_bytes()
            assert NUMBER[1:].encode() not in content, file.name
            assert link.group(0)[-20:].encode() not in content, file.name
