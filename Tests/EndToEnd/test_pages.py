# SPDX-License-Identifier: Apache-2.0
"""Visits every page: phone and desktop, light and dark, five languages; takes a screenshot of each."""
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from harness.browser import (
    DESKTOP, LANGUAGES, PHONE, Listener, new_context, page_problems, screenshot,
)
from harness.forms import fill, form_with, submit
from harness.household import furnish
from harness.server import Server
from harness.session import Session

SIZES = {"phone": PHONE, "desktop": DESKTOP}
# Every language on a phone, where text has the least room; the tallest script and the longest words on a wide page
# too; dark mode in both sizes.
LOOKS = [(language, "light", "phone") for language in LANGUAGES] + [
    ("th", "light", "desktop"), ("en", "dark", "phone"), ("de", "dark", "desktop"),
]
# Structure and colours are the same in every language: each size and each scheme is checked once.
WITH_AXE = {("en", "light", "phone"), ("de", "dark", "desktop")}


@dataclass
class House:
    """A furnished server, the session of its resident, and the session of someone without data."""

    server: Server
    pages: dict[str, str]
    session: StorageState
    empty: StorageState


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    server = Server(tmp_path_factory.mktemp("house") / "data")
    invitation, pages = furnish(server)
    session = Session(server).accept(server.base + invitation).state
    empty = Session.by_invitation(server, "new@example.org").state
    yield House(server, pages, session, empty)
    server.kill()


@pytest.mark.parametrize(("language", "scheme", "size"), LOOKS, ids=str)
def test_every_page_holds(
    browser: Browser, house: House, language: str, scheme: str, size: str
) -> None:
    look = {"language": language, "scheme": scheme, "size": SIZES[size]}
    with_axe = (language, scheme, size) in WITH_AXE
    found: dict[str, list[str]] = {}
    listener = Listener()
    stranger = new_context(browser, house.server.base, **look)
    page = stranger.new_page()
    listener.attach(page)
    page.goto("/sign-in")
    found["sign-in"] = page_problems(page, listener, language, SIZES[size], with_axe)
    screenshot(page, f"{language}-{scheme}-{size}", "sign-in")
    stranger.close()
    context = new_context(browser, house.server.base, **look, storage_state=house.session)
    page = context.new_page()
    listener.attach(page)
    for name, address in house.pages.items():
        response = page.goto(address)
        expected = 404 if name == "not-found" else 200
        assert response and response.status == expected, f"{address}: {response and response.status}"
        screenshot(page, f"{language}-{scheme}-{size}", name)
        found[name] = page_problems(page, listener, language, SIZES[size], with_axe)
    context.close()
    problems = [f"{name}: {problem}" for name, list_ in found.items() for problem in list_]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("language", ["en", "th"])
def test_empty_and_error_states_hold(
    browser: Browser, house: House, language: str
) -> None:
    found: dict[str, list[str]] = {}
    listener = Listener()
    stranger = new_context(browser, house.server.base, language, size=PHONE)
    page = stranger.new_page()
    listener.attach(page)
    page.goto("/sign-in")
    form = form_with(page, "email", "password")
    fill(form, email="new@example.org", password="not the right one at all")
    submit(form)
    found["sign-in-refused"] = page_problems(page, listener, language, PHONE)
    screenshot(page, f"{language}-states", "sign-in-refused")
    stranger.close()
    context = new_context(
        browser, house.server.base, language, size=PHONE, storage_state=house.empty
    )
    page = context.new_page()
    listener.attach(page)
    for name, address in {"today-empty": "/", "medicines-empty": "/medicines"}.items():
        page.goto(address)
        found[name] = page_problems(page, listener, language, PHONE)
        screenshot(page, f"{language}-states", name)
    page.goto("/medicines/new/details")
    form = form_with(page, "name", "dose-value")
    form.evaluate("f => f.noValidate = true")
    fill(form, name="Metoprolol", dose_value="0")
    submit(form)
    assert page.locator("[aria-invalid=true]").count() >= 1
    found["medicine-new-refused"] = page_problems(page, listener, language, PHONE)
    screenshot(page, f"{language}-states", "medicine-new-refused")
    context.close()
    problems = [f"{name}: {problem}" for name, list_ in found.items() for problem in list_]
    assert not problems, "\n".join(problems)


def test_large_text_and_forced_colours_still_fit(browser: Browser, house: House) -> None:
    context = new_context(
        browser, house.server.base, "de", size=PHONE, forced_colors="active",
        storage_state=house.session,
    )
    page = context.new_page()
    for name in ("today", "medicine", "medicine-new"):
        page.goto(house.pages[name])
        # Twice the browser's text size, as set in a phone's system settings.
        page.evaluate("document.documentElement.style.fontSize = '225%'")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0] + 1, name
        screenshot(page, "de-large-text", name)
    context.close()


@pytest.mark.parametrize("language", ["en", "de", "th"])
def test_text_of_twice_the_size_never_scrolls_sideways(
    browser: Browser, house: House, language: str
) -> None:
    context = new_context(
        browser, house.server.base, language, size=(320, 640), storage_state=house.session)
    page = context.new_page()
    places = house.pages | {
        "nightstand": "/nightstand", "ring": "/ring", "reminders": "/reminders", "device": "/device",
        "quiet-hours": "/reminders/quiet", "weekends": "/reminders/mornings", "reminders-family": "/reminders/family",
        "stock": "/stock", "shopping": "/stock/shopping", "people": "/people", "alarms": "/alarms",
    }
    wide = {}
    for name, address in places.items():
        page.goto(address)
        page.evaluate("document.documentElement.style.fontSize = '225%'")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 320:
            wide[name] = width
        # At the end of a page, the bar covers no control.
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert not page.evaluate(UNDER_THE_BAR), name
    context.close()
    assert not wide


