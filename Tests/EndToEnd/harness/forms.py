# SPDX-License-Identifier: Apache-2.0
"""Fills forms by field names, so that it works in every language."""
from playwright.sync_api import Locator, Page

from harness.server import PASSWORD


def form_with(page: Page, *fields: str) -> Locator:
    """Returns the only form on the page that has all these fields."""
    selector = "form" + "".join(f':has([name="{name}"])' for name in fields)
    forms = page.locator(selector)
    assert forms.count() >= 1, f"no form with {fields} on {page.url}"
    return forms.first


def unfolded(form: Locator) -> Locator:
    """Returns the form, after expanding the part that contains it."""
    form.locator("xpath=ancestor::details[not(@open)]/summary").click()
    return form


def fill(form: Locator, /, **values: str) -> None:
    """Sets fields: underscores in arguments stand for hyphens in names; lists tick several boxes."""
    for field, value in values.items():
        put(form, field.replace("_", "-"), value)


def put(form: Locator, name: str, value: str) -> None:
    field = form.locator(f'[name="{name}"]')
    kind = field.first.get_attribute("type") or field.first.evaluate("e => e.localName")
    if kind in ("radio", "checkbox"):
        for each in value.split():
            # The input may be covered by its styled label; pressing it works anyway.
            form.locator(f'[name="{name}"][value="{each}"]').check(force=True)
    elif kind == "select":
        field.first.select_option(value)
    elif kind == "hidden":
        raise AssertionError(f"{name} is hidden: nobody can fill it in")
    else:
        field.first.fill(value)


def value(form: Locator, name: str) -> str:
    """Returns the current value of a field: the ticked one of a group."""
    field = form.locator(f'[name="{name}"]')
    if field.first.get_attribute("type") in ("radio", "checkbox"):
        ticked = form.locator(f'[name="{name}"]:checked')
        return " ".join(ticked.nth(i).get_attribute("value") or "" for i in range(ticked.count()))
    return field.first.input_value()


def follow(button: Locator) -> None:
    """Presses a button and waits for the page that it opens."""
    with button.page.expect_navigation():
        button.click()


def submit(form: Locator) -> None:
    """Presses the form's own submit button rather than that of a part."""
    follow(form.locator("button:not([type=button]):not([name])").last)


def press(page: Page, action: str, within: str = "main") -> None:
    """Presses the button of an answer, whether it has the name itself or a hidden field next to it."""
    button = page.locator(f'{within} button[name="action"][value="{action}"]')
    if button.count() == 0:
        button = page.locator(
            f'{within} form:has(input[name="action"][value="{action}"]) button:not([type=button])'
        )
    visible = [b for b in button.all() if b.is_visible()]
    assert visible, f"no button for {action} on {page.url}"
    follow(visible[0])


def take(page: Page) -> None:
    """Takes a dose, and confirms if asked whether it is too early."""
    press(page, "taken")
    if page.locator('main input[name="confirm"][value^="early-"]').count():
        press(page, "taken")


def accept_invitation(page: Page, link: str, password: str = PASSWORD) -> None:
    """Chooses the first password of an account, which also signs in."""
    page.goto(link)
    form = form_with(page, "password")
    fill(form, password=password)
    submit(form)
    assert page.url.endswith(("/start", "/")), f"not accepted: {page.locator('main').inner_text()}"
    page.goto("/")
