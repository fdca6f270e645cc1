# SPDX-License-Identifier: Apache-2.0
"""A signed-in person without a browser: cookies, pages, and forms posted with some fields filled in."""
from __future__ import annotations

import html.parser
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import requests

from harness.server import PASSWORD, Server

if TYPE_CHECKING:
    # The benchmarks run without a browser.
    from playwright.sync_api import StorageState

TIMEOUT = 60


@dataclass
class Form:
    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)


class _Forms(html.parser.HTMLParser):
    """Returns the forms of a page with the fields that a browser would send."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        name = values.get("name", "")
        if tag == "form":
            self.forms.append(Form(values.get("action", ""), values.get("method", "get").lower()))
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.forms and "selected" in values:
            self.forms[-1].fields[self.select] = values.get("value", "")
        if name and self.forms and tag in ("input", "button", "select", "textarea"):
            self.forms[-1].names.add(name)
            ticked = values.get("type") not in ("checkbox", "radio") or "checked" in values
            if tag == "input" and values.get("type") != "submit" and ticked:
                self.forms[-1].fields[name] = values.get("value", "")


class Session:
    def __init__(self, server: Server) -> None:
        self.server, self.own = server, requests.Session()

    @classmethod
    def by_invitation(
        cls, server: Server, email: str, is_administrator: bool = False, language: str | None = None
    ) -> "Session":
        """Creates the account and opens its first session."""
        made = cls(server)
        if language:
            made.own.headers["Accept-Language"] = language
        return made.accept(server.invite(email, is_administrator))

    def accept(self, link: str) -> "Session":
        """Opens the first session of an account by its invitation."""
        self.submit(link.removeprefix(self.server.base), "password", password=PASSWORD)
        assert self.get("/").status_code == 200, "no session after the invitation"
        return self

    @property
    def state(self) -> StorageState:
        """The session for a browser window, without display choices."""
        [cookie] = [one for one in self.own.cookies if one.name == "regimen"]
        return {"origins": [], "cookies": [{
            "name": cookie.name, "value": cookie.value or "", "domain": "127.0.0.1", "path": "/",
            "expires": -1, "httpOnly": True, "secure": False, "sameSite": "Lax",
        }]}

    def request(self, method: str, path: str, **options: object) -> requests.Response:
        headers = {"Origin": self.server.base, "Sec-Fetch-Site": "same-origin"}
        return self.own.request(
            method, self.server.base + path, timeout=TIMEOUT, allow_redirects=False,
            **{"headers": headers} | options,  # type: ignore[arg-type]
        )

    def get(self, path: str) -> requests.Response:
        return self.request("GET", path)

    def form(self, page: str, *, names: tuple[str, ...] = (), action: str | None = None) -> Form:
        found = [
            f for f in _Forms(self.get(page).text).forms
            if set(names) <= f.names and action in (None, f.action.split("?")[0])
        ]
        assert found, f"no form with {names} to {action} on {page}"
        return found[0]

    def submit(self, page: str, *names: str, action: str | None = None, **values: str) -> None:
        """Fills the form with these fields or this address, and posts it."""
        form = self.form(page, names=names, action=action)
        response = self.request(form.method.upper(), form.action or page, data=form.fields | values)
        assert response.status_code == 303, f"{page}: {response.status_code} {response.text[:2000]}"
