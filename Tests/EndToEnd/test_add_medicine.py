# SPDX-License-Identifier: Apache-2.0
"""Adding a medicine in four steps: with and without scripts, and in every language on a phone's screen."""
import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from harness.browser import (
    LANGUAGES, PHONE, Listener, axe_problems, message_key_pattern, narrow_problems, new_context,
    screenshot, structure_problems, text_problems,
)
from harness.forms import fill, follow, form_with, submit, value
from harness.server import Server
from harness.sign_up import new_session, sign_up

# A common medicine twice a day, not counting the typing of its name.
MOST_TAPS = 8


@pytest.fixture(scope="module")
def session(server: Server) -> StorageState:
    return new_session(server)[0]


def choose_often(page: Page, often: str) -> None:
    follow(page.locator(f"main button[name=often][value={often}]"))


def start(page: Page, address: str = "/medicines/new?pick=m108&name=Metoprolol") -> str:
    """Starts a draft and returns the address of its steps."""
    page.goto(address)
    submit(form_with(page, "name"))
    assert page.url.endswith("/often"), page.url
    return page.url.removesuffix("/often")


def height(page: Page) -> int:
    """Returns the bottom of a step's content, from the top of the page."""
    return round(page.locator(".add-steps").evaluate("e => e.getBoundingClientRect().bottom + scrollY"))


@pytest.mark.parametrize("language", ["en", "th"])
def test_a_medicine_is_added_without_scripts(browser: Browser, server: Server, language: str) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, language=language, java_script_enabled=False)
    api = server.api(server.create_token(email))
    page.goto("/medicines")
    follow(page.locator("main a[href='/medicines/new']"))
    page.locator("input[name=q]").fill("aspirn")
    follow(page.locator("main form[role=search] button[type=submit]"))
    follow(page.locator("#results a[href*='pick=m003']"))
    form = form_with(page, "name", "product")
    # If both a listed strength and another one are given, it asks which to use, and keeps both.
    fill(form, product="tablet|100|mg", strength_value="81")
    submit(form)
    assert page.locator("#error-summary").count() == 1
    form = form_with(page, "name", "product")
    assert form.locator("[name=strength-value]").input_value() == "81"
    fill(form, strength_value="")
    submit(form)
    choose_often(page, "twice")
    form = form_with(page, "dose-value", "time")
    assert form.locator("[name=dose-value]").input_value() == "1"
    fill(form, dose_value="0")
    submit(form)
    assert page.locator("#field-dose-value[aria-invalid=true]").count() == 1
    # Going back and forth loses nothing.
    address = page.url
    page.goto("/medicines")
    page.goto(address)
    form = form_with(page, "dose-value", "time")
    assert form.locator("[name=dose-value]").input_value() == "0"
    fill(form, dose_value="1", food="with-food")
    submit(form)
    assert page.url.endswith("/check"), page.url
    assert "100" in page.locator("main .lead").inner_text()
    check = page.url
    submit(form_with(page, "version"))
    assert "done=added" in page.url, page.locator("main").inner_text()
    assert len({dose["plan"] for dose in api.doses()}) == 1
    # The draft is already a plan; its page says so instead of creating another one.
    page.goto(check)
    expect(page.locator("main .notice-success")).to_be_visible()
    assert page.locator("main form").count() == 0
    context.close()


def test_a_usual_medicine_takes_few_taps(browser: Browser, server: Server, session: StorageState) -> None:
    context = new_context(browser, server.base, size=PHONE, storage_state=session)
    page = context.new_page()
    taps = 0

    def tap(selector: str, leads: bool = True) -> None:
        nonlocal taps
        taps += 1
        if leads:
            follow(page.locator(selector))
        else:
            page.locator(selector).click()

    page.goto("/medicines")
    tap("main a[href='/medicines/new']")
    page.locator("input[name=q]").press_sequentially("bisoprol")
    tap("[role=option] >> nth=0")
    tap("label:has([name=product][value='tablet|5|mg'])", leads=False)
    assert page.locator("[name=strength-value]").is_hidden()
    tap("main .form .button-primary")
    tap("main button[name=often][value=twice]")
    tap("main .form .button-primary")
    assert "Bisoprolol 5 mg" in page.locator("main .lead").inner_text()
    tap("main .form .button-primary")
    assert "done=added" in page.url
    assert taps <= MOST_TAPS, taps
    context.close()


