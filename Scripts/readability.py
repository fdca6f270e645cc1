#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how easily the texts of the catalogues can be read.

  readability.py                       the Flesch-Kincaid grade, the longest sentence and the number of words of `en`
  readability.py --language de nb      other languages; `--language all` takes every folder
  readability.py --against 4cdee76d    compares with the catalogues of a revision, and what changed since with how it was
  readability.py --longest 10          lists more of the longest sentences, with their keys

A placeholder counts as one short word. A plural is read with its branch `other`. A select is read once with each of its
branches, the other selects of the message staying at `other`; texts that come out alike count once for each key. A text
without a full stop is a sentence of its own, such as a button. The grade is made for English: in other languages compare
it only with itself, and in Thai, which has no spaces between words, nothing is measured but the number of texts.
"""
import argparse
import io
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = "Sources/Localization/Catalogues"
STAND_IN = "Ann"
NUMBER = "2"
UNMEASURED = {"th"}
LONG = 20
VOWELS = "aeiouyáàâãäåæéèêëíìîïıóòôõöøœúùûüý"
WORD = re.compile(r"\w[\w’'.,:-]*\w|\w")
SENTENCE_END = re.compile(r"(?<=[.!?…])[”’\"')»]*\s+")


class Reader:
    """Reads the subset of ICU MessageFormat that catalogues use, into texts and selects: branches by name."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def parts(self, in_plural: bool = False, nested: bool = False) -> list:
        found: list = []
        while self.at < len(self.text):
            sign = self.text[self.at]
            self.at += 1
            if sign == "{":
                found.append(self.argument(in_plural))
            elif sign == "}" and nested:
                return found
            elif sign == "#" and in_plural:
                found.append(NUMBER)
            elif sign == "'":
                found.append(self.quoted(in_plural))
            else:
                found.append(sign)
        return found

    def quoted(self, in_plural: bool) -> str:
        following = self.text[self.at:self.at + 1]
        if following == "'":
            self.at += 1
            return "'"
        if not following or following not in ("{}#" if in_plural else "{}"):
            return "'"
        end = self.text.find("'", self.at)
        end = len(self.text) if end < 0 else end
        quoted, self.at = self.text[self.at:end], end + 1
        return quoted

    def argument(self, in_plural: bool):
        head = re.compile(r"\s*([\w.-]+)\s*(?:,\s*(plural|select)\s*,)?").match(self.text, self.at)
        if not head:
            raise ValueError(f"no argument at {self.at}: {self.text}")
        self.at = head.end()
        kind, branches = head[2], {}
        while True:
            branch = re.compile(r"\s*(?:(\})|([^\s{}]+)\s*\{)").match(self.text, self.at)
            if not branch:
                raise ValueError(f"no branch at {self.at}: {self.text}")
            self.at = branch.end()
            if branch[1]:
                break
            branches[branch[2]] = self.parts(in_plural or kind == "plural", nested=True)
        if not kind:
            return STAND_IN
        return {"other": branches["other"]} if kind == "plural" else branches


def said(parts: list, taken: "dict[int, str]") -> str:
    """The text of a message, each select at the branch that was taken for it, else at `other`."""
    return "".join(
        part if isinstance(part, str) else said(part[taken.get(id(part), "other")], taken) for part in parts)


def choices(parts: list, outside: "dict[int, str] | None" = None) -> list:
    """Every way to take one branch, and the branches around it."""
    found = []
    for part in parts:
        if isinstance(part, dict):
            for name, branch in part.items():
                taken = {**(outside or {}), id(part): name}
                found += [taken, *choices(branch, taken)]
    return found


def variants(message: str) -> list[str]:
    """The different texts that a message can become, one select varied at a time."""
    parts = Reader(message).parts()
    texts = [said(parts, taken) for taken in [{}, *choices(parts)]]
    return [text for text in dict.fromkeys(" ".join(text.split()) for text in texts) if WORD.search(text)]


def messages(catalogue: str) -> dict[str, str]:
    found: dict[str, str] = {}
    key = ""
    for line in catalogue.split("\n"):
        if line[:1] in (" ", "\t") and key:
            found[key] = f"{found[key]} {line.strip()}"
        elif line and not line.startswith("#"):
            key, _, text = (part.strip() for part in line.partition("="))
            found[key] = text
    return found


def syllables(word: str) -> int:
    letters = re.sub(r"[^a-z" + VOWELS + "]", "", word.lower())
    groups = re.findall(f"[{VOWELS}]+", letters)
    count = len(groups)
    # A silent e: "dose", "times", "skipped"; not "table", "added".
    if re.search(r"[^aeiouy]e$", letters) and not re.search(r"[^aeiouy]le$", letters):
        count -= 1
    elif re.search(r"[^aeiouytd]ed$", letters) or re.search(r"[^aeiouylscgxz]es$", letters):
        count -= 1
    return max(count, 1)


class Sentence(NamedTuple):
    key: str
    text: str
    words: list[str]


