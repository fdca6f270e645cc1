# SPDX-License-Identifier: Apache-2.0
"""Fixtures: a server for the whole run, fresh accounts on it, and separate servers for single tests."""
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from harness.api import Api
from harness.browser import chromium, headless_shell, launch
from harness.ring import House
from harness.ringing import Ring
from harness.server import Server, binary
from harness.sign_up import new_email, new_session


def pytest_sessionstart(session: pytest.Session) -> None:
    # Collecting needs no program: a fresh clone collects before it builds.
    if not session.config.option.collectonly and not binary().is_file():
        pytest.exit(f"{binary()} is not there: Scripts/swift build --product regimen", returncode=1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deals the long tests out to the workers, each of which begins with one part of the list."""
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    long = [item for item in items if item.get_closest_marker("long")]
    others = [item for item in items if not item.get_closest_marker("long")]
    items[:] = []
    # pytest-xdist gives each worker an equal share of those that are left.
    for left in range(workers, 0, -1):
        share = (len(long) + len(others)) // left
        own, long = long[:-(-len(long) // left)], long[-(-len(long) // left):]
        own, others = own + others[:share - len(own)], others[share - len(own):]
        items += own


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Adds the end of a server's log to a failure report."""
    outcome = yield
    report = outcome.get_result()
    if report.when == "call" and report.failed:
        for name, value in getattr(item, "funcargs", {}).items():
            value = value.server if isinstance(value, Ring) else value
            if isinstance(value, Server):
                report.sections.append((f"log of {name}", value.tail(60)))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server that tests share; each test has its own account."""
    shared = Server(tmp_path_factory.mktemp("shared") / "data").start()
    yield shared
    shared.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers for one test, which it may stop, kill and restart."""
    made: list[Server] = []

    def make(**options: object) -> Server:
        made.append(Server(tmp_path / f"data-{len(made)}", **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for one in made:
        one.kill()


@pytest.fixture(scope="session")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ring]:
    """One server with push services that tests share; the pushes it sent are verified at the end."""
    shared = Ring(tmp_path_factory.mktemp("ring"), services=24)
    shared.server.start()
    yield shared
    shared.server.stop()
    shared.close()
    shared.verify()


@pytest.fixture
def own_ring(tmp_path: Path) -> Iterator[Callable[..., Ring]]:
    """Starts servers with push services for one test; every push they sent is verified."""
    made: list[Ring] = []

    def make(**options: object) -> Ring:
        made.append(Ring(tmp_path / f"ring-{len(made)}", **options))  # type: ignore[arg-type]
        made[-1].server.start()
        return made[-1]

    yield make
    for one in made:
        one.close()
    for one in made:
        one.verify()


@pytest.fixture
def new_api(server: Server) -> Callable[[], Api]:
    """A new account on the shared server with a token that has its own rights."""

    def make() -> Api:
        email = new_email()
        server.invite(email)
        return server.api(server.create_token(email))

    return make


@pytest.fixture
def api(new_api: Callable[[], Api]) -> Api:
    return new_api()


@pytest.fixture(scope="module")
def module_api(server: Server) -> Api:
    """One account for a module of tests that change nothing."""
    email = new_email()
    server.invite(email)
    return server.api(server.create_token(email))


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def full_browser(playwright: Playwright) -> Iterator[Browser]:
    started = launch(playwright, chromium())
    yield started
    started.close()


@pytest.fixture(scope="session")
def headless_browser(playwright: Playwright) -> Iterator[Browser]:
    started = launch(playwright, headless_shell())
    yield started
    started.close()


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Browser:
    """The same engine without a browser around it, which takes half as long. A module that needs notifications,
    or a network that ends for service workers too, sets `FULL_BROWSER = True`."""
    is_full = getattr(request.module, "FULL_BROWSER", False)
    return request.getfixturevalue("full_browser" if is_full else "headless_browser")


@pytest.fixture(scope="module")
def ring_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for a module of tests that send reminders."""
    made = Server(tmp_path_factory.mktemp("ring") / "data").start()
    yield made
    made.kill()


@pytest.fixture
def house(browser: Browser, ring_server: Server) -> Iterator[House]:
    """A new person, so that no other reminders arrive."""
    session, email = new_session(ring_server)
    made = House(browser, ring_server, ring_server.api(ring_server.create_token(email)), session, [])
    yield made
    for one in made.opened:
        one.close()