def test_the_amount_is_stepped_and_a_week_has_one_day(
    browser: Browser, server: Server, session: StorageState
) -> None:
    context = new_context(browser, server.base, size=PHONE, storage_state=session)
    page = context.new_page()
    page.goto("/medicines/new?name=Methotrexate")
    form = form_with(page, "name")
    fill(form, form="tablet", strength_value="2.5")
    submit(form)
    first = page.locator("main button[name=often]").first
    assert first.get_attribute("value") == "weekly"
    follow(first)
    less, more = page.locator(".stepper button").all()
    amount = page.locator("[name=dose-value]")
    more.click()
    assert amount.input_value() == "1.5"
    for _ in range(4):
        less.click()
    assert amount.input_value() == "0.5", "an amount of nothing is no amount"
    amount.fill("4")
    submit(form_with(page, "dose-value"))
    assert page.locator("#field-weekday").count() == 1 and page.locator("#error-summary").count() == 1
    page.locator("[name=weekday][value=mon]").check(force=True)
    page.locator("[name=weekday][value=thu]").check(force=True)
    submit(form_with(page, "dose-value"))
    assert page.url.endswith("/check")
    assert page.locator("[name=bar-word]").count() == 0
    # Every day instead: the word must be typed.
    page.goto(page.url.replace("/check", "/often"))
    choose_often(page, "once")
    submit(form_with(page, "dose-value"))
    submit(form_with(page, "version"))
    assert page.locator("#field-bar-word[aria-invalid=true]").count() == 1
    form = form_with(page, "version")
    fill(form, bar_word="more often")
    submit(form)
    assert "done=added" in page.url
    context.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_medicine_is_changed_by_the_step_concerned(browser: Browser, server: Server, scripts: bool) -> None:
    context, page, _ = sign_up(browser, server, size=PHONE, language="en", java_script_enabled=scripts)
    start(page, "/medicines/new?name=Testolol")
    choose_often(page, "twice")
    fill(form_with(page, "dose-value", "dose-unit"), dose_value="1", dose_unit="tablet")
    submit(form_with(page, "dose-value"))
    submit(form_with(page, "version"))
    medicine = page.url.split("?")[0]
    follow(page.locator('main a[href$="/change/times"]'))
    fill(form_with(page, "dose-value"), dose_value="2")
    submit(form_with(page, "dose-value"))
    assert page.url.endswith("/change/check"), page.locator("main").inner_text()
    expect(page.locator("main")).to_contain_text("Until now")
    if scripts:
        assert not structure_problems(page) + narrow_problems(page, PHONE) + axe_problems(page)
    # Another window changes it while the page with the change is open.
    other = context.new_page()
    other.goto(f"{medicine}/edit")
    for _ in range(2):
        if "done=saved" in other.url:
            break
        form = form_with(other, "instruction")
        fill(form, instruction="With a glass of water")
        submit(form)
    assert "done=saved" in other.url, other.locator("main").inner_text()
    submit(form_with(page, "plan-version"))
    expect(page.locator("main .notice-warning").first).to_contain_text("was changed after you started")
    if scripts:
        assert not structure_problems(page) + narrow_problems(page, PHONE) + axe_problems(page)
        screenshot(page, "en-light-phone", "change-medicine-behind")
    # The input is kept, in addition to the other change.
    submit(form_with(page, "plan-version"))
    assert "done=saved" in page.url, page.locator("main").inner_text()
    expect(page.locator("main")).to_contain_text("With a glass of water")
    page.goto(f"{medicine}/change/times")
    assert value(form_with(page, "dose-value"), "dose-value") == "2"
    context.close()


def test_a_draft_is_nobody_elses(browser: Browser, server: Server, session: StorageState) -> None:
    context = new_context(browser, server.base, size=PHONE, storage_state=session)
    draft = start(context.new_page())
    other, page, _ = sign_up(browser, server, size=PHONE, language="en")
    for step in ("", "/often", "/times", "/check", "/details"):
        answer = page.goto(draft + step)
        assert answer is not None and answer.status == 404, step
        expect(page.locator("main")).to_contain_text("only the person who started one can open it")
    other.close()
    context.close()


