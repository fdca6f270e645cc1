# SPDX-License-Identifier: Apache-2.0
"""Splits Swift source into code, comments and string literals, keeping line numbers.

It covers enough of the language for the checks here: nested block comments, plain, multi-line and raw
string literals, and interpolations, whose content is code again.
"""
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path


# All other code is kept unchanged.
MEANINGFUL = re.compile(r'[/"#()]')


@dataclass(frozen=True)
class Literal:
    """A string literal: its first line and its text, each interpolation shown as one U+FFFC."""

    line: int
    text: str


@dataclass(frozen=True)
class Parts:
    """`code` has the length and lines of the source, with comments and literal text blanked."""

    code: str
    literals: list[Literal]


def split(source: str) -> Parts:
    return _Splitter(source).run()


def swift_files(*folders: str) -> list[Path]:
    """Returns the tracked and the new (not ignored) Swift files under the folders."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders],
        check=True, capture_output=True, text=True,
    ).stdout.split("\0")
    return sorted(
        {Path(n) for n in names if n.endswith(".swift") and Path(n).is_file()}
    )


class _Splitter:
    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.code: list[str] = []
        self.literals: list[Literal] = []

    def run(self) -> Parts:
        self._code_until_end(closing=None)
        return Parts("".join(self.code), self.literals)

    def _keep(self, count: int = 1) -> None:
        self.code.append(self.source[self.position : self.position + count])
        self.position += count

    def _blank(self, count: int = 1) -> None:
        piece = self.source[self.position : self.position + count]
        self.code.append("".join(c if c == "\n" else " " for c in piece))
        self.position += len(piece)

    def _at(self, text: str) -> bool:
        return self.source.startswith(text, self.position)

    def _code_until_end(self, closing: str | None) -> None:
        """Reads code; with `closing` ")" stops after the bracket that ends an interpolation."""
        depth = 0
        while self.position < len(self.source):
            match = MEANINGFUL.search(self.source, self.position)
            plain = (match.start() if match else len(self.source)) - self.position
            if plain:
                self._keep(plain)
                continue
            character = self.source[self.position]
            if self._at("//"):
                end = self.source.find("\n", self.position)
                self._blank((end if end >= 0 else len(self.source)) - self.position)
            elif self._at("/*"):
                self._block_comment()
            elif character == '"' or (character == "#" and self._raw_quote()):
                self._literal()
            elif closing and character == ")" and depth == 0:
                self._keep()
                return
            else:
                depth += (character == "(") - (character == ")")
                self._keep()

    def _block_comment(self) -> None:
        depth = 0
        while self.position < len(self.source):
            if self._at("/*"):
                depth += 1
                self._blank(2)
            elif self._at("*/"):
                depth -= 1
                self._blank(2)
                if depth == 0:
                    return
            else:
                self._blank()

    def _raw_quote(self) -> bool:
        rest = self.source[self.position :]
        return rest.lstrip("#").startswith('"')

    def _literal(self) -> None:
        line = self.source.count("\n", 0, self.position) + 1
        hashes = 0
        while self._at("#"):
            hashes += 1
            self._keep()
        quote = '"""' if self._at('"""') else '"'
        self._keep(len(quote))
        ending, escape, text = quote + "#" * hashes, "\\" + "#" * hashes, []
        while self.position < len(self.source):
            if self._at(ending):
                self._keep(len(ending))
                break
            if quote == '"' and self._at("\n"):
                break  # not valid Swift: do not swallow the rest of the file
            if self._at(escape + "("):
                self._keep(len(escape) + 1)
                text.append("\ufffc")
                self._code_until_end(closing=")")
            elif self._at(escape):
                text.append(self.source[self.position : self.position + len(escape) + 1])
                self._blank(len(escape) + 1)
            else:
                text.append(self.source[self.position])
                self._blank()
        self.literals.append(Literal(line, "".join(text)))
