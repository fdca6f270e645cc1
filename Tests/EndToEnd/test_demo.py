# SPDX-License-Identifier: Apache-2.0
"""The demonstration in Chromium: chart, history, correction, pause, files."""
import csv
import fcntl
import io
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, StorageState

from harness.browser import (
    DESKTOP, LANGUAGES, PHONE, Listener, new_context, page_problems, screenshot,
)
from harness.forms import fill, form_with, submit
from harness.server import Server, _clean_environment, binary

# Pages with data of the demonstration, by viewer; text after a space is in the link to follow.
PLACES = {
    "margot": [
        "/missed", "/interactions", "/stock", "/stock /stock/", "/stock/new", "/stock/shopping", "/alarms",
        "/alarms /alarms/", "/alarms /reminders", "/alarms/new", "/reminders", "/reminders/quiet", "/reminders/mornings", "/reminders/family", "/nightstand", "/emergency-card",
        "/me", "/me/account", "/me/health-profile", "/me/routine", "/me/reminders", "/progress", "/search?q=dose",
        "/people", "/people/family", "/people/sharing", "/people/sharing /people/access/", "/people/new", "/people/share", "/caregiver-messages", "/caregiver-messages/rules", "/heart-rate",
        "/heart-rate/import", "/heart-rate/phone", "/heart-rate/warnings", "/heart-rate/monitoring", "/heart-rate/monitoring/graph",
        "/heart-rate/monitoring/settings", "/heart-rate/monitoring/limit", "/heart-rate/monitoring/wearing", "/hospitals", "/hospitals/new",
        "/import", "/knowledge", "/knowledge/topics/fever", "/account/security", "/account/security/address", "/account/security/codes",
        "/account/security/passkeys", "/account/security/password", "/account/tokens", "/me/programs", "/privacy/emergencies", "/calendar",
        "/device/ntfy", "/join", "/status", "/about", "/about/evidence", "/feedback", "/sign-in/forgotten",
    ],
    "anna": [
        "/people", "/children", "/children /children/", "/children /children/ /edit", "/children /children/ /copy",
        "/children /children/ /remove", "/knowledge/doses",
    ],
    "doctor": [
        "/care", "/care /care/", "/care /care/ /report", "/care /care/ /charts", "/care /care/ /heart-rate",
        "/care /care/ /simplify", "/care /care/ /leave", "/care/profile", "/care/templates", "/chat", "/caregiver-messages",
        "/identities", "/me", "/me/my-health", "/search?q=ann", "/knowledge",
    ],
}
LOOKS = [("en", "light", PHONE), ("th", "light", PHONE), ("tr", "dark", DESKTOP), ("de", "dark", PHONE)]
# Structure and colours are the same in every language.
WITH_AXE = {("en", "light", PHONE), ("tr", "dark", DESKTOP)}


@dataclass
class Demo:
    server: Server
    session: StorageState
    printed: str
    sessions: dict[str, StorageState] = field(default_factory=dict)

    def sign_in(self, browser: Browser, name: str) -> StorageState:
        """Returns the session of someone in the demonstration, without display choices."""
        if name in self.sessions:
            return self.sessions[name]
        line = next(l for l in self.printed.splitlines() if f" {name}@" in l)
        email, password = line.split(": ", 1)[1].split(", password: ")
        context = new_context(browser, self.server.base)
        page = context.new_page()
        page.goto("/sign-in")
        form = form_with(page, "email", "password")
        fill(form, email=email, password=password)
        submit(form)
        session = context.storage_state()
        session["cookies"] = [c for c in session["cookies"] if c["name"] == "regimen"]
        context.close()
        assert session["cookies"], "the printed sign-in does not open the door"
        self.sessions[name] = session
        return session


def run_demo(data: str, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(binary()), "demo", "--data", data, *more], capture_output=True, text=True,
        timeout=300, env=_clean_environment(),
    )


def made_once(folder: Path) -> str:
    """Writes the demonstration to a folder, unless another worker has; returns what the command printed."""
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        printed = Path(f"{folder}.txt")
        if not printed.exists():
            made = run_demo(str(folder))
            assert made.returncode == 0, made.stderr
            printed.write_text(made.stdout)
        return printed.read_text()