@pytest.mark.parametrize(("language", "scheme"), [(language, "light") for language in LANGUAGES] + [("en", "dark")])
def test_every_step_fits_a_phone_in_every_language(
    browser: Browser, server: Server, session: StorageState, language: str, scheme: str
) -> None:
    context = new_context(browser, server.base, language, scheme=scheme, size=PHONE, storage_state=session)
    page = context.new_page()
    listener = Listener()
    listener.attach(page)
    found: dict[str, list[str]] = {}

    def look(name: str, fits: bool = True) -> None:
        problems = listener.take() + structure_problems(page)
        if fits and (bottom := height(page)) > PHONE[1]:
            problems.append(f"ends at {bottom}")
        problems += text_problems(page, language, message_key_pattern()) + narrow_problems(page, PHONE)
        # Structure and colours are the same in every language.
        if language in ("en", "th"):
            problems += axe_problems(page)
        screenshot(page, f"{language}-{scheme}-phone", f"add-medicine-{name}")
        if problems:
            found[name] = problems

    page.goto("/medicines/new?q=metoprolo")
    look("search")
    draft = start(page)
    look("often")
    page.goto(draft)
    look("which")
    for often in ("hours", "weekdays", "days", "needed", "once", "three", "twice"):
        page.goto(f"{draft}/often")
        choose_often(page, often)
        look(f"times-{often}")
        form = form_with(page, "dose-value", "dose-unit")
        if often == "hours":
            # No form of the medicine was chosen, so neither amount nor unit is filled in.
            fill(form, dose_value="1", dose_unit="tablet", hours="8")
            submit(form)
            assert page.url.endswith("/check"), page.locator("main").inner_text()
        else:
            assert value(form, "dose-value") == "1", f"{often}: the amount was lost"
            assert value(form, "dose-unit") == "tablet", f"{often}: the unit was lost"
    submit(form_with(page, "dose-value"))
    assert page.url.endswith("/check"), page.locator("main").inner_text()
    # Warnings about the medicine are never collapsed, so this step may be longer.
    look("check", fits=False)
    weekly = start(page, "/medicines/new?name=Methotrexate")
    look("often-weekly")
    choose_often(page, "weekly")
    look("times-weekly")
    assert weekly in page.url
    context.close()
    assert not found, found


@pytest.mark.parametrize("name", ["Testolol", "Ibuprofen"])
def test_the_button_that_saves_stays_in_sight(browser: Browser, server: Server, name: str) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, language="en")
    api = server.api(server.create_token(email))
    api.add_plan({"repeat": {"timeOfDay": ["08:00:00"]}}, name="Warfarin 3 mg")
    start(page, f"/medicines/new?name={name}")
    choose_often(page, "twice")
    fill(form_with(page, "dose-value", "dose-unit"), dose_value="1", dose_unit="tablet")
    submit(form_with(page, "dose-value"))
    warned = name == "Ibuprofen"
    assert page.locator(".card > .save-bar").count() == int(warned)
    bar, navigation = page.locator(".save-bar"), page.locator("#navigation")
    box, below = bar.bounding_box(), navigation.bounding_box()
    assert box and below and box["y"] >= 0 and box["y"] + box["height"] <= below["y"] + 1, (box, below)
    if warned:
        # The warning begins above the button, even in a low window.
        for high in (844, 568):
            page.set_viewport_size({"width": 390, "height": high})
            title, box = page.locator("#interactions-title").bounding_box(), bar.bounding_box()
            assert title and box and title["y"] + title["height"] <= box["y"], (title, box)
    # Large text on a small screen needs all of it, so that nothing stays in front of the text.
    page.set_viewport_size({"width": 320, "height": 568})
    page.evaluate("document.documentElement.dataset.textSize = '200'")
    assert bar.evaluate("e => getComputedStyle(e).position") == "static"
    submit(form_with(page, "version"))
    assert "done=added" in page.url, page.locator("main").inner_text()
    context.close()


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_a_new_medicine_leads_to_reminders(browser: Browser, server: Server, javascript: bool) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, java_script_enabled=javascript)
    api = server.api(server.create_token(email))
    plan = api.add_plan({"repeat": {"timeOfDay": ["08:00:00"]}}, name="Metoprolol 50 mg")["id"]
    page.goto(f"/medicines/{plan}?done=added")
    follow(page.locator("main a[href='/device/start']"))
    assert page.locator("main h2").count() == 3
    if javascript:
        expect(page.locator("#checks li").first).to_be_visible()
        # The abilities of this kind of device are expanded, the others are one press away.
        expect(page.locator("[data-platform=computer] details")).to_have_attribute("open", "")
    else:
        assert "JavaScript" in page.locator("main").inner_text()
        assert page.locator("#checks").is_hidden()
    follow(page.locator("main a[href='/']"))
    assert page.locator("h1").count() == 1
    context.close()
