# SPDX-License-Identifier: Apache-2.0
"""Tests the page checks: each must find its own fault, and no other."""
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page

from harness.browser import (
    PHONE, Listener, axe_problems, narrow_problems, new_context, structure_problems, text_problems,
)
from harness.forms import fill, form_with, submit, value

GOOD = """<!doctype html><html lang="en"><head><title>Today</title><style>
a, button, input, select { min-height: 48px; min-width: 48px; display: inline-block } body { margin: 8px }
label { display: inline-block } p a { display: inline } .skip { position: absolute; width: 1px; height: 1px; overflow: hidden }
</style></head><body><a class="skip" href="#main">Skip</a><main id="main"><h1>Today</h1>
<p>Write to ann@example.org or look at <a href="/x">the page notes.css</a> for more.</p>
<form action="/done"><label>Name <input name="given-name"></label>
<label><input type="checkbox" name="day" value="mon" style="min-width:0;min-height:0"> <span
style="display:inline-block;height:48px">Monday</span></label><button>Save</button></form>
</main></body></html>"""
KEYS = re.compile(r"(?<![\w@./-])(?:today|medicines)\.[a-z][\w-]*(?:\.[\w-]+)*\b")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"


@pytest.fixture
def show(browser: Browser) -> Iterator[Callable[[str], tuple[Page, Listener]]]:
    content = {"page": ""}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", POLICY)
            self.end_headers()
            self.wfile.write(content["page"].encode())

        def log_message(self, *arguments: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    contexts = []

    def open_page(html: str, **options: object) -> tuple[Page, Listener]:
        content["page"] = html
        context = new_context(browser, f"http://127.0.0.1:{http.server_port}", size=PHONE, **options)
        contexts.append(context)
        page, listener = context.new_page(), Listener()
        listener.attach(page)
        page.goto("/")
        return page, listener

    yield open_page
    for context in contexts:
        context.close()
    http.shutdown()


def all_problems(page: Page, listener: Listener) -> list[str]:
    return (
        listener.take() + structure_problems(page) + text_problems(page, "en", KEYS)
        + axe_problems(page) + narrow_problems(page, PHONE)
    )


def test_a_good_page_has_no_problem(show: Callable) -> None:
    assert all_problems(*show(GOOD)) == []


@pytest.mark.parametrize(
    ("change", "by", "expected"),
    [
        ("<h1>Today</h1>", "<h2>Today</h2>", "0 h1"),
        ("<h1>Today</h1>", "<h1>Today</h1><h1>Two</h1>", "2 h1"),
        ("<title>Today</title>", "<title></title>", "no title"),
        ('lang="en"', 'lang="th"', "lang is th"),
        ("<h1>Today</h1>", "<h1>today.no-dose</h1>", "raw message key: today.no-dose"),
        ("<button>", '<button aria-label="medicines.form.save">', "raw message key"),
        ("for more", "for {count} more", "unfilled place"),
        ("<button>", '<button style="min-height:30px;height:30px">', "small target: button Save"),
        ("<p>Write", '<p style="width:500px">Write', "px wide at 320: p"),
        ("<p>Write", '<p style="color:#ccc">Write', "axe color-contrast"),
        ("<label>Name <input name=\"given-name\"></label>", "<input name=\"given-name\">", "axe label"),
        ("<h1>Today</h1>", '<h1>Today</h1><img src="/x.png">', "axe image-alt"),
        ("<h1>Today</h1>", '<h1>Today</h1><img src="/x.png" alt="x">', "Content Security Policy"),
        ("<h1>Today</h1>", "<h1>Today</h1><script>1</script>", "Content Security Policy"),
    ],
)
def test_a_bad_page_is_found(show: Callable, change: str, by: str, expected: str) -> None:
    assert change in GOOD
    found = all_problems(*show(GOOD.replace(change, by)))
    assert any(expected in problem for problem in found), found


@pytest.mark.parametrize("javascript", [True, False])
def test_forms_are_filled_by_name(show: Callable, javascript: bool) -> None:
    page, _ = show(GOOD, java_script_enabled=javascript)
    form = form_with(page, "given-name", "day")
    form.evaluate("f => f.noValidate = true")
    fill(form, given_name="Ann", day="mon")
    assert value(form, "given-name") == "Ann" and value(form, "day") == "mon"
    submit(form)
    assert page.url.endswith("/done?given-name=Ann&day=mon")
    with pytest.raises(AssertionError, match="no form"):
        form_with(page, "nothing")
