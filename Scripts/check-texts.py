#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Text for people comes from the catalogues: no words between tags or in accessible attributes."""
import re
import sys

from swift_source import Literal, split, swift_files

# Names that are the same in every language.
NAMES = {"Regimen", "FHIR", "HL7"}
ELEMENT = re.compile(r"</?[a-zA-Z][\w-]*[\s/>]|<!--")
UNSEEN = re.compile(r"<(script|style)\b[^>]*>.*?(</\1>|$)|<!--.*?(-->|$)|<!doctype[^>]*>", re.S | re.I)
TAG = re.compile(r"<[^<>]*>")
SPOKEN = re.compile(r"\b(?:placeholder|aria-label|title|alt|aria-description)=\\?\"([^\"\\]*)")
WORD = re.compile(r"[^\W\d_]{2,}")
ENTITY = re.compile(r"&#?\w+;")
ESCAPE = re.compile(r"\\.")


def words(text: str) -> list[str]:
    plain = ESCAPE.sub(" ", ENTITY.sub(" ", text)).replace("\ufffc", " ")
    return [word for word in WORD.findall(plain) if word not in NAMES]


def problems(name: str, literals: list[Literal]) -> list[str]:
    found = []
    for literal in literals:
        if not ELEMENT.search(literal.text):
            continue
        seen = UNSEEN.sub(" ", literal.text)
        spoken = [word for value in SPOKEN.findall(seen) for word in words(value)]
        # A literal may begin or end inside a tag: those parts are not text either.
        between = TAG.sub(" ", re.sub(r"<[^<>]*$", " ", re.sub(r"^[^<>]*>", " ", seen)))
        if loose := spoken + words(between):
            line = literal.line
            found.append(f"{name}:{line}: words in code, not in a catalogue: {' '.join(loose)}")
    return found


BAD = [
    'let a: Markup = "<p>Take it now</p>"', 'let a: Markup = "<h1>\\(title)</h1><p>Oops</p>"',
    'let a: Markup = """\n<button>\nSave\n</button>\n"""',
    'let a: Markup = "<input placeholder=\\"Your name\\">"',
    'let a: Markup = #"<a href="/" title="Home">\\#(x)</a>"#',
]
GOOD = [
    'let a: Markup = "<p>\\(text)</p>"', 'let a: Markup = "<p class=\\"due\\">\\(text) 08:00 &middot;</p>"',
    'let a = "SELECT a FROM b WHERE c < d"', 'let a: Markup = "<style>p { color: red }</style>"',
    'let a: Markup = "<strong>Regimen</strong>"', 'let a: Markup = "<input name=\\"dose\\" value=\\"\\(b)\\">"',
    'let a: Markup = "<!doctype html><html lang=\\"\\(b)\\">"',
]


def check_self() -> None:
    for sample in BAD:
        assert problems("sample", split(sample).literals), f"not found: {sample}"
    for sample in GOOD:
        found = problems("sample", split(sample).literals)
        assert not found, f"wrongly found: {found}"


def main() -> int:
    check_self()
    found: list[str] = []
    for path in swift_files("Sources"):
        found += problems(str(path), split(path.read_text(encoding="utf-8")).literals)
    print("\n".join(found), file=sys.stderr) if found else None
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
