# SPDX-License-Identifier: Apache-2.0
"""New people in Chromium: each with a new account, after accepting an invitation.

They accept it without a browser, in which it takes seconds; test_sign_up.py and test_account_security.py accept
theirs in Chromium."""
import itertools
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, StorageState

from harness.browser import LANGUAGES, new_context
from harness.forms import accept_invitation
from harness.server import Server
from harness.session import Session

_numbers = itertools.count(1)


def new_email() -> str:
    """Returns an address that no other account of this run has."""
    return f"person{next(_numbers)}@example.org"


def sign_up(browser: Browser, server: Server, **options: object) -> tuple[BrowserContext, Page, str]:
    """Returns a new person's window, signed in, with the address of the account."""
    email = new_email()
    made = Session.by_invitation(server, email, language=LANGUAGES[str(options.get("language", "en"))])
    context = new_context(browser, server.base, storage_state=made.state, **options)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/")
    return context, page, email


def sign_up_in(
    browser: Browser, server: Server, base: str, **options: object
) -> tuple[BrowserContext, Page, str]:
    """Like `sign_up`, in the browser itself, at any address of the server."""
    email = new_email()
    context = new_context(browser, base, **options)  # type: ignore[arg-type]
    page = context.new_page()
    accept_invitation(page, urlsplit(server.invite(email)).path)
    return context, page, email


def new_session(server: Server) -> tuple[StorageState, str]:
    """Returns a new person's session for later windows, with the address of the account."""
    email = new_email()
    return Session.by_invitation(server, email, language=LANGUAGES["en"]).state, email
