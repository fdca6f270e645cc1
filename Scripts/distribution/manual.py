# SPDX-License-Identifier: Apache-2.0
"""The manual page regimen(1), written from the argument parser's own description of all commands."""
import json
import re
from collections.abc import Iterator
from datetime import datetime, timezone

from distribution.common import Failure

# Words that may not fit on a line; they may break after a mark.
LONG = re.compile(r"\S{40,}")

HEAD = """\
.\\" SPDX-License-Identifier: Apache-2.0
.TH REGIMEN 1 "{date}" "Regimen {version}" "User Commands"
.ad l
.nh
.SH NAME
regimen \\- {abstract}
.SH SYNOPSIS
.B regimen
.I command
.RI [ options ]
.SH DESCRIPTION
Regimen reminds people to take their medicines. This program is the server, its FHIR interface and the
tools to administer it.
.PP
The Debian package runs the server as the service
.BR regimen.service ,
as the user
.BR regimen .
Administration commands use the running server's socket in the data folder. Run them as that user:
.PP
.RS
.nf
sudo \\-u regimen regimen doctor \\-\\-data /var/lib/regimen
.fi
.RE
"""
TAIL = """\
.SH ENVIRONMENT
Each option of
.B regimen serve
can be set as a variable, such as
.B REGIMEN_PORT
for
.BR \\-\\-port .
.TP
.B REGIMEN_DATA
The data folder of all commands.
.TP
.B REGIMEN_DATABASE
A PostgreSQL database instead of a file in the data folder.
.TP
.B REGIMEN_LOG_LEVEL
.BR trace ", " debug ", " info ", " notice ", " warning ", " error " or " critical .
.SH FILES
.TP
.I /etc/regimen/regimen.conf
The settings of the service, one variable a line.
.TP
.I /etc/regimen/backup.key
The key that opens the daily backups. Keep a copy elsewhere.
.TP
.I /var/lib/regimen
The data folder: the database and its keys.
.TP
.I /var/backups/regimen
The daily backups of
.BR regimen\\-backup.timer .
.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
A failure, with one line on standard error.
.TP
.B 2
Wrong usage.
.SH SEE ALSO
.BR systemctl (1),
.BR journalctl (1)
"""


def escaped(text: str) -> str:
    """Returns text as roff prints it unchanged: no line starts a request, and dashes can be copied."""
    lines = []
    for line in text.replace("\\", "\\e").replace("-", "\\-").splitlines():
        # Two spaces at the start would break the paragraph.
        line = LONG.sub(lambda word: re.sub(r"([/,@:])", r"\\1\\:", word[0]), line.strip())
        lines.append(f"\\&{line}" if line[:1] in (".", "'") else line)
    return "\n".join(lines)


def shown(items: list[dict] | None) -> list[dict]:
    return [each for each in items or [] if each.get("shouldDisplay", True)]


def dashed(name: dict) -> str:
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def usage(argument: dict) -> str:
    """Returns an argument as it is typed, in roff, without saying whether it can be left out."""
    value = f"\\fI{escaped(argument.get('valueName') or 'value')}\\fR"
    if argument["kind"] == "positional":
        return value
    names = argument.get("names") or [argument["preferredName"]]
    text = ", ".join(f"\\fB{escaped(dashed(name))}\\fR" for name in names)
    return text if argument["kind"] == "flag" else f"{text} {value}"


def synopsis(path: str, command: dict) -> Iterator[str]:
    yield f".B {escaped(path)}"
    for argument in shown(command.get("arguments")):
        text = usage(argument).split(", ")[-1]
        text += "..." if argument.get("isRepeating") else ""
        yield f"[{text}]" if argument.get("isOptional") else text
    if command.get("subcommands"):
        yield "\\fIcommand\\fR"


def details(argument: dict) -> Iterator[str]:
    yield ".TP"
    yield usage(argument)
    # An argument without a description still needs a line, or the next heading becomes its text.
    text = " ".join(filter(None, (argument.get("abstract"), argument.get("discussion"))))
    yield escaped(text) if text else "\\&"
    # The parser adds how a default value is written; the texts often say it already.
    if (value := argument.get("defaultValue")) and "Default:" not in text:
        yield f"Default: {escaped(value)}."
    if values := argument.get("allValues"):
        yield f"One of {escaped(', '.join(values))}."


def section(path: str, command: dict) -> Iterator[str]:
    """Returns one command with its options, then its subcommands."""
    yield f".SS {escaped(path)}"
    if text := command.get("abstract"):
        yield escaped(text)
    yield ".PP"
    yield from synopsis(path, command)
    if text := command.get("discussion"):
        yield ".PP"
        yield escaped(text)
    title = None
    for argument in shown(command.get("arguments")):
        if (found := argument.get("sectionTitle")) != title:
            title = found
            if title:
                yield ".PP"
                yield escaped(f"{title}:")
        yield from details(argument)
    for subcommand in shown(command.get("subcommands")):
        yield from section(f"{path} {subcommand['commandName']}", subcommand)


def page(help_text: str, version: str, time: int) -> str:
    """Returns the manual page for the output of `regimen --experimental-dump-help`."""
    try:
        command = json.loads(help_text)["command"]
    except (ValueError, KeyError, TypeError):
        raise Failure("The program's description of its commands is not readable JSON.") from None
    date = datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%d")
    abstract = escaped(command.get("abstract") or "reminds people to take their medicines").rstrip(".")
    parts = [HEAD.format(date=date, version=version, abstract=abstract[:1].lower() + abstract[1:]).rstrip("\n")]
    parts.append(".SH COMMANDS")
    for subcommand in shown(command.get("subcommands")):
        parts += section(f"regimen {subcommand['commandName']}", subcommand)
    return "\n".join(parts) + "\n" + TAIL
