# SPDX-License-Identifier: Apache-2.0
"""Links in mails and ntfy messages that answer without a sign-in, over real HTTP."""
import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
import requests

from harness.ntfy_receiver import NtfyReceiver
from harness.ringing import Person, Ring, eventually
from harness.session import Session


@pytest.fixture
def ntfy() -> Iterator[NtfyReceiver]:
    made = NtfyReceiver()
    yield made
    made.close()
    assert made.faults == []


def press(address: str) -> requests.Response:
    """Posts the single button of a page, as a browser without a session would."""
    base = "{0.scheme}://{0.netloc}".format(urlsplit(address))
    page = requests.get(address, timeout=20)
    assert page.status_code == 200 and 'method="post"' in page.text, page.text
    return requests.post(address, data={}, headers={"Origin": base}, timeout=20)


def test_ntfy_from_the_form_to_the_answer(
    own_ring: Callable[..., Ring], ntfy: NtfyReceiver
) -> None:
    ring = own_ring(environment={"REGIMEN_NTFY_URL": ntfy.base})
    session = Session.by_invitation(ring.server, "ntfy@example.org")
    session.submit("/device/ntfy", "server", topic="my-topic", token="tk_secret")
    (test,) = eventually(lambda: ntfy.taken("my-topic"), "the test")
    assert test.headers["Authorization"] == "Bearer tk_secret"
    assert press(test.body["click"]).status_code == 200
    person = Person(ring, "ntfy@example.org")
    # The service asks for a pause, and is tried again after it.
    ntfy.replies.append((429, {"Retry-After": "1"}))
    dose = person.dose_in(0, name="Methotrexate 7.5 mg")
    _, rung = eventually(lambda: ntfy.taken("my-topic")[1:] and ntfy.taken("my-topic"))
    assert person.delivery(dose, "handedOver")["attempts"] >= 1
    assert "methotrexate" not in str(rung.body).lower()
    # Opening it changes nothing, a press answers, and a second press changes nothing more.
    for _ in range(2):
        assert requests.get(rung.body["click"], timeout=20).status_code == 200
    assert "answer" not in person.api.dose(dose)
    assert press(rung.body["click"]).status_code == 200
    answered = person.api.dose(dose)
    assert answered["state"] == "taken"
    again = requests.post(rung.body["click"], data={}, timeout=20)
    assert again.status_code == 200 and person.api.dose(dose)["version"] == answered["version"]
    secrets = [rung.body["click"].rsplit("/", 1)[1].encode(), b"tk_secret", b"my-topic"]
    for file in ring.server.data.iterdir():
        if file.is_file():
            content = file.read_bytes()
            assert not [one for one in secrets if one in content], file.name


def test_a_mail_answers_and_can_be_turned_off_by_one_click(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    person = ring.person("oneclick")
    dose = person.dose_in(0)
    (mail,) = eventually(person.mails)
    header = str(mail.message["List-Unsubscribe"]).strip()
    assert mail.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    links = re.findall(r"https?://\S+/tap/\S+", mail.text)
    assert len(links) == 3 and press(links[0]).status_code == 200
    assert person.api.dose(dose)["state"] == "taken"
    # As a mail program sends it: either form encoding, no cookie, no origin (RFC 8058).
    off = header.strip("<>")
    one_click = {"List-Unsubscribe": (None, "One-Click")}
    told = requests.post(off, files=one_click, timeout=20)
    assert told.status_code == 200 and "This mailbox no longer gets reminders" in told.text
    person.dose_in(0)
    ring.marker()
    assert len(person.mails()) == 1
