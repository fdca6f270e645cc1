# SPDX-License-Identifier: Apache-2.0
"""Accounts that people create in Chromium from an invitation, with a password or a passkey."""
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from harness.browser import (
    LANGUAGES, PHONE, axe_problems, message_key_pattern, narrow_problems, new_context, screenshot,
    structure_problems, text_problems,
)
from harness.forms import accept_invitation, fill, follow, form_with, press, submit, value
from harness.server import PASSWORD, Server
from harness.sign_up import new_email, sign_up

KEYS = message_key_pattern()


def invite(owner: Page) -> tuple[str, str]:
    """Creates a family invitation: the path of its link, and the address of its page."""
    owner.goto("/people/share")
    form = form_with(owner, "relationship")
    fill(form, relationship="family", category="medicines")
    submit(form)
    return urlsplit(owner.locator("main p.break-anywhere").inner_text()).path, owner.url


def test_an_invited_person_creates_an_account(browser: Browser, server: Server) -> None:
    """Without scripts, to prove that they are not needed."""
    ours, ann, _ = sign_up(browser, server, size=PHONE, java_script_enabled=False)
    link, offer = invite(ann)
    theirs = new_context(browser, server.base, size=PHONE, java_script_enabled=False)
    bob, email = theirs.new_page(), new_email()
    bob.goto(link)
    assert "/sign-up" in bob.url

    # A mistake keeps the input.
    form = form_with(bob, "email", "password")
    fill(form, name="Bob", email=email, password="short")
    submit(form)
    form = form_with(bob, "email", "password")
    assert (value(form, "name"), value(form, "email")) == ("Bob", email)
    fill(form, password=PASSWORD)
    submit(form)

    # The same page follows for everyone; signing in opens the settings to confirm.
    assert "/sign-in" in bob.url
    form = form_with(bob, "email", "password")
    fill(form, email=email, password=PASSWORD)
    submit(form)
    assert "/start" in bob.url
    form = form_with(bob, "zone", "text-size")
    fill(form, zone="Europe/Oslo", text_size="125")
    submit(form)
    assert "done=accepted" in bob.url
    assert bob.locator("html").get_attribute("data-text-size") == "125"

    # The owner is told and confirms, and only then it is shared.
    ann.goto("/")
    notice = ann.locator("main .notice", has_text="Bob")
    follow(notice.locator("a"))
    assert ann.url == offer and email in ann.locator("main").inner_text()
    press(ann, "confirm")
    assert "done=confirmed" in ann.url
    patients = server.api(server.create_token(email)).ok("/api/v1/me")["patients"]
    assert [p["relationship"] for p in patients] == ["self", "family"], patients

    # The link no longer works.
    stranger = new_context(browser, server.base, java_script_enabled=False)
    page = stranger.new_page()
    page.goto(link)
    assert "already been used" in page.locator("main").inner_text()
    for context in (ours, theirs, stranger):
        context.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_an_invitation_of_the_operator_is_accepted_once(browser: Browser, server: Server, scripts: bool) -> None:
    link = urlsplit(server.invite(new_email())).path
    ours = new_context(browser, server.base, size=PHONE, java_script_enabled=scripts)
    page = ours.new_page()
    accept_invitation(page, link)
    assert urlsplit(page.url).path == "/" and page.locator("#navigation").is_visible()
    theirs = new_context(browser, server.base, size=PHONE, java_script_enabled=scripts)
    other = theirs.new_page()
    other.goto(link)
    assert other.locator("main").is_visible() and other.locator("[name=password]").count() == 0
    for context in (ours, theirs):
        context.close()


def test_a_passkey_takes_the_place_of_a_password(browser: Browser, server: Server) -> None:
    # Passkeys belong to host names, never to IP addresses.
    base = server.base.replace("127.0.0.1", "localhost")
    ours, ann, _ = sign_up(browser, server)
    link, _ = invite(ann)
    theirs = new_context(browser, base, size=PHONE)
    page, email = theirs.new_page(), new_email()
    devtools = theirs.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
        "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
    }})
    page.goto(link)
    follow(page.locator("a[href*='way=passkey']"))
    form = form_with(page, "attestation")
    submit(form)
    assert page.locator("#error-summary a").count() == 2, "name and address are asked for first"
    form = form_with(page, "attestation")
    fill(form, name="Bob", email=email)
    submit(form)
    assert "/sign-in" in page.url, page.locator("main").inner_text()
    follow(page.locator("form[data-passkey] button"))
    assert "/start" in page.url, page.locator("main").inner_text()
    # Only the passkey opens the account so far.
    follow(page.locator("main .notice a[href*='/account/security']"))
    follow(page.locator("form[action='/account/security/recovery'] button"))
    assert page.locator("ol.steps li").count() == 10, page.locator("main").inner_text()
    assert server.api(server.create_token(email)).patient
    ours.close()
    theirs.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_hold(browser: Browser, server: Server, language: str) -> None:
    ours, ann, _ = sign_up(browser, server)
    link, _ = invite(ann)
    theirs = new_context(browser, server.base, language, size=PHONE)
    page = theirs.new_page()
    code = link.rsplit("/", 1)[-1]
    found = {}
    for name, address in {
        "form": f"/sign-up?code={code}", "passkey": f"/sign-up?code={code}&way=passkey",
        "code": "/sign-up", "wrong": "/sign-up?code=nonsense",
        "done": "/sign-in?done=signed-up&next=/start",
    }.items():
        page.goto(address)
        found[name] = (
            structure_problems(page) + text_problems(page, language, KEYS)
            + narrow_problems(page, PHONE)
        )
        # Structure and colours are the same in every language.
        if language in ("en", "th"):
            found[name] += axe_problems(page)
        screenshot(page, f"{language}-sign-up", name)
    assert {name: problems for name, problems in found.items() if problems} == {}
    ours.close()
    theirs.close()