@pytest.fixture(scope="module")
def demo(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A copy of the demonstration for a module: making one takes several seconds."""
    folder = tmp_path_factory.getbasetemp()
    # Workers have folders within that of their run.
    template = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "demonstration"
    printed = made_once(template)
    server = Server(tmp_path_factory.mktemp("demo") / "data", clock_offset=0)
    shutil.copytree(template, server.data, dirs_exist_ok=True)
    server.start()
    made_demo = Demo(server, StorageState(), printed)
    made_demo.session = made_demo.sign_in(browser, "margot")
    yield made_demo
    server.kill()


def medicine(page: Page, name: str) -> str:
    page.goto("/medicines")
    # The strength follows the name.
    return page.locator("main .medicine-name a").filter(has_text=name).first.get_attribute("href") or ""


def test_the_command_can_be_given_again_and_never_touches_other_data(
    demo: Demo, tmp_path: object
) -> None:
    again = run_demo(str(demo.server.data))
    assert again.returncode == 0 and again.stdout == demo.printed
    other = Server(tmp_path / "other")  # type: ignore[operator]
    other.invite("ann@example.org")
    refused = run_demo(str(other.data))
    assert refused.returncode == 1 and "is not empty" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert run_demo(str(other.data), "--language", "xx").returncode == 2


@pytest.mark.parametrize(("language", "scheme", "size"), LOOKS, ids=str)
def test_the_story_of_a_medicine_holds_in_every_look(
    browser: Browser, demo: Demo, language: str, scheme: str, size: tuple[int, int]
) -> None:
    look = {"language": language, "scheme": scheme, "size": size}
    listener = Listener()
    context = new_context(browser, demo.server.base, **look, storage_state=demo.session)
    page = context.new_page()
    listener.attach(page)
    atorvastatin = medicine(page, "Atorvastatin")
    magnesium = medicine(page, "Magnesium")
    pages = {
        "today": "/", "medicines": "/medicines", "history": "/history",
        "history-wrong": "/history?from=2026-03-02&until=2026-03-01", "history-missed": "/history?state=missed",
        "medicine-paused": magnesium, "medicine-pause": f"{atorvastatin}/pause",
        "medicine-stopped": medicine(page, "Ramipril"), "chart-day": atorvastatin,
        "chart-week": f"{atorvastatin}?by=week", "chart-month": f"{atorvastatin}?by=month",
        "chart-year": f"{atorvastatin}?by=year",
    }
    found: list[str] = []
    folder = f"demo-{language}-{scheme}-{'phone' if size == PHONE else 'desktop'}"

    def look_at(name: str) -> None:
        screenshot(page, folder, name)
        problems = page_problems(
            page, listener, language, size, with_axe=(language, scheme, size) in WITH_AXE)
        found.extend(f"{name}: {problem}" for problem in problems)

    for name, address in pages.items():
        page.goto(address)
        assert page.locator(".demo-banner").count() == 1, name
        look_at(name)
    context.add_cookies([{"name": "regimen-chart", "value": "lines", "url": demo.server.base}])
    page.goto(f"{atorvastatin}?by=week")
    page.locator("details.disclosure summary").last.click()
    look_at("chart-lines-with-table")
    context.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PLACES)
def test_every_other_place_holds_in_every_language(browser: Browser, demo: Demo, name: str, language: str) -> None:
    scheme = "dark" if language in ("de", "th") else "light"
    context = new_context(
        browser, demo.server.base, language, scheme, PHONE, storage_state=demo.sign_in(browser, name))
    page = context.new_page()
    found: list[str] = []
    listener = Listener()
    listener.attach(page)
    for place in PLACES[name]:
        address, *links = place.split()
        response = page.goto(address)
        for link in links:
            further = page.locator(f"main a[href*='{link}']:not([href$='/new'], [href$='/shopping'])").first
            response = page.goto(further.get_attribute("href") or "")
        assert response and response.status == 200, f"{place}: {response and response.status}"
        screenshot(page, f"places-{language}-{scheme}", f"{name}{place.replace('/', '-')}")
        problems = page_problems(page, listener, language, PHONE, with_axe=language == "de")
        found.extend(f"{place}: {problem}" for problem in problems)
    context.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_the_chart_leads_back_to_the_beginning_and_forth_to_today(
    browser: Browser, demo: Demo, javascript: bool
) -> None:
    context = new_context(
        browser, demo.server.base, size=PHONE, java_script_enabled=javascript,
        storage_state=demo.session,
    )
    page = context.new_page()
    page.goto(f"{medicine(page, 'Atorvastatin')}?by=week")
    chart = page.locator("#chart")
    seen = [chart.locator("figcaption").inner_text()]
    while chart.get_by_role("link", name="Earlier").count():
        chart.get_by_role("link", name="Earlier").click()
        seen.append(chart.locator("figcaption").inner_text())
        assert len(seen) < 10, "it never ends"
    assert len(set(seen)) == len(seen) >= 3
    for sentence in seen[:-1]:
        assert "doses taken (" in sentence and "%)" in sentence
    # The table has the same numbers as the sentence.
    page.goto(f"{medicine(page, 'Atorvastatin')}?by=month")
    page.locator("#chart details summary").click()
    total = page.locator("#chart tfoot td").first.inner_text()
    taken, planned = total.split(" (")[0].split(" of ")
    assert f"{taken} of {planned} doses taken" in page.locator("#chart figcaption").inner_text()
    page.get_by_role("link", name="Lines").click()
    assert page.locator("#chart .chart-mark-taken").count() > 3
    page.get_by_role("link", name="Bars").click()
    assert page.locator("#chart .chart-block-taken").count() > 3
    context.close()


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no-javascript"])
def test_a_correction_shows_both_versions(browser: Browser, demo: Demo, javascript: bool) -> None:
    context = new_context(
        browser, demo.server.base, size=PHONE, java_script_enabled=javascript,
        storage_state=demo.session,
    )
    page = context.new_page()
    page.goto("/history?state=missed&from=")
    link = page.locator("#results .record-name a").first
    name, address = link.inner_text().splitlines()[0], link.get_attribute("href") or ""
    for answer in ("skipped", "refused"):
        page.goto(address if answer == "skipped" else f"{address}?change=yes")
        with page.expect_navigation():
            page.locator(f'[name="action"][value="{answer}"]').first.click()
    page.goto("/history?state=refused&from=")
    row = page.locator(f'.record:has(a[href="{address}"])')
    assert name in row.inner_text()
    row.locator("summary").click()
    versions = row.locator("ol > li").all_inner_texts()
    assert len(versions) == 2 and "Skipped" in versions[0] and "Refused" in versions[1]
    context.close()


def test_pausing_and_going_on(browser: Browser, demo: Demo) -> None:
    context = new_context(browser, demo.server.base, size=PHONE, storage_state=demo.session)
    page = context.new_page()
    address = medicine(page, "Eplerenone")
    page.goto(address)
    page.get_by_role("link", name="Pause").click()
    page.locator('[name="reason"]').fill("Before the operation")
    page.get_by_role("button", name="Yes, pause it").click()
    assert page.url.endswith("?done=paused")
    assert "Before the operation" in page.locator("main").inner_text()
    page.goto("/")
    assert re.search(r"Eplerenone[^\n]* is paused\.", page.locator("main").inner_text())
    page.goto(address)
    page.get_by_role("button", name="Resume").click()
    assert page.url.endswith("?done=resumed")
    assert page.get_by_role("link", name="Pause").count() == 1
    context.close()


def test_files_hold_what_the_page_shows(browser: Browser, demo: Demo) -> None:
    context = new_context(browser, demo.server.base, storage_state=demo.session)
    page = context.new_page()
    page.goto("/history?from=&until=")
    with page.expect_download() as table:
        page.get_by_role("link", name="Table (CSV)").click()
    text = table.value.path().read_text(encoding="utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len(rows) > 1000 and len({len(row) for row in rows}) == 1
    with page.expect_download() as bundle:
        page.get_by_role("link", name="FHIR (JSON)").click()
    resources = [e["resource"] for e in json.loads(bundle.value.path().read_text())["entry"]]
    given = [r for r in resources if r["resourceType"] == "MedicationAdministration"]
    answered = [row for row in rows[1:] if row[5]]
    assert len(given) == len(answered)
    assert {r["status"] for r in given} == {"completed", "not-done"}
    context.close()
