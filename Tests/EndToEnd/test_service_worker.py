# SPDX-License-Identifier: Apache-2.0
"""The service worker in Chromium: it gets a push, a person presses, the network fails."""
import json
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page

from harness.browser import go_offline, wait_for_worker
from harness.ring import House

FULL_BROWSER = True


@dataclass
class Worker:
    """The service worker of a page, driven as by a push service and a person."""

    page: Page
    context: BrowserContext

    def __post_init__(self) -> None:
        wait_for_worker(self.page)
        self.session = self.context.new_cdp_session(self.page)
        versions: list[dict[str, Any]] = []
        self.session.on(
            "ServiceWorker.workerRegistrationUpdated", lambda e: versions.extend(e["registrations"])
        )
        self.session.send("ServiceWorker.enable")
        self.page.wait_for_timeout(300)
        assert versions, "no registration"
        self.registration = versions[-1]["registrationId"]
        self.worker = self.context.service_workers[0]

    def push(self, payload: Any) -> None:
        data = payload if isinstance(payload, str) else json.dumps(payload)
        base = "{0.scheme}://{0.netloc}".format(urlsplit(self.page.url))
        self.session.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": base, "registrationId": self.registration, "data": data},
        )

    def notifications(self) -> list[dict[str, Any]]:
        return self.worker.evaluate(
            """() => inTurn(async () => (await registration.getNotifications()).map((n) => ({
              title: n.title, body: n.body, tag: n.tag, lang: n.lang, silent: n.silent, data: n.data,
              actions: n.actions.map((a) => [a.action, a.title]) })))"""
        )

    def wait(self, check: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        deadline = time.monotonic() + 30
        while not check(found := self.notifications()):
            assert time.monotonic() < deadline, found
            time.sleep(0.1)
        return found

    def click(self, action: str = "") -> None:
        """Presses the notification; `openWindow` is replaced, since no window opens without a gesture."""
        self.worker.evaluate(
            """async (action) => {
              globalThis.openedPaths = [];
              Object.defineProperty(clients, 'openWindow', {
                configurable: true, value: async (path) => { globalThis.openedPaths.push(path); } });
              const [notification] = await registration.getNotifications();
              dispatchEvent(new NotificationEvent('notificationclick', { notification, action }));
            }""",
            action,
        )


@pytest.fixture
def worker(house: House) -> Worker:
    context = house.context()
    page = context.new_page()
    page.goto("/medicines")
    return Worker(page, context)


def payload(doses: list[str], subject: str = "nothing-here", **more: Any) -> dict[str, Any]:
    """Sends a push as the server creates it."""
    return {
        "kind": "doses", "delivery": str(uuid.uuid4()), "subject": subject, "doses": doses,
        "dose": doses[0] if doses else "", "plans": [], "tag": "tag-1", "title": "Time for 08:00",
        "body": "Due 08:00. Open to answer.", "path": f"/ring/{subject}", "lang": "en",
        "actions": [
            {"action": "taken", "title": "Taken"}, {"action": "later", "title": "Later"},
        ], **more,
    }


def test_a_push_shows_its_words_and_its_actions(house: House, worker: Worker) -> None:
    dose, = house.due("Metoprolol")
    worker.push(payload([dose]))
    shown, = worker.wait(bool)
    assert (shown["title"], shown["body"]) == ("Time for 08:00", "Due 08:00. Open to answer.")
    assert shown["tag"] == "tag-1" and shown["data"]["path"] == "/ring/nothing-here"
    assert shown["actions"] == [["taken", "Taken"], ["later", "Later"]]


def test_the_same_push_again_is_one_notification_that_stays_silent(
    house: House, worker: Worker
) -> None:
    dose, = house.due("Metoprolol")
    message = payload([dose])
    worker.push(message)
    assert worker.wait(bool)[0]["silent"] is not True
    worker.push(message)
    assert len(worker.wait(lambda found: found[0]["silent"] is True)) == 1
    # The next step is another delivery, and sounds again.
    worker.push(message | {"delivery": str(uuid.uuid4())})
    assert len(worker.wait(lambda found: found[0]["silent"] is not True)) == 1


@pytest.mark.parametrize("data", ["", "not json", "null", "[]", '{"doses": 3, "title": 4}'])
def test_whatever_arrives_something_is_shown(worker: Worker, data: str) -> None:
    worker.push(data)
    shown, = worker.wait(bool)
    assert shown["title"] and shown["data"]["path"] == "/"


def test_a_link_to_another_host_is_cut_down_to_a_path(worker: Worker) -> None:
    message = payload([]) | {"path": "https://evil.example/ring/x", "actions": []}
    worker.push(message)
    assert worker.wait(bool)[0]["data"]["path"] == "/ring/x"


def test_taken_in_the_notification_takes_every_dose_of_the_group(
    house: House, worker: Worker
) -> None:
    doses = house.due("Metoprolol", "Zinc")
    worker.push(payload(doses))
    worker.wait(bool)
    worker.click("taken")
    house.wait_for(doses, "taken")
    worker.wait(lambda found: not found)
    assert len(house.api.administrations()) == 2


def test_a_second_intake_too_soon_is_asked_about_on_its_page(house: House, worker: Worker) -> None:
    daily = {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d", "timeOfDay": ["08:00:00"]}}
    plan = house.api.add_plan(daily, name="Metoprolol")["id"]
    one, two = [d["id"] for d in house.api.doses(plan=plan) if d["state"] == "scheduled"][:2]
    assert house.api.answer(one, "taken", confirm=True).status_code == 200
    worker.push(payload([two]))
    worker.wait(bool)
    worker.click("taken")
    shown, = worker.wait(lambda found: bool(found) and not found[0]["actions"])
    assert "question" in shown["body"] and shown["data"]["path"] == "/ring/nothing-here"
    assert house.states([two]) == ["scheduled"] and len(house.api.administrations()) == 1


def test_later_in_the_notification_puts_off_by_ten_minutes(house: House, worker: Worker) -> None:
    dose, = house.due("Metoprolol")
    worker.push(payload([dose]))
    worker.wait(bool)
    worker.click("later")
    house.wait_for([dose], "later")


def test_the_buttons_of_an_alarm_answer_its_one_time(worker: Worker) -> None:
    # Posts are recorded instead of sent: no test would get an alarm within seconds.
    worker.worker.evaluate(
        """() => { globalThis.posted = []; globalThis.fetch = async (path, init) => {
          posted.push([path, init?.body ?? '', init?.headers ?? {}]);
          return Response.json(path === '/device/clock' ? { now: Date.now(), account: 'a1', since: 0 } : {}); }; }""")

    def answered(action: str) -> list[dict[str, Any]]:
        posted = worker.worker.evaluate("globalThis.posted")
        answers = [one for one in posted if "/occasions/a-1-20260301/answers" in one[0]]
        for _, _, headers in answers:
            assert (headers["Regimen-Account"], headers["Regimen-Patient"]) == ("a1", "p1")
        bodies = [json.loads(body) for _, body, _ in answers]
        return [body for body in bodies if body["action"] == action]

    message = payload([]) | {
        "kind": "alarm", "occasion": "a-1-20260301", "account": "a1", "patient": "p1", "minutes": 15,
        "actions": [{"action": "done", "title": "Done"}, {"action": "later", "title": "Later, in 15 min"}],
    }
    for action in ("done", "later"):
        worker.push(message | {"delivery": str(uuid.uuid4())})
        shown, = worker.wait(bool)
        assert shown["actions"] == [["done", "Done"], ["later", "Later, in 15 min"]]
        worker.click(action)
        deadline = time.monotonic() + 30
        while not (sent := answered(action)):
            assert time.monotonic() < deadline, worker.worker.evaluate("globalThis.posted")
            time.sleep(0.1)
        assert len(sent) == 1 and sent[0]["patient"] == "p1" and sent[0]["event"]
        assert sent[0].get("minutes") == (15 if action == "later" else None)


@pytest.mark.parametrize("code, words", [
    ("conflict", "couldn’t be logged"), ("anything-new", "couldn’t be logged"),
    ("wrong-person", "couldn’t be logged"), ("answered", "Already answered"),
    ("stale", "Already answered"), ("cancelled", "Already answered"), ("confirm", "question"),
])
def test_a_refused_answer_says_what_came_of_it(worker: Worker, code: str, words: str) -> None:
    # Posts are answered here, since a real server cannot easily be made to give each of these answers.
    worker.worker.evaluate(
        """(code) => { globalThis.fetch = async (path) => {
          if (path === '/device/clock') return Response.json({ now: Date.now(), account: 'a1', since: 0 });
          if (path.endsWith('/answers')) return Response.json({ code }, { status: 409 });
          return path.endsWith('/state') ? new Response('', { status: 404 }) : Response.json({}); }; }""",
        code,
    )
    worker.push(payload(["some-dose"]) | {"account": "a1", "patient": "p1"})
    worker.wait(bool)
    worker.click("taken")
    shown, = worker.wait(lambda found: bool(found) and not found[0]["actions"])
    assert words in shown["body"]
    assert answers(stored(worker)) == []


@pytest.mark.parametrize("early, confirmed, is_recorded", [
    (False, [], True), (False, ["an-intake"], True), (True, [], False), (True, ["an-intake"], False),
    (True, ["an-intake", "early-dose-1"], True),
])
def test_what_waited_asks_only_for_a_dose_that_was_not_due_yet(
    worker: Worker, early: bool, confirmed: list[str], is_recorded: bool
) -> None:
    sent = worker.worker.evaluate(
        """async ([early, confirm]) => {
          const sent = [];
          globalThis.fetch = async (path, { body } = {}) => {
            if (path === '/device/clock') return Response.json({ now: Date.now(), account: 'a1', since: 0 });
            sent.push(JSON.parse(body));
            const refusal = { code: 'confirm', ...(early && { early: { dose: 'dose' } }) };
            return sent.at(-1).confirm ? Response.json({}) : Response.json(refusal, { status: 409 });
          };
          const answer = { dose: 'dose', event: crypto.randomUUID(), action: 'taken', confirm };
          await keepAnswers([answer], Date.now() - 10000, { account: 'a1', patient: 'p1' });
          await flush();
          return sent;
        }""",
        [early, confirmed],
    )
    assert [one.get("confirm") for one in sent] == [None, True][:1 + is_recorded]
    assert len({one["at"] for one in sent}) == 1 and len({one["event"] for one in sent}) == 1


def stored(worker: Worker) -> dict[str, Any]:
    """Returns everything that the browser stores for this origin, as someone with the device could read
    it."""
    return worker.page.evaluate(
        """async () => {
          const settled = (request) => new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
          });
          const found = { caches: await caches.keys(), local: { ...localStorage, ...sessionStorage },
            databases: (await indexedDB.databases()).map((one) => one.name), queue: [],
            names: [], isExtractable: [], exported: [] };
          const bytes = (value) => Array.from(new Uint8Array(value),
            (byte) => String.fromCharCode(byte)).join('');
          for (const name of found.databases) {
            const opening = indexedDB.open(name);
            // It may have been deleted meanwhile: looking must not create it again.
            opening.onupgradeneeded = () => opening.transaction.abort();
            const database = await settled(opening).catch(() => undefined);
            if (!database) continue;
            for (const name of database.objectStoreNames) {
              const store = database.transaction(name).objectStore(name);
              const all = await settled(store.getAll());
              for (const one of all) {
                // The name of an account, sealed.
                if (store.name !== 'queue' && !(one instanceof CryptoKey)) {
                  found.names.push(bytes(one.sealed));
                  continue;
                }
                if (!(one instanceof CryptoKey)) {
                  found.queue.push({ ...one, iv: bytes(one.iv), sealed: bytes(one.sealed) });
                  continue;
                }
                found.isExtractable.push(one.extractable);
                found.exported.push(await crypto.subtle.exportKey('raw', one)
                  .then(() => 'exported', (error) => error.name));
              }
            }
            database.close();
          }
          return found;
        }""")


def answers(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the queued presses; a report of a shown notification may be queued too."""
    return [one for one in found["queue"] if not one["event"].startswith("shown ")]


def sign_out(worker: Worker) -> None:
    worker.page.locator('form[action="/sign-out"] button').first.click()
    worker.page.wait_for_url("**/sign-in*")


def test_signing_out_clears_what_the_browser_keeps(house: House, worker: Worker) -> None:
    dose, = house.due("Metoprolol")
    worker.push(payload([dose]))
    worker.wait(bool)
    worker.click("taken")
    house.wait_for([dose], "taken")
    deadline = time.monotonic() + 30
    # Wait for the response: a pending answer would outlive the sign-out.
    while stored(worker)["queue"]:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    sign_out(worker)
    while (found := stored(worker))["databases"] or found["local"]:
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    assert found["queue"] == [] and found["caches"] == []


def test_an_action_without_a_network_is_kept_and_sent_later_with_its_time(
    house: House, worker: Worker
) -> None:
    dose, = house.due("Metoprolol")
    worker.push(payload([dose]))
    worker.wait(bool)
    go_offline(worker.context)
    pressed = house.api.now()
    worker.click("taken")
    worker.wait(lambda found: bool(found) and "Saved on this device" in found[0]["body"])
    assert house.states([dose]) == ["due"]
    found = stored(worker)
    # The answer is stored without readable content; the key cannot be exported.
    assert len(answers(found)) == 1
    assert all(set(one) == {"event", "pressed", "iv", "sealed"} for one in found["queue"])
    assert dose not in json.dumps(found) and "taken" not in json.dumps(found)
    # One key for presses, one for offline pages.
    assert set(found["isExtractable"]) == {False} and set(found["exported"]) == {"InvalidAccessError"}
    assert set(found["caches"]) <= {"assets"} and set(found["local"]) <= {"device"}
    assert "Metoprolol" not in json.dumps(found)
    time.sleep(6)
    worker.context.set_offline(False)
    worker.page.reload()
    house.wait_for([dose], "taken")
    taken = house.api.dose(dose)["answer"]
    written = (time.mktime(time.strptime(taken["at"][:19], "%Y-%m-%dT%H:%M:%S"))
               - time.mktime(pressed.timetuple()))
    assert abs(written) <= 3, f"{taken} was pressed at {pressed}"
    assert taken["at"] != taken["recorded"]
    assert len(house.api.administrations()) == 1


def test_a_tap_opens_the_page_of_the_reminder(house: House, worker: Worker) -> None:
    dose, = house.due("Metoprolol")
    worker.push(payload([dose]))
    worker.wait(bool)
    worker.click()
    worker.worker.evaluate("new Promise((done) => setTimeout(done, 300))")
    assert worker.worker.evaluate("globalThis.openedPaths") == ["/ring/nothing-here"]
    assert house.states([dose]) == ["due"]