# Controls that cannot be pressed because the bar covers their centre.
UNDER_THE_BAR = """() => [...document.querySelectorAll('main :is(a[href],button,input,select,summary)')]
  .filter(e => {
    const b = e.getBoundingClientRect(), x = b.x + b.width / 2, y = b.y + b.height / 2;
    if (!e.checkVisibility() || b.width < 2 || y < 0 || y > innerHeight) return false;
    return document.elementFromPoint(x, y)?.closest('.navigation');
  }).map(e => e.outerHTML.slice(0, 100))"""


# Brings each control into view, by focus and by scrolling, and returns those that the bar then covers.
# Controls taller than the space above the bar are left out.
COVERED_IN_VIEW = """() => {
  document.documentElement.style.scrollBehavior = 'auto';
  const bar = document.querySelector('.navigation'), covered = [];
  let count = 0;
  for (const e of document.querySelectorAll('main :is(a[href],button,input,select,textarea,summary)')) {
    const target = e.getBoundingClientRect().width < 2 ? e.closest('label') : e;
    if (e.disabled || !target?.checkVisibility({ visibilityProperty: true })) continue;
    count += 1;
    for (const way of ['focus', 'nearest', 'end']) {
      scrollTo(0, 0);
      if (way === 'focus') e.focus(); else target.scrollIntoView({ block: way });
      const box = target.getBoundingClientRect(), top = bar.getBoundingClientRect().top;
      if (box.bottom > top + 1 && box.height < top) {
        covered.push(`${way}: ${Math.round(box.bottom - top)} px of ${e.outerHTML.slice(0, 100)}`);
      }
    }
  }
  return { count, covered };
}"""


# The normal size of a text, and twice that.
@pytest.mark.parametrize("percent", ["112.5", "225"])
def test_the_bar_covers_no_control_that_comes_into_view(
    browser: Browser, house: House, percent: str
) -> None:
    context = new_context(
        browser, house.server.base, size=(320, 640), storage_state=house.session)
    page = context.new_page()
    covered = {}
    for name in ("today", "medicines", "medicine", "medicine-new", "me", "me-account", "me-routine"):
        page.goto(house.pages[name])
        page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
        found = page.evaluate(COVERED_IN_VIEW)
        assert found["count"] > 3, name
        if found["covered"]:
            covered[name] = found["covered"]
    context.close()
    assert not covered, covered


def test_printing_leaves_navigation_out(browser: Browser, house: House) -> None:
    context = new_context(browser, house.server.base, storage_state=house.session)
    page = context.new_page()
    page.goto(house.pages["medicine"])
    page.emulate_media(media="print")
    assert page.locator("main").is_visible()
    assert not any(n.is_visible() for n in page.locator("nav").all())
    rail = "getComputedStyle(document.querySelector('.page'), '::before').display"
    assert page.evaluate(rail) == "none", "the ground of the navigation lies under the words"
    screenshot(page, "en-print", "medicine")
    context.close()


def test_the_keyboard_alone_reaches_everything(browser: Browser, house: House) -> None:
    context = new_context(browser, house.server.base, storage_state=house.session)
    page = context.new_page()
    page.goto("/")
    page.keyboard.press("Tab")
    first = page.evaluate("document.activeElement.getAttribute('href') || ''")
    assert first.startswith("#"), "the skip link comes first"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
    seen = set()
    for _ in range(200):
        outline = page.evaluate(
            """() => { const e = document.activeElement, s = getComputedStyle(e);
            return e === document.body ? 'body' : (s.outlineStyle !== 'none' && s.outlineWidth !== '0px')
              || s.boxShadow !== 'none' ? 'seen' : e.outerHTML.slice(0, 100); }"""
        )
        if outline == "body":
            break
        assert outline == "seen", f"no visible focus: {outline}"
        seen.add(page.evaluate("document.activeElement.outerHTML.slice(0, 200)"))
        page.keyboard.press("Tab")
    assert len(seen) > 5
    context.close()


@pytest.mark.parametrize("has_scripts", [True, False])
def test_what_was_done_has_the_focus_and_its_words(
    browser: Browser, house: House, has_scripts: bool
) -> None:
    context = new_context(
        browser, house.server.base, size=PHONE, storage_state=house.session,
        java_script_enabled=has_scripts)
    page = context.new_page()
    page.goto("/")
    button = page.locator('form[action^="/doses/"] button', has_text="Taken").first
    row = button.evaluate("button => button.closest('[data-answers]').id")
    button.click()
    said = page.locator("#said > p" if has_scripts else ".flash > p")
    expect(said).not_to_be_empty()
    assert said.inner_text().strip()
    undo = page.locator(f"#{row}").locator("form:has([name=action][value=undo]) button")
    expect(undo).to_be_visible()
    if has_scripts:
        expect(undo).to_be_focused()
        # The page reloads after a change elsewhere; the focus stays.
        page.evaluate("document.querySelector('main').firstElementChild.dataset.old = 'yes'")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator("main > [data-old]")).to_have_count(0)
        expect(undo).to_be_focused()
        assert said.inner_text().strip()
    else:
        assert urlsplit(page.url).fragment == row
        expect(page.locator(f"#{row}")).to_be_in_viewport()
        undo.focus()
    page.keyboard.press("Enter")
    expect(undo).to_have_count(0)
    context.close()
