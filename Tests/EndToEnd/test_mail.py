# SPDX-License-Identifier: Apache-2.0
"""Mail through a sendmail program: its arguments, its headers, its parts, and its failures."""
import re
from collections.abc import Callable
from email.utils import parsedate_to_datetime

import pytest

from harness.api import parse
from harness.mailbox import FAILED_FOR_NOW, NO_SUCH_USER, Mail
from harness.ringing import NO_MAIL, SENDER, Person, Ring, eventually
from harness.session import Session

LINE_BREAKS = "Ann\r\nBcc: evil@example.org\r\n\r\nNow: a body\u2028\u0085\x0b x"


def mailed(person: Person, count: int = 1) -> list[Mail]:
    """A person without a device gets a mail at the first step."""

    def look() -> list[Mail]:
        return person.mails()[count - 1:] and person.mails()

    return eventually(look, f"mail {count} for {person.email}")


def well_formed(mail: Mail) -> None:
    """The rules for every mail, whatever its text."""
    message = mail.message
    assert mail.arguments[:4] == ["-i", "-f", SENDER, "--"] and len(mail.arguments) == 5
    for part in message.walk():
        assert part.defects == [], part.defects
        assert all(not header.defects for header in part.values()), part.items()
    lines = mail.content.split(b"\n")
    assert max(len(line.rstrip(b"\r")) for line in lines) <= 998
    head = mail.content.replace(b"\r\n", b"\n").split(b"\n\n")[0]
    assert max(map(len, head.split(b"\n"))) <= 78, head
    assert all(byte < 128 for byte in mail.content), "not in ASCII"
    names = [name.lower() for name, _ in message.items()]
    for name in ("from", "to", "subject", "date", "message-id", "mime-version", "content-type"):
        assert names.count(name) == 1, f"{names.count(name)} headers {name}"
    assert not {"bcc", "cc", "reply-to", "now"} & set(names), names
    assert message["Auto-Submitted"] == "auto-generated"
    assert re.fullmatch(r"<[^<>@\s]+@[^<>@\s]+>", message["Message-ID"].strip())
    assert [a.addr_spec for a in message["To"].addresses] == mail.recipients
    assert [a.addr_spec for a in message["From"].addresses] == [SENDER]
    assert parsedate_to_datetime(str(message["Date"])).tzinfo is not None


def test_a_mail_of_a_reminder(ring: Ring) -> None:
    person = ring.person("mailonly")
    dose = person.dose_in(0, name="Methotrexate 7.5 mg")
    (mail,) = mailed(person)
    well_formed(mail)
    message = mail.message
    assert message.get_content_type() == "multipart/alternative"
    kinds = [part.get_content_type() for part in message.iter_parts()]
    assert kinds == ["text/plain", "text/html"], "the best part comes last"
    due = parse(person.api.dose(dose)["due"]).strftime("%H:%M")
    html = message.get_body(("html",)).get_content()
    for text in (str(message["Subject"]), mail.text, html):
        assert due in text
    for private in ("methotrexate", "7.5", "mailonly"):
        body = (mail.text + html + str(message["Subject"])).lower()
        assert private not in body, f"{private} in a mail"
    links = re.findall(r"https?://[^\s\"<>]+", mail.text)
    assert links and all(link.startswith(ring.server.base) for link in links)
    for link in links:
        # A mail scanner opens every link, which must not answer anything.
        assert ring.server.api().get(link).status_code in (200, 303)
    assert "answer" not in person.api.dose(dose)
    told = person.delivery(dose, "handedOver")
    assert told["channel"] == "mail" and told["attempts"] == 1
    assert person.email not in told["address"], "the address is not masked"


@pytest.mark.parametrize("language", ["de", "nb", "th", "tr"])
def test_a_mail_speaks_the_persons_language(ring: Ring, language: str) -> None:
    email = f"speaks-{language}@example.org"
    session = Session.by_invitation(ring.server, email)
    form = session.form("/me/account", names=("given-name",))
    broken = session.request("POST", "/me/account", data=form.fields | {"given-name": LINE_BREAKS})
    assert broken.status_code in (303, 422), broken.status_code
    session.submit("/me/appearance", "language", language=language)
    person = Person(ring, email)
    person.dose_in(0)
    (mail,) = mailed(person)
    well_formed(mail)
    assert "evil@example.org" not in mail.text and "evil" not in str(mail.message["To"])
    english = ring.person("speaks-english")
    english.dose_in(0)
    (other,) = mailed(english)
    assert mail.message["Subject"] != other.message["Subject"]
    if language == "th":
        assert re.search("[\u0e00-\u0e7f]", str(mail.message["Subject"]))


