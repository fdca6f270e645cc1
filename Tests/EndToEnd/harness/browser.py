# SPDX-License-Identifier: Apache-2.0
"""Chromium, and the rules for a page in every size, colour scheme and language."""
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser, BrowserContext, ConsoleMessage, Error as PlaywrightError, Page, Playwright, Request, expect,
)

from harness.server import REPOSITORY

# The timeout of every wait, in milliseconds: a slow machine must not fail a test.
PATIENCE = 60_000
PHONE, DESKTOP = (390, 844), (1280, 900)
LANGUAGES = {"en": "en-GB", "de": "de-DE", "nb": "nb-NO", "th": "th-TH", "tr": "tr-TR"}
SCREENSHOTS = REPOSITORY / "test-output/screenshots"
AXE_TAGS = [
    "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice",
]
CATALOGUES = REPOSITORY / "Sources/Localization/Catalogues"


def chromium() -> str:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"


def headless_shell() -> str:
    return os.environ.get("CHROMIUM_SHELL") or shutil.which("chromium-headless-shell") or chromium()


# The shells that run: they have no push service, and end a page whose service worker asks for one.
_shells: set[Browser] = set()


def launch(playwright: Playwright, program: str) -> Browser:
    # No sandbox: tests often run as root, which Chromium's sandbox refuses.
    started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
    if program != chromium():
        _shells.add(started)
    return started


# The last two come from a page that rings before anyone has touched it: it asks for a tap.
_REMARKS = (
    "Service Worker registration blocked by Playwright", "AudioContext was not allowed", "Blocked call to navigator.vibrate",
)


