# SPDX-License-Identifier: Apache-2.0
"""Two people and a child in Chromium: added, shared, chosen, answered for, and no longer shared."""
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from harness.browser import (
    PHONE, axe_problems, message_key_pattern, narrow_problems, screenshot,
    structure_problems, text_problems,
)
from harness.forms import fill, follow, form_with, press, submit, take
from harness.server import Server
from harness.sign_up import sign_up

KEYS = message_key_pattern()


def problems(page: Page) -> list[str]:
    return (
        structure_problems(page) + text_problems(page, "th", KEYS)
        + narrow_problems(page, PHONE) + axe_problems(page)
    )


def choose(page: Page, name: str) -> None:
    """Opens the switcher, which needs no scripts, and presses a name."""
    page.locator(".person-switch > summary").click()
    follow(page.locator(".person-choice", has_text=name))


def test_a_child_is_shared_given_a_dose_and_taken_back(browser: Browser, server: Server) -> None:
    """Without scripts, to prove that they are not needed."""
    ours, ann, ann_email = sign_up(browser, server, size=PHONE, java_script_enabled=False)
    theirs, bob, bob_email = sign_up(browser, server, java_script_enabled=False)

    # Ann adds a child.
    ann.goto("/people/new")
    form = form_with(ann, "given-name")
    fill(form, given_name="Mali", birth_date="2022-05-01", label="nickname", nickname="Little M", colour="green")
    submit(form)
    # The app keeps showing her own pages until she chooses the child's.
    expect(ann.locator(".person-switch .person-name")).not_to_have_text("Mali")
    choose(ann, "Mali")
    expect(ann.locator(".person-switch .person-name")).to_have_text("Mali")
    api = server.api(server.create_token(ann_email))
    patients = api.ok("/api/v1/me")["patients"]
    assert [(p["name"], p["relationship"]) for p in patients][1] == ("Mali", "guardian"), patients
    child = patients[1]["id"]
    plan = api.add_plan(
        api.events(20), name="Paracetamol", subject={"reference": f"Patient/{child}"})["id"]

    # She invites a second guardian; Bob opens the link and accepts; she confirms.
    ann.goto("/people/share")
    form = form_with(ann, "relationship")
    fill(form, relationship="guardian")
    submit(form)
    offer = ann.url
    link = ann.locator("main p.break-anywhere").inner_text()
    bob.goto(urlsplit(link).path)
    press(bob, "accept")
    assert "done=accepted" in bob.url
    ann.goto(offer)
    assert bob_email in ann.locator("main").inner_text()
    press(ann, "confirm")
    assert "done=confirmed" in ann.url

    # Bob chooses the child and gives the dose; each of his buttons names the child.
    bob.goto("/")
    choose(bob, "Mali")
    bob.goto(f"/doses/{api.doses(plan=plan, patient=child)[0]['id']}")
    buttons = bob.locator("main button.button")
    assert buttons.count() > 3
    assert all("Little M" in text for text in buttons.all_text_contents())
    take(bob)
    expect(bob.locator(".person-switch .person-name")).to_have_text("Mali")
    dose = api.doses(plan=plan, patient=child)[0]
    assert dose["state"] == "taken", dose

    # An outdated page of the other person changes nothing.
    stale = theirs.new_page()
    stale.goto("/entry")
    choose(bob, bob.locator(".person-choice > span:last-child").first.text_content() or "")
    form = form_with(stale, "medicine")
    follow(form.locator("button").last)
    assert "This form was for another person." in stale.locator("main").inner_text()
    stale.close()

    # Bob leaves; the child's pages are gone for him.
    bob.goto("/people/family")
    follow(bob.locator("main form", has_text="Mali").locator("button"))
    me = server.api(server.create_token(bob_email)).ok("/api/v1/me")["account"]["id"]
    bob.goto(f"/people/access/{me}")
    press(bob, "end")
    assert "done=ended" in bob.url
    assert bob.goto(f"/doses/{dose['id']}").status == 404  # type: ignore[union-attr]
    assert bob.locator(".person-switch").count() == 0
    ours.close()
    theirs.close()


def test_pages_of_people_hold(browser: Browser, server: Server) -> None:
    """In the tallest script, with a long name."""
    context, page, _ = sign_up(browser, server, language="th", size=PHONE)
    page.goto("/people/new")
    form = form_with(page, "given-name")
    fill(form, given_name="Aleksandra Wilhelmina", label="colour", colour="pink")
    submit(form)
    found = {"/people": problems(page)}
    choose(page, "Aleksandra")
    for address in ("/people/family", "/people/sharing"):
        page.goto(address)
        found[address] = problems(page)
        screenshot(page, "people", address.rsplit("/", 1)[1])
    page.goto("/people")
    page.locator(".person-switch > summary").click()
    found["switcher"] = problems(page)
    screenshot(page, "people", "switcher")
    page.goto("/people/share")
    form = form_with(page, "relationship")
    fill(form, relationship="family")
    found["/people/share"] = problems(page)
    submit(form)
    found["invitation"] = problems(page)
    screenshot(page, "people", "invitation")
    assert {a: f for a, f in found.items() if f} == {}
    context.close()