class Figures(NamedTuple):
    texts: int
    sentences: list[Sentence]

    @property
    def words(self) -> int:
        return sum(len(sentence.words) for sentence in self.sentences)

    @staticmethod
    def grade_of(sentences: list[Sentence]) -> float:
        """The Flesch-Kincaid grade."""
        words = [word for sentence in sentences for word in sentence.words]
        if not words:
            return 0
        return 0.39 * len(words) / len(sentences) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59

    @property
    def grade(self) -> float:
        return self.grade_of(self.sentences)

    @property
    def full(self) -> list[Sentence]:
        """Sentences with a full stop, without labels and buttons."""
        return [sentence for sentence in self.sentences if re.search(r"[.!?][”’\"')»]*$", sentence.text)]

    @property
    def longest(self) -> list[Sentence]:
        return sorted(self.sentences, key=lambda sentence: -len(sentence.words))


def measure(catalogue: dict[str, str]) -> Figures:
    texts, sentences = 0, []
    for key, message in catalogue.items():
        for text in variants(message):
            texts += 1
            for sentence in SENTENCE_END.split(text):
                if words := WORD.findall(sentence):
                    sentences.append(Sentence(key, sentence, words))
    return Figures(texts, sentences)


def present(language: str) -> dict[str, str]:
    """The messages of a language by their keys."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / CATALOGUES / language).glob("*.messages")):
        found |= messages(path.read_text(encoding="utf-8"))
    return found


def of_revision(revision: str, language: str) -> dict[str, str]:
    archive = subprocess.run(
        ["git", "archive", revision, f"{CATALOGUES}/{language}"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    found: dict[str, str] = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            content = files.extractfile(member) if member.name.endswith(".messages") else None
            if content:
                found |= messages(content.read().decode("utf-8"))
    return found


def compared(language: str, revision: "str | None") -> dict[str, Figures]:
    """The figures by the name of their row; against a revision also those of the messages that changed alone."""
    now = present(language)
    if not revision:
        return {"": measure(now)}
    before = of_revision(revision, language)
    changed = [key for key in before if key in now and before[key] != now[key]]
    return {
        f" {revision[:10]}": measure(before), " now": measure(now),
        " changed, before": measure({key: before[key] for key in changed}),
        " changed, now": measure({key: now[key] for key in changed}),
    }


def row(name: str, language: str, figures: Figures) -> str:
    if language in UNMEASURED:
        return f"{name:<20}{figures.texts:>7}{'–':>8}{'–':>11}{'–':>8}{'–':>11}{'–':>10}{'–':>9}"
    over = sum(len(sentence.words) > LONG for sentence in figures.sentences)
    longest = len(figures.longest[0].words) if figures.sentences else 0
    return (f"{name:<20}{figures.texts:>7}{figures.words:>8}{len(figures.sentences):>11}{figures.grade:>8.1f}"
            f"{figures.grade_of(figures.full):>11.1f}{over:>10}{longest:>9}")


def check_self() -> None:
    assert variants("Due {times}") == ["Due Ann"]
    assert variants("{n, plural, one {# dose} other {# doses}}") == ["2 doses"]
    assert variants("{a, select, yes {Yes.} other {No.}} {b}") == ["No. Ann", "Yes. Ann"]
    assert variants("{a, select, x {{b, select, y {1} other {2}}} other {3}}") == ["3", "2", "1"]
    assert variants("It’s '{'here'}' and '' done") == ["It’s {here} and ' done"]
    assert messages("# a\nb.c = one\n  two\n") == {"b.c": "one two"}
    assert [syllables(word) for word in ("dose", "table", "medicine", "skipped", "added", "2")] == [1, 2, 3, 1, 2, 1]
    assert [len(sentence.words) for sentence in measure({"a.b": "Take it. At 8:00 or 1.5 h?"}).sentences] == [2, 5]


def main() -> int:
    check_self()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", nargs="+", default=["en"], metavar="LANGUAGE")
    parser.add_argument("--against", metavar="REV", help="a git revision to compare with")
    parser.add_argument("--longest", type=int, default=1, metavar="N", help="how many of the longest sentences to show")
    options = parser.parse_args()
    folders = sorted(path.name for path in (ROOT / CATALOGUES).iterdir() if path.is_dir())
    languages = folders if options.language == ["all"] else options.language
    if unknown := [language for language in languages if language not in folders]:
        parser.error(f"no catalogue of {', '.join(unknown)}")

    print(f"{'':<20}{'texts':>7}{'words':>8}{'sentences':>11}{'grade':>8}{'no labels':>11}{f'over {LONG}':>10}{'longest':>9}")
    for language in languages:
        figures = compared(language, options.against)
        for name, found in figures.items():
            print(row(language + name, language, found))
        for name, found in figures.items() if language not in UNMEASURED else ():
            for sentence in found.longest[:options.longest]:
                print(f"  {name.strip() or 'longest'}: {len(sentence.words)} words, {sentence.key}: {sentence.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
