# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of using the app: taps, heights, bytes on the network, and the depth of pages."""
import html.parser
import re
from collections import deque
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, Locator, Page

from harness.forms import follow
from harness.session import Session

# Links that do not lead to pages: choices of this device, files, pictures.
NO_PAGES = re.compile(r"^/(preferences|api|fhir|photos|assets|medicine-photos|calendar/.+)\b|\.(pdf|csv|ics|json|zip)$")
DEEPEST = 3


@dataclass
class Taps:
    """A person's fingers: counts every press, and typing into a field as one."""

    page: Page
    count: int = 0

    def tap(self, what: str | Locator, leads: bool = True) -> None:
        """Presses a control; if it opens another page, waits for it."""
        self.count += 1
        place = self.page.locator(what).first if isinstance(what, str) else what
        if leads:
            follow(place)
        else:
            place.click()

    def type(self, what: str | Locator, text: str) -> None:
        self.count += 1
        place = self.page.locator(what).first if isinstance(what, str) else what
        place.press_sequentially(text)


@dataclass
class Wire:
    """Returns the bytes that a page and everything it loads take on the network, including headers."""

    session: CDPSession
    bytes: int = 0
    requests: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, page: Page) -> "Wire":
        made = cls(page.context.new_cdp_session(page))
        made.session.on("Network.loadingFinished", made._finished)
        made.session.on("Network.requestWillBeSent", made._sent)
        made.session.send("Network.enable")
        return made

    def _finished(self, event: dict) -> None:
        self.bytes += int(event["encodedDataLength"])

    def _sent(self, event: dict) -> None:
        self.requests.append(event["request"]["url"])

    def reset(self) -> None:
        self.bytes, self.requests = 0, []


def bottom(page: Page, selector: str) -> int:
    """Returns the bottom of an element, from the top of the page."""
    return round(page.locator(selector).first.evaluate("e => e.getBoundingClientRect().bottom + scrollY"))


def top(page: Page, selector: str) -> int:
    """Returns the top of an element, from the top of the page."""
    return round(page.locator(selector).first.evaluate("e => e.getBoundingClientRect().top + scrollY"))


class _Links(html.parser.HTMLParser):
    """Returns the addresses of the links in the navigation and in the main part of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tabs: list[str] = []
        self.main: list[str] = []
        self.part = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        if tag == "main":
            self.part = "main"
        elif tag == "nav" and "navigation" in values.get("class", "").split():
            self.part = "tabs"
        address = values.get("href", "")
        if tag == "a" and address.startswith("/") and not address.startswith("//"):
            {"main": self.main, "tabs": self.tabs}.get(self.part, []).append(address)

    def handle_endtag(self, tag: str) -> None:
        if (tag, self.part) in (("main", "main"), ("nav", "tabs")):
            self.part = ""


def pattern(address: str) -> str:
    """Returns the path of an address, with records and dates replaced by their kind."""
    parts = urlsplit(address).path.split("/")
    return "/".join(":id" if len(p) >= 10 and any(c.isdigit() for c in p) else p for p in parts) or "/"


def depths(session: Session) -> dict[str, int]:
    """Returns the number of taps from the nearest tab to each kind of page, by its path."""
    tabs = _Links(session.get("/").text).tabs
    assert tabs, "a page without tabs"
    found = {pattern(tab): 0 for tab in tabs}
    waiting = deque(dict.fromkeys(tabs))
    while waiting:
        address = waiting.popleft()
        depth = found[pattern(address)]
        if depth == DEEPEST:
            continue
        answer = session.get(address)
        if answer.status_code != 200 or "text/html" not in answer.headers.get("Content-Type", ""):
            continue
        for link in _Links(answer.text).main:
            kind = pattern(link)
            if kind not in found and not NO_PAGES.search(kind):
                found[kind] = depth + 1
                waiting.append(link)
    return found
