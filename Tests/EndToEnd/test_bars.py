# SPDX-License-Identifier: Apache-2.0
"""The cost of everyday use: taps, screens, bytes and depth. Times are measured by `make bench`.

Writes the table to test-output/bars.md.
"""
import json
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from harness.bars import DEEPEST, Taps, Wire, bottom, depths, top
from harness.browser import PHONE, new_context
from harness.forms import follow, form_with, submit
from harness.ring import House
from harness.ringing import Ring
from harness.server import PASSWORD, REPOSITORY, Server
from harness.session import Session
from harness.sign_up import new_email
from test_places import TASKS
from test_today_layout import furnish, is_above_the_fold

FULL_BROWSER = True

MOST_TAPS = 20
HIGHEST_STEP = 844
HIGHEST_TODAY = 1_700
MOST_BYTES = 12 * 1024
# The pages that everyone has, wherever their links are.
PAGES = [
    "/", "/entry", "/medicines", "/medicines/new", "/stock", "/interactions", "/import", "/knowledge",
    "/medicines/simplify", "/progress", "/history", "/report", "/report/charts", "/heart-rate",
    "/heart-rate/monitoring", "/people", "/chat", "/caregiver-messages", "/children", "/emergency-card",
    "/people/new", "/people/family", "/people/sharing", "/join", "/me",
    "/me/account", "/me/health-profile", "/me/contacts", "/me/routine",
    "/me/reminders", "/me/connections", "/me/appearance", "/me/apps", "/me/programs", "/device", "/reminders",
    "/reminders/quiet", "/reminders/mornings", "/reminders/family", "/alarms",
    "/alarms/sounds", "/ring", "/simple", "/status",
    "/privacy", "/privacy/access-log", "/privacy/erase", "/account/security", "/calendar", "/hospitals",
    "/heart-rate/phone", "/travel", "/help", "/about", "/feedback", "/medicines/:id", "/medicines/:id/change",
    "/medicines/:id/change/often", "/medicines/:id/change/times", "/medicines/:id/edit", "/medicines/:id/pause",
    "/medicines/:id/stop", "/medicines/:id/reminders", "/medicines/:id/appearance", "/doses/:id",
]
FILE = REPOSITORY / "test-output/bars.md"


def row(what: str, bar: object, measured: object) -> None:
    """Adds a line to the table; tests of one run may be in several processes."""
    FILE.parent.mkdir(exist_ok=True)
    head = "" if FILE.exists() else "| what | bar | measured |\n| --- | --- | --- |\n"
    with FILE.open("a", encoding="utf-8") as table:
        table.write(f"{head}| {what} | {bar} | {measured} |\n")


def test_first_run_to_a_medicine_that_reminds_takes_few_taps(browser: Browser, ring: Ring) -> None:
    device = ring.services[0].device().json
    context = new_context(browser, ring.server.base, size=PHONE, permissions=["notifications"])
    # No real push service is contacted: the device belongs to the stand-in.
    context.add_init_script(f"""
      const made = {json.dumps(device)};
      if (globalThis.PushManager) {{
        PushManager.prototype.subscribe = async () => {{
          sessionStorage.setItem('subscribed', 'yes');
          return {{ toJSON: () => made }};
        }};
        PushManager.prototype.getSubscription = async () =>
          sessionStorage.getItem('subscribed') ? {{ toJSON: () => made }} : null;
      }}""")
    page = context.new_page()
    page.goto(urlsplit(ring.server.invite(new_email())).path)
    taps = Taps(page)
    taps.type("main [name=password]", PASSWORD)
    taps.tap(form_with(page, "password").locator("button:not([type=button]):not([name])").last)
    # The browser's suggested settings are confirmed, and the account is for the person.
    assert urlsplit(page.url).path == "/start", page.url
    taps.tap(page.locator("main form .button-primary").last)
    taps.tap('main a[href="/"]')
    add_medicine(page, taps)
    taps.tap('main a[href="/device/start"]')
    taps.tap("#enable")
    expect(page.locator("[data-check=push]")).to_have_attribute("data-result", "pass")
    context.close()
    row("taps: first run to first medicine with two times and reminders on", MOST_TAPS, taps.count)
    assert taps.count <= MOST_TAPS


def add_medicine(page: Page, taps: Taps) -> None:
    """Adds a tablet twice a day, starting at Today."""
    taps.tap("main a[href='/medicines/new']")
    taps.type("main [name=q]", "bisoprol")
    taps.tap("[role=option] >> nth=0")
    taps.tap("label:has([name=product][value='tablet|5|mg'])", leads=False)
    taps.tap("main .form .button-primary")
    taps.tap("main button[name=often][value=twice]")
    taps.tap("main .form .button-primary")
    taps.tap("main .form .button-primary")
    assert "done=added" in page.url, page.locator("main").inner_text()


