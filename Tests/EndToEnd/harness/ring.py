# SPDX-License-Identifier: Apache-2.0
"""A person with doses that are due in a moment, an API and browser windows."""
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, StorageState

from harness.api import Api
from harness.browser import PHONE, new_context
from harness.server import Server


@dataclass
class House:
    """A separate person for a test, with an API and a browser."""

    browser: Browser
    server: Server
    api: Api
    session: StorageState
    opened: list[BrowserContext]

    def context(self, **options: Any) -> BrowserContext:
        made = new_context(
            self.browser, self.server.base, storage_state=self.session,
            **{"size": PHONE, "permissions": ["notifications"]} | options,
        )
        self.opened.append(made)
        return made

    def open(self, address: str, **options: Any) -> Page:
        page = self.context(**options).new_page()
        page.goto(address)
        return page

    def due(self, *names: str, seconds: float = 2, wait: bool = True) -> list[str]:
        """Creates doses that are due in a moment, one for each medicine; returns their ids."""
        # Asked before the time is chosen, since each request takes some of it.
        assert self.api.patient
        for way in (seconds, *(longer for longer in (5, 15, 45) if longer > seconds)):
            timing = self.api.events(way / 60)
            plans = [self.api.add_plan(timing, name=name) for name in names]
            listed = {dose["plan"]: dose["id"] for dose in self.api.doses()}
            doses = [listed[plan["id"]] for plan in plans if plan["id"] in listed]
            if len(doses) == len(names):
                if wait:
                    self.wait_for(doses, "due")
                return doses
            # The request took too long: retry with more time, for a slow machine.
            for plan in plans:
                self.api.withdraw(plan)
        raise AssertionError(f"{len(doses)} doses of {len(names)} plans")

    def states(self, doses: list[str]) -> list[str]:
        listed = {dose["id"]: dose["state"] for dose in self.api.doses()}
        return [listed[dose] for dose in doses]

    def wait_until(self, check: Callable[[], bool], seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while not check():
            assert time.monotonic() < deadline, "it did not come to be"
            time.sleep(0.1)

    def wait_for(self, doses: list[str], state: str, seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while (states := self.states(doses)) != [state] * len(doses):
            assert time.monotonic() < deadline, f"{states}, not {state}"
            time.sleep(0.1)
