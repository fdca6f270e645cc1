# SPDX-License-Identifier: Apache-2.0
"""New people in Chromium: each with a new account, after accepting an invitation."""
import itertools
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, StorageState

from harness.browser import new_context
from harness.forms import accept_invitation
from harness.server import Server

_numbers = itertools.count(1)


def new_email() -> str:
    """Returns an address that no other account of this run has."""
    return f"person{next(_numbers)}@example.org"


def sign_up(
    browser: Browser, server: Server, *, base: str | None = None, **options: object
) -> tuple[BrowserContext, Page, str]:
    """Returns a new person's window, signed in, with the address of the account."""
    email = new_email()
    context = new_context(browser, base or server.base, **options)  # type: ignore[arg-type]
    page = context.new_page()
    accept_invitation(page, urlsplit(server.invite(email)).path)
    return context, page, email


def new_session(browser: Browser, server: Server) -> tuple[StorageState, str]:
    """Returns a new person's session for later windows, with the address of the account."""
    email = new_email()
    return session_of(browser, server, server.invite(email)), email


def session_of(browser: Browser, server: Server, invitation: str) -> StorageState:
    """Returns the session that an invitation opens, without display choices."""
    context = new_context(browser, server.base)
    accept_invitation(context.new_page(), urlsplit(invitation).path)
    session = context.storage_state()
    context.close()
    session["cookies"] = [cookie for cookie in session["cookies"] if cookie["name"] == "regimen"]
    assert session["cookies"], "no session after the invitation"
    return session
