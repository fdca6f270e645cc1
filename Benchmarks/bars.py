# SPDX-License-Identifier: Apache-2.0
"""Everyday bars that depend on time: the largest paint on a slow network, and how fast a row on Today
changes.

Sizes, taps and depth need no clock: Tests/EndToEnd/test_bars.py measures those in each `make test`.
"""
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent
# Uses the Chromium and driver of the end-to-end tests.
PYTHON = REPOSITORY / ".venv/bin/python"
KILOBITS, LATENCY = 400, 100
VISITS = 5
LARGEST, ANSWER = 1_500, 100

# Records the largest paint, and when a pressed row changed.
WATCH = """
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) globalThis.largestPaint = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
"""
PRESS = """(button) => new Promise((resolve, reject) => {
  const row = button.closest('[data-answers]');
  const dose = row.dataset.answers;
  const begun = performance.now();
  const observer = new MutationObserver(() => {
    const now = [...document.querySelectorAll('[data-answers]')].find((one) => one.dataset.answers === dose);
    if (!now?.querySelector('form input[name=action][value=undo]')) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - begun));
  });
  observer.observe(document.querySelector('main'), { childList: true, subtree: true, attributes: true });
  setTimeout(() => reject(new Error('the row did not change')), 20000);
  button.click();
})"""


def measure(folder: Path) -> list[str]:
    """Returns the lines of the benchmark, run in the Python environment of the end-to-end tests."""
    if not PYTHON.is_file():
        return ["everyday bars: .venv is missing; make test-tools makes it"]
    run = subprocess.run(
        [str(PYTHON), __file__, str(folder)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"bench: everyday bars: {run.stderr[-2000:]}")
    return run.stdout.splitlines()


def main(folder: Path) -> None:
    sys.path.insert(0, str(REPOSITORY / "Tests/EndToEnd"))
    from playwright.sync_api import Browser, StorageState, sync_playwright

    from harness.browser import PHONE, chromium, launch, new_context
    from harness.ring import House
    from harness.server import Server
    from harness.sign_up import new_session

    def paint(browser: Browser, server: Server, session: StorageState | None, path: str, *, cold: bool) -> float:
        """Returns the milliseconds to the largest paint; cold means with an empty cache."""
        context = new_context(browser, server.base, size=PHONE, storage_state=session)
        page = context.new_page()
        page.add_init_script(WATCH)
        if not cold:
            page.goto(path, wait_until="load")
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        rate = KILOBITS * 1000 / 8
        network.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": LATENCY, "downloadThroughput": rate, "uploadThroughput": rate})
        page.goto(path, wait_until="load")
        page.wait_for_timeout(500)
        found = page.evaluate("globalThis.largestPaint")
        context.close()
        return float(found)

    server = Server(Path(tempfile.mkdtemp(dir=folder, prefix="bars-")) / "data", clock_offset=0).start()
    with sync_playwright() as playwright:
        browser = launch(playwright, chromium())
        session, email = new_session(browser, server)
        house = House(browser, server, server.api(server.create_token(email)), session, [])
        house.due("Metoprolol succinate 47.5 mg", "Ramipril 5 mg", "Metformin 500 mg", "Vitamin D3 1000 IU")
        print(f"everyday bars, Chromium on a phone's screen, {KILOBITS} kbit/s, {LATENCY} ms round trip, median of "
              f"{VISITS}:")
        for name, who, path, cold in [
            ("largest paint of the sign-in page, cold", None, "/sign-in", True),
            ("largest paint of Today, cold", session, "/", True),
            ("largest paint of Today, repeated", session, "/", False),
        ]:
            times = [paint(browser, server, who, path, cold=cold) for _ in range(VISITS)]
            print(f"  {name:44} {statistics.median(times):6.0f} ms  (aim {LARGEST})")
        page = house.open("/")
        taken = page.locator("#now .intake[data-answers] form:has([name=action][value=taken]) button")
        times = []
        for _ in range(3):
            # The first open dose.
            times.append(float(taken.first.evaluate(PRESS)))
        print(f"  {'answer on Today until its row has changed':44} {statistics.median(times):6.0f} ms  (aim {ANSWER})")
        browser.close()
    server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()))
