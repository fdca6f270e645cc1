# SPDX-License-Identifier: Apache-2.0
"""Signing in with a passkey in Chromium, and with a code without scripts."""
from playwright.sync_api import Browser, BrowserContext, Page

from harness.browser import (
    PHONE, Listener, axe_problems, message_key_pattern, narrow_problems, screenshot,
    structure_problems, text_problems,
)
from harness.forms import fill, follow, form_with, submit
from harness.one_time_code import code
from harness.server import PASSWORD, Server
from harness.sign_up import sign_up_in


def base_with_a_name(server: Server) -> str:
    """Passkeys belong to host names, never to IP addresses."""
    return server.base.replace("127.0.0.1", "localhost")


def problems_of(page: Page, listener: Listener) -> list[str]:
    # Authenticators that only support RSA are not offered, which Chromium complains about.
    found = [one for one in listener.take() if "pubKeyCredParams" not in one]
    found += structure_problems(page)
    found += text_problems(page, "en", message_key_pattern())
    found += narrow_problems(page, PHONE) + axe_problems(page)
    listener.take()
    return found


def signed_in(browser: Browser, server: Server, **options: object) -> tuple[BrowserContext, Page, str]:
    return sign_up_in(browser, server, base_with_a_name(server), size=PHONE, **options)


def sign_out(page: Page) -> None:
    follow(page.locator("form[action='/sign-out'] button"))


def test_a_passkey_is_made_and_signs_in(browser: Browser, server: Server) -> None:
    context, page, _ = signed_in(browser, server)
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
        "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
    }})
    listener = Listener()
    listener.attach(page)
    found = {}

    def look(name: str) -> None:
        found[name] = problems_of(page, listener)
        screenshot(page, "en-doors", name)

    page.goto("/account/security/passkeys")
    look("doors-passkey")
    form = form_with(page, "attestation")
    fill(form, name="My phone")
    submit(form)
    assert page.locator("ol.steps li").count() == 10, page.locator("main").inner_text()
    look("doors-recovery")
    page.goto("/account/security")
    assert page.get_by_role("heading", name="My phone").count() == 1
    look("doors")
    sign_out(page)
    look("sign-in-with-passkey")
    follow(page.locator("form[data-passkey] button"))
    assert page.locator("h1").count() == 1 and "/sign-in" not in page.url, page.url
    context.close()
    problems = [f"{name}: {problem}" for name, list_ in found.items() for problem in list_]
    assert not problems, "\n".join(problems)


def test_a_code_signs_in_where_no_script_runs(browser: Browser, server: Server) -> None:
    context, page, email = signed_in(browser, server, java_script_enabled=False)
    page.goto("/account/security/codes")
    seed = page.locator("p.fingerprint").text_content() or ""
    seed = "".join(seed.split())
    now = server.api("none").now().timestamp()
    form = form_with(page, "offer", "code")
    form.locator("[name=code]").fill(code(seed, now))
    form.locator("button").click()
    assert page.locator("ol.steps li").count() == 10, page.locator("main").inner_text()
    recovery = page.locator("ol.steps li strong").first.inner_text()
    page.locator("form[action='/sign-out'] button").click()
    for typed, opens in (("000000", False), (code(seed, now), False), (recovery, True)):
        page.goto("/sign-in")
        form = form_with(page, "email", "password")
        form.locator("[name=email]").fill(email)
        form.locator("[name=password]").fill(PASSWORD)
        form.locator("button").click()
        assert "/sign-in/second" in page.url
        form = form_with(page, "code")
        form.locator("[name=code]").fill(typed)
        form.locator("button").click()
        # The code that set up the app is used; only the next one is valid.
        assert ("/sign-in/second" not in page.url) == opens, f"{typed}: {page.url}"
    context.close()
