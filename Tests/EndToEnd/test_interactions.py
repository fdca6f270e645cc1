# SPDX-License-Identifier: Apache-2.0
"""Interactions between medicines, and a table from another app: without scripts, and in Thai with axe."""
from pathlib import Path

from playwright.sync_api import Browser, expect

from harness.browser import PHONE, axe_problems, narrow_problems, screenshot, structure_problems
from harness.forms import fill, follow, form_with, submit
from harness.server import Server
from test_people import sign_up

TABLE = """Medicine;Strength;Dose;Times
Bisoprolol;5 mg;1 tablet;08:00
Bisoprolol;5 mg;1 tablet;20:00
=1+1;;1;08:00
"""


def test_a_warning_is_seen_before_saving_and_a_table_comes_in(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, language="en", java_script_enabled=False)
    api = server.api(server.create_token(email))
    api.add_plan({"repeat": {"timeOfDay": ["07:00:00"]}}, name="Warfarin 3 mg")
    page.goto("/medicines/new/details")
    form = form_with(page, "name", "dose-value")
    fill(form, name="Ibuprofen", form="tablet", dose_value="1", schedule="times", time="08:00")
    submit(form)
    main = page.locator("main")
    expect(main).to_contain_text("Severe: Warfarin 3 mg with Ibuprofen")
    form = form_with(page, "name", "dose-value")
    form.locator("[name=doctor-knows]").check(force=True)
    submit(form)
    expect(main).to_contain_text("My doctor knows about this.")
    page.goto("/interactions")
    expect(main.get_by_role("heading", name="Interactions")).to_be_visible()
    expect(main).to_contain_text("Our list isn’t complete")

    file = tmp_path / "medicines.csv"
    file.write_text(TABLE, encoding="utf-8-sig")
    page.goto("/import")
    page.locator("input[type=file]").set_input_files(file)
    submit(page.locator("form[enctype='multipart/form-data']"))
    expect(main).to_contain_text("Medicines from a table")
    follow(page.get_by_role("button", name="Show the result"))
    expect(main).to_contain_text("Bisoprolol 5 mg at 08:00, 20:00")
    expect(main).to_contain_text("Line 4: the name looks like a spreadsheet formula")
    follow(page.get_by_role("button", name="Continue"))
    follow(page.get_by_role("button", name="Accept all"))
    expect(main).to_contain_text("Bisoprolol")
    page.goto("/import")
    follow(page.get_by_role("button", name="Undo import"))
    expect(main).to_contain_text("Undone")
    context.close()


def test_the_pages_hold_in_thai(browser: Browser, server: Server, tmp_path: Path) -> None:
    context, page, email = sign_up(browser, server, size=PHONE, language="th")
    api = server.api(server.create_token(email))
    for name in ("Warfarin", "Ibuprofen", "Tylenol", "Panadol"):
        api.add_plan({"repeat": {"timeOfDay": ["07:00:00"]}}, name=name)
    file = tmp_path / "medicines.csv"
    file.write_text(TABLE)
    found: dict[str, list[str]] = {}
    page.goto("/import")
    page.locator("input[type=file]").set_input_files(file)
    submit(page.locator("form[enctype='multipart/form-data']"))
    for name, address in (("columns", page.url), ("interactions", "/interactions")):
        page.goto(address)
        problems = structure_problems(page) + narrow_problems(page, PHONE) + axe_problems(page)
        screenshot(page, "th-interactions", name)
        if problems:
            found[name] = problems
    assert not found, found
    context.close()
