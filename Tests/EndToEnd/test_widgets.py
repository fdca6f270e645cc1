# SPDX-License-Identifier: Apache-2.0
"""The recipes of docs/widgets.md against a server, and the badge on the app's icon."""
import re
import time
from typing import Any

import pytest
import requests
from playwright.sync_api import expect

from harness.browser import axe_problems
from harness.ring import House
from harness.server import REPOSITORY
from test_service_worker import Worker, payload, worker

FULL_BROWSER = True

__all__ = ["worker"]

EXAMPLE = "https://regimen.example/widget/rgw_SECRET"
DOCUMENT = (REPOSITORY / "docs/widgets.md").read_text("utf-8")


def section(title: str) -> str:
    return DOCUMENT.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def script(title: str) -> str:
    found = re.search(r"```js\n(.*?)```", section(title), re.DOTALL)
    assert found, title
    return found[1]


@pytest.fixture
def address(house: House) -> str:
    """Returns a widget's address for a person with two due doses, with medicine names on."""
    house.due("Metoprolol", "Zinc")
    page = house.open("/widgets")
    page.locator('[name="names"]').check(force=True)
    page.locator('main form[action="/widgets"] button').last.click()
    made = page.locator("main code").first
    expect(made).to_contain_text("/widget/rgw_")
    assert axe_problems(page) == []
    # The server's own address, whatever name the page shows.
    return house.server.base + "/widget/" + made.inner_text().split("/widget/")[1].strip()


def day(address: str) -> dict[str, Any]:
    answer = requests.get(address, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_steps_of_shortcuts_name_what_is_there(address: str) -> None:
    found = day(address)
    text = section("iPhone and Apple Watch: Shortcuts")
    named = set(re.findall(r"`(\w+)`", text))
    assert named == {"text", "open"} and named <= set(found)
    assert found["text"] == "2 doses to take" and found["open"] == 2


def test_the_script_of_scriptable_makes_a_widget(house: House, address: str) -> None:
    page = house.context().new_page()
    made = page.evaluate(
        """async ([code, address, day]) => {
          const made = { lines: [] };
          class ListWidget {
            addText(text) { const line = { text }; made.lines.push(line); return line; }
          }
          class Request {
            constructor(url) { made.asked = url; }
            async loadJSON() { return day; }
          }
          const Font = { systemFont: (size) => size };
          const Color = { red: () => 'red' };
          const Script = { setWidget: (widget) => { made.url = widget.url; }, complete: () => { made.isComplete = true; } };
          const run = Object.getPrototypeOf(async () => {}).constructor;
          await new run('ListWidget', 'Request', 'Font', 'Color', 'Script', 'args', code)(
            ListWidget, Request, Font, Color, Script, { widgetParameter: address });
          return made;
        }""", [script("iPhone: Scriptable"), address, day(address)])
    lines = [line["text"] for line in made["lines"]]
    assert made["asked"] == address and made["isComplete"] and made["url"] == house.server.base
    assert lines[0] == "2 doses to take"
    assert any("Metoprolol" in line for line in lines) and any("/" in line for line in lines)


def test_the_formulas_of_kwgt_lead_to_values(address: str) -> None:
    text = section("Android: KWGT")
    found = day(address)
    paths = set(re.findall(r"json, \.([\w.]+)\)", text)) | set(re.findall(r"`\.([\w.]+)`", text))
    assert paths >= {"text", "open", "taken", "planned"}
    for path in paths - {"next.time"}:
        assert path in found, path
    assert set(re.findall(r'\$wg\("([^"]+)"', text)) == {EXAMPLE}
    picture = requests.get(f"{address}/picture.png", timeout=60)
    assert picture.headers["Content-Type"] == "image/png"


def test_the_picture_can_be_shown(house: House, address: str) -> None:
    page = house.open("/")
    size = page.evaluate(
        """async (path) => {
          const bytes = await (await fetch(path)).blob();
          const image = await createImageBitmap(bytes);
          return [image.width, image.height];
        }""", f"/widget/{address.split('/widget/')[1]}/picture.png")
    assert size == [96, 96]


def test_the_widget_of_the_watch_shows_the_number(house: House, address: str) -> None:
    page = house.context().new_page()
    drawn = page.evaluate(
        """async ([code, address, day]) => {
          const drawn = [];
          const g = { reset: () => g, setFont: () => g, setFontAlign: () => g,
            drawString: (text) => { drawn.push(text); } };
          const WIDGETS = {};
          const Bangle = {
            http: async (url) => { drawn.push(url); return { resp: JSON.stringify(day) }; },
            drawWidgets: () => Object.values(WIDGETS).forEach((one) => one.draw.call({ ...one, x: 0, y: 0 })),
          };
          new Function('Bangle', 'WIDGETS', 'g', 'setInterval', code)(Bangle, WIDGETS, g, () => {});
          await new Promise((done) => setTimeout(done, 100));
          return drawn;
        }""", [script("Watch face: Bangle.js").replace(EXAMPLE, address), address, day(address)])
    assert drawn == [address, "2"]


def test_the_icon_says_how_many_doses_wait(house: House, worker: Worker) -> None:
    worker.worker.evaluate(
        """() => {
          navigator.setAppBadge = async (count) => { globalThis.badge = count; };
          navigator.clearAppBadge = async () => { globalThis.badge = 0; };
        }""")

    def wait_for(count: int) -> None:
        deadline = time.monotonic() + 30
        while (found := worker.worker.evaluate("globalThis.badge ?? null")) != count:
            assert time.monotonic() < deadline, found
            time.sleep(0.1)

    dose, = house.due("Metoprolol")
    worker.push(payload([dose]))
    worker.wait(bool)
    wait_for(1)
    worker.click("taken")
    house.wait_for([dose], "taken")
    wait_for(0)