def test_each_step_of_adding_a_medicine_is_one_screen(house: House) -> None:
    heights = {}
    medicines = [("m108", "50", "metoprolo"), ("m001", "500", "paracetamo"), ("m102", "5", "folic aci")]
    for medicine, strength, query in medicines:
        page = house.open(f"/medicines/new?q={query}", size=PHONE)
        heights[f"search {query}"] = bottom(page, ".add-steps")
        follow(page.locator(f"#results a[href*='pick={medicine}']"))
        heights[f"which {query}"] = bottom(page, ".add-steps")
        page.locator(f"[name=product][value='tablet|{strength}|mg']").check(force=True)
        submit(form_with(page, "name", "product"))
        heights[f"often {query}"] = bottom(page, ".add-steps")
        follow(page.locator("main button[name=often][value=three]"))
        heights[f"times {query}"] = bottom(page, ".add-steps")
        submit(form_with(page, "dose-value", "time"))
        heights[f"check {query}"] = bottom(page, ".add-steps")
    # Warnings and advice are never collapsed, so their text adds to the height of the last step.
    told = [heights.pop(f"check {query}") for query in ("metoprolo", "paracetamo")]
    row("check before saving, with a warning and with advice, px", "-", told)
    row("add-medicine steps, px", f"each {HIGHEST_STEP}", ", ".join(f"{k} {v}" for k, v in heights.items()))
    assert max(heights.values()) <= HIGHEST_STEP, heights


def test_a_full_day_and_an_answer_on_it(house: House) -> None:
    due = furnish(house)
    page = house.open("/", size=PHONE)
    expect(page.locator("#now .intake")).to_have_count(len(due))
    height = top(page, ".page-footer")
    isInSight = is_above_the_fold(page, ".pinned button")
    row("Today with 8 doses, 4 due, px", f"{HIGHEST_TODAY}, main action in sight",
        f"{height}, {'in sight' if isInSight else 'below the fold'}")
    answered = page.locator(f'[data-answers~="{due[-1]}"]')
    taken = answered.locator("form:has([name=action][value=taken]) button")
    taken.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    taken.click()
    expect(answered.locator("form:has([name=action][value=undo]) button")).to_be_focused()
    moved = page.evaluate("scrollY") - before
    row("answer on Today", "scroll and focus stay", f"moved by {moved} px, focus in the row")
    assert height <= HIGHEST_TODAY and isInSight and moved == 0


def test_a_repeat_visit_to_today_is_small(house: House) -> None:
    furnish(house)
    # The app's service worker is off, since it would add its own requests.
    page = house.open("/", service_workers="block")
    wire = Wire.of(page)
    # Scripts and styles are cached by now; the page itself is never stored.
    page.goto("/", wait_until="load")
    loaded(page, wire)
    wire.reset()
    page.goto("/", wait_until="load")
    loaded(page, wire)
    row("repeat visit to Today, bytes", MOST_BYTES, f"{wire.bytes} in {len(wire.requests)} requests")
    assert 0 < wire.bytes <= MOST_BYTES, wire.requests


def loaded(page: Page, wire: Wire) -> None:
    """Waits until nothing more arrives; the event stream never ends, and its bytes are counted at its end."""
    seen = -1
    while seen != wire.bytes:
        seen = wire.bytes
        page.wait_for_timeout(500)


def test_everything_is_near_a_tab(server: Server) -> None:
    email = new_email()
    session = Session.by_invitation(server, email)
    api = server.api(server.create_token(email))
    for name in ("Metoprolol 50 mg", "Ramipril 5 mg"):
        api.add_plan({"repeat": {"timeOfDay": ["08:00:00", "20:00:00"]}}, name=name)
    found = depths(session)
    tasks = {task: found.get(urlsplit(links[-1]).path, DEEPEST + 1) for task, links in TASKS.items()}
    far = [task for task, depth in tasks.items() if depth > DEEPEST]
    row("find-it tasks within three taps of a tab", f"{max(10, len(TASKS))} of {len(TASKS)}",
        f"{len(TASKS) - len(far)} of {len(TASKS)}")
    missing = [page for page in PAGES if page not in found]
    row("pages within three taps of a tab", f"{len(PAGES)} of {len(PAGES)}",
        f"{len(PAGES) - len(missing)} of {len(PAGES)}")
    assert len(TASKS) >= 10 and not far, far
    assert not missing, missing