@pytest.mark.parametrize(
    "email",
    ["-oQ/tmp/x@example.org", "-bs@example.org", "a'b`id`$HOME@example.org", "a|b&c@example.org",
     "a%0aBcc=evil@example.org", "o'neil+tag@example.org", "j\u00f6rg@example.org"],
)
def test_no_address_becomes_an_option_or_a_command(ring: Ring, email: str) -> None:
    ring.server.invite(email)
    person = Person(ring, email)
    dose = person.dose_in(0)
    told = eventually(
        lambda: [d for d in person.deliveries(dose) if d["outcome"] in ("handedOver", "failed")]
    )
    if told[0]["outcome"] == "handedOver":
        (mail,) = mailed(person)
        assert mail.recipients == [email] and mail.arguments[:4] == ["-i", "-f", SENDER, "--"]
        if email.isascii():
            well_formed(mail)
    else:
        assert email.startswith("-") or not email.isascii(), "this one is harmless"
        assert ring.mailbox.mails(email, delivered=False) == []


@pytest.mark.parametrize("sender", ["a@example.org\nBcc: b@example.org", "no address", "-x", ""])
def test_a_broken_sender_is_refused_or_mails_nothing(
    own_ring: Callable[..., Ring], sender: str
) -> None:
    try:
        ring = own_ring(environment={"REGIMEN_MAIL_FROM": sender})
    except AssertionError as error:
        assert "ended with" in str(error)
        return
    person = ring.person()
    device = person.subscribe()
    dose = person.dose_in(0)
    eventually(lambda: device.rung(dose))
    assert ring.mailbox.mails(delivered=False) == []


def test_a_failure_for_now_is_tried_again_with_the_same_message(ring: Ring) -> None:
    person = ring.person("slowbox")
    ring.mailbox.behave(person.email, FAILED_FOR_NOW, FAILED_FOR_NOW)
    dose = person.dose_in(0)
    mailed(person)
    attempts = ring.mailbox.mails(person.email, delivered=False)
    assert [mail.code for mail in attempts] == [75, 75, 0]
    assert len({mail.message["Message-ID"] for mail in attempts}) == 1
    assert person.delivery(dose, "handedOver")["attempts"] == 3


def test_a_refused_recipient_is_said_and_not_tried_again(ring: Ring) -> None:
    person = ring.person("nosuchuser")
    ring.mailbox.behave(person.email, NO_SUCH_USER)
    dose = person.dose_in(0)
    told = person.delivery(dose, "failed")
    assert told["channel"] == "mail" and "handedOver" not in told
    ring.marker()
    assert len(ring.mailbox.mails(person.email, delivered=False)) == 1


def test_a_program_that_hangs_is_ended_and_holds_nobody(ring: Ring) -> None:
    stuck = [ring.person("stuckbox") for _ in range(3)]
    for person in stuck:
        ring.mailbox.behave(person.email, "hang")
    doses = [person.dose_in(0) for person in stuck]
    for person in stuck:
        eventually(lambda: ring.mailbox.mails(person.email, delivered=False))
    # Pushes and other mails continue in the meantime.
    quick = ring.person("quickbox")
    device = quick.subscribe()
    pushed = quick.dose_in(0)
    eventually(lambda: device.rung(pushed))
    mail_only = ring.person("mailbox")
    mail_only.dose_in(0)
    mailed(mail_only)
    for person, dose in zip(stuck, doses):
        mailed(person)
        assert person.delivery(dose, "handedOver")["attempts"] == 2


def test_without_a_mail_program_silence_is_reported(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring(environment=NO_MAIL)
    session = Session.by_invitation(ring.server, "operator@example.org", is_administrator=True)
    person = ring.person("unreachable")
    person.dose_in(0)
    ring.marker()
    page = session.get("/status")
    assert page.status_code == 200
    assert person.email not in page.text
    assert person.deliveries() == [] or person.deliveries()[0]["outcome"] == "failed"