@dataclass
class Listener:
    """Collects the browser's complaints while pages are shown."""

    complaints: list[str] = field(default_factory=list)

    def attach(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("requestfailed", self._failed)

    def _failed(self, request: Request) -> None:
        # Leaving a page cancels its open requests.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.url} {request.failure}")

    def _console(self, message: ConsoleMessage) -> None:
        # The page itself may be a 404 or a 422 on purpose; what it loads may not.
        if any(remark in message.text for remark in _REMARKS):
            return
        own = message.location.get("url") == message.page.url if message.page else False
        if message.type in ("error", "warning") and not (own and "status of 4" in message.text):
            self.complaints.append(f"console: {message.text}")

    def take(self) -> list[str]:
        taken, self.complaints = self.complaints, []
        return taken


def new_context(
    browser: Browser, base: str, language: str = "en", scheme: str = "light",
    size: tuple[int, int] = DESKTOP, **options: Any,
) -> BrowserContext:
    if browser in _shells:
        options = {"service_workers": "block"} | options
    context = browser.new_context(
        base_url=base, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme,
        locale=LANGUAGES[language], timezone_id="UTC", reduced_motion="reduce", **options,
    )
    context.add_cookies([{"name": "regimen-language", "value": language, "url": base}])
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    _leave_before_closing(context)
    return context


def _leave_before_closing(context: BrowserContext) -> None:
    """Makes a context leave its pages first: Chromium sometimes never closes one whose page is just loading the
    next one."""
    close = context.close

    def leave_and_close(**options: Any) -> None:
        for page in context.pages:
            with suppress(PlaywrightError):
                page.goto("about:blank")
        close(**options)

    context.close = leave_and_close  # type: ignore[method-assign]


def wait_until(page: Page, expression: str, seconds: float = 60) -> None:
    """Polls, because the pages' policy forbids functions made from texts."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, f"not so: {expression}"
        page.wait_for_timeout(100)


def wait_for_worker(page: Page) -> None:
    """Waits until the service worker of a page is active. The promise `navigator.serviceWorker.ready` would wait
    forever for one that cannot be installed."""
    wait_until(page, "navigator.serviceWorker.getRegistration().then((one) => Boolean(one?.active))")


def reload_controlled(page: Page) -> None:
    """Reloads a page so that its service worker controls it."""
    wait_for_worker(page)
    page.reload()
    wait_until(page, "navigator.serviceWorker.controller !== null")


def go_offline(context: BrowserContext) -> None:
    """Cuts the network off, and waits until the service workers are offline too, which may take a moment
    longer."""
    context.set_offline(True)
    reaches = "fetch('/device/clock', { cache: 'no-store' }).then(() => true, () => false)"
    deadline = time.monotonic() + 30
    for worker in context.service_workers:
        while worker.evaluate(reaches):
            assert time.monotonic() < deadline, "the service worker still reaches the server"
            time.sleep(0.05)


@cache
def message_key_pattern() -> re.Pattern[str]:
    """Matches a raw message key, `feature.name`, for the features in the catalogues."""
    features = set()
    for path in (CATALOGUES / "en").glob("*.messages"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if match := re.match(r"([a-z][\w-]*)\.[\w.-]+\s*=", line):
                features.add(match.group(1))
    assert features, "no catalogue was found"
    return re.compile(rf"(?<![\w@./-])(?:{'|'.join(sorted(features))})\.[a-z][\w-]*(?:\.[\w-]+)*\b")


def text_problems(page: Page, language: str, keys: re.Pattern[str]) -> list[str]:
    text = page.evaluate(SPOKEN_TEXT)
    found = [f"raw message key: {key}" for key in keys.findall(text)]
    found += [f"unfilled place: {hole}" for hole in re.findall(r"\{\w+[,}]", text)]
    declared = page.locator("html").get_attribute("lang")
    if declared != language:
        found.append(f"lang is {declared}, not {language}")
    return found


def structure_problems(page: Page) -> list[str]:
    found = []
    if (count := page.locator("h1").count()) != 1:
        found.append(f"{count} h1")
    if not page.title().strip():
        found.append("no title")
    return found + [f"small target: {t}" for t in page.evaluate(SMALL_TARGETS)]


def narrow_problems(page: Page, size: tuple[int, int]) -> list[str]:
    """320 CSS pixels wide equals 400 % zoom of a small window: no scrolling in two directions."""
    page.set_viewport_size({"width": 320, "height": 640})
    width = page.evaluate("document.documentElement.scrollWidth")
    wide = page.evaluate(TOO_WIDE) if width > 320 else []
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return [f"{width} px wide at 320: {', '.join(wide)}"] if width > 320 else []


@contextmanager
def as_high_as_its_content(page: Page) -> Iterator[None]:
    """Makes the window as tall as the page, so that the bar at the bottom covers nothing."""
    size = page.viewport_size or {"width": PHONE[0], "height": PHONE[1]}
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": size["width"], "height": max(height, size["height"])})
    yield
    page.set_viewport_size(size)


def axe_problems(page: Page) -> list[str]:
    # Only failures are listed in full: listing passes takes as long as the checks themselves.
    options = {"runOnly": {"type": "tag", "values": AXE_TAGS}, "resultTypes": ["violations"]}
    # A target that a bar covers until the page scrolls is not too small.
    with as_high_as_its_content(page):
        response = Axe().run(page, options=options).response
    return [
        f"axe {v['id']}: {v['help']}: "
        + "; ".join(json.dumps(n["target"]) + " " + n["html"][:120] for n in v["nodes"][:3])
        for v in response["violations"]
    ]


def page_problems(
    page: Page, listener: Listener, language: str, size: tuple[int, int], with_axe: bool = True
) -> list[str]:
    """Returns the page's violations in this language at this size, with the browser's complaints."""
    # The browser's complaints come first: effects of the checks are not the page's fault.
    found = listener.take()
    found += structure_problems(page) + text_problems(page, language, message_key_pattern())
    found += narrow_problems(page, size) + (axe_problems(page) if with_axe else [])
    listener.take()
    return found


def screenshot(page: Page, *names: str) -> None:
    """Screenshots for people; REGIMEN_SCREENSHOTS=no skips them to save time."""
    if os.environ.get("REGIMEN_SCREENSHOTS") == "no":
        return
    path = SCREENSHOTS.joinpath(*names[:-1]) / f"{names[-1]}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    with as_high_as_its_content(page):
        page.screenshot(path=path, full_page=True)


# Returns text that is seen or read aloud: visible text, the title, and accessible names.
SPOKEN_TEXT = """() => [document.title, document.body.innerText,
  ...[...document.querySelectorAll('[aria-label],[title],[alt],[placeholder]')].flatMap(e =>
    ['aria-label', 'title', 'alt', 'placeholder'].map(n => e.getAttribute(n) || ''))].join('\\n')"""

# Returns controls under 44 by 44 px; links within a sentence and boxes with a large label are fine.
SMALL_TARGETS = """() => {
  const box = e => e.getBoundingClientRect();
  const inSentence = e => e.localName === 'a' && getComputedStyle(e).display === 'inline'
    && e.parentElement.textContent.trim() !== e.textContent.trim();
  const hidden = e => { const b = box(e); return b.width <= 1 || b.height <= 1 || b.bottom < 0
    || !e.checkVisibility({visibilityProperty: true}); };
  return [...document.querySelectorAll('a[href],button,input:not([type=hidden]),select,textarea,summary')]
    .filter(e => !hidden(e) && !inSentence(e) && !e.disabled)
    .filter(e => {
      const boxes = [box(e), ...[...(e.labels || [])].map(box)];
      const small = b => b.width < 43.5 || b.height < 43.5;
      return ['radio', 'checkbox'].includes(e.type) ? boxes.every(small) : small(box(e));
    })
    .map(e => `${e.localName} ${e.name || e.textContent.trim().slice(0, 30)} `
      + `${Math.round(box(e).width)}x${Math.round(box(e).height)}`);
}"""

TOO_WIDE = """() => [...document.querySelectorAll('body *')]
  .filter(e => e.getBoundingClientRect().right > 321).slice(0, 5)
  .map(e => e.localName + (e.className ? '.' + String(e.className).replaceAll(' ', '.') : ''))"""
