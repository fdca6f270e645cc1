#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for sendmail.

As a program it stores its arguments and the message, or fails as told; as a module it returns what was
stored, read by Python's own parser.

mailbox.py FOLDER -i -f SENDER -- RECIPIENT...
"""
import base64
import email
import email.policy
import json
import os
import shlex
import sys
import time
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

FAILED_FOR_NOW, NO_SUCH_USER = 75, 67
HANG_SECONDS = 60


@dataclass(frozen=True)
class Mail:
    arguments: list[str]
    content: bytes
    received: float
    code: int

    @property
    def recipients(self) -> list[str]:
        return self.arguments[self.arguments.index("--") + 1:]

    @property
    def message(self) -> EmailMessage:
        # The policy of the modern interface: headers are parsed and keep their defects.
        parsed = email.message_from_bytes(self.content, policy=email.policy.default)
        assert isinstance(parsed, EmailMessage)
        return parsed

    @property
    def text(self) -> str:
        part = self.message.get_body(("plain",))
        assert part is not None, "no text"
        return part.get_content()


class Mailbox:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "mails").mkdir(parents=True)
        self.program = folder / "sendmail"
        command = shlex.join([sys.executable, "-S", "-E", str(Path(__file__).resolve())])
        # The server passes its own arguments, so the folder is written into the script.
        self.program.write_text(f'#!/bin/sh\nexec {command} {shlex.quote(str(folder))} "$@"\n')
        self.program.chmod(0o700)

    def behave(self, recipient: str, *behaviours: int | str) -> None:
        """Sets exit codes or "hang" for the next mails to someone, in order; after that it works."""
        _plan(self.folder, recipient).write_text(json.dumps(list(behaviours)))

    def mails(self, recipient: str | None = None, delivered: bool = True) -> list[Mail]:
        """Returns the accepted mails, or all attempts; oldest first."""
        found = []
        for path in sorted((self.folder / "mails").glob("*.json")):
            kept = json.loads(path.read_text())
            mail = Mail(
                kept["arguments"], base64.b64decode(kept["content"]), kept["received"], kept["code"]
            )
            if recipient in (None, *mail.recipients) and (mail.code == 0 or not delivered):
                found.append(mail)
        return found


def _plan(folder: Path, recipient: str) -> Path:
    return folder / ("behave-" + base64.urlsafe_b64encode(recipient.encode()).decode())


def _next_behaviour(folder: Path, recipient: str) -> int | str:
    path = _plan(folder, recipient)
    try:
        behaviours = json.loads(path.read_text())
    except FileNotFoundError:
        return 0
    if not behaviours:
        return 0
    path.write_text(json.dumps(behaviours[1:]))
    return behaviours[0]


def main() -> int:
    folder, arguments = Path(sys.argv[1]), sys.argv[2:]
    content = sys.stdin.buffer.read()
    behaviour = _next_behaviour(folder, arguments[-1])
    code = behaviour if isinstance(behaviour, int) else -1
    kept = {
        "arguments": arguments, "content": base64.b64encode(content).decode(),
        "received": time.time(), "code": code,
    }
    name = f"{time.time_ns()}-{os.getpid()}"
    partial = folder / "mails" / f"{name}.partial"
    partial.write_text(json.dumps(kept))
    partial.rename(partial.with_suffix(".json"))
    if behaviour == "hang":
        time.sleep(HANG_SECONDS)
    return max(code, 0)


if __name__ == "__main__":
    sys.exit(main())
