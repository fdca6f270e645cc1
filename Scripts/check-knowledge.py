#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The content of Sources/Knowledge: every statement has a source and all languages, and no rules are
mixed.

For anyone who corrects a line: `Scripts/check-knowledge.py` needs no build and names file and line.
"""
import re
import sys
from pathlib import Path

FOLDER = Path("Sources/Knowledge/Catalogues")
LANGUAGES = ["en", "de", "nb", "th", "tr"]
SECTIONS = {"emergency", "symptoms", "home", "medicine", "do-not", "help", "storage"}
REGIONS = {"uk", "us", "th"}
# Names that only one region's rules may contain, whatever the language.
MARKS = {
    "uk": re.compile(r"\bNHS\b|\bUK\b|\b999\b|(?<![\d-])111(?![\d-])|\bNICE\b"),
    "us": re.compile(r"\bFDA\b|\bUSA?\b|\b911\b|1-800-|\bAAP\b"),
    "th": re.compile(r"\b1669\b|\b1367\b|0-2201-1083|Thailand|ประเทศไทย|Tayland"),
}
FREQUENCY_KEYS = {
    "names", "codes", "forms", "not-forms", "not-words", "from-mg", "below-mg", "from-iu", "doses", "days", "sources",
    "facts", "review",
}
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*(@(uk|us|th))?")
DAY = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
REVIEW = re.compile(rf"unreviewed|{DAY} \S.*")

Fault = tuple[int, str]
Block = tuple[int, str, dict[str, str], list[tuple[int, str]]]


def blocks(text: str, found: list[Fault]) -> list[Block]:
    result: list[Block] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            result.append((number, line[1:-1], {}, []))
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals or not result:
            found.append((number, "expected `key = text` under a [name]"))
        elif key == "row":
            result[-1][3].append((number, value))
        elif key in result[-1][2]:
            found.append((number, f"{key} stands twice"))
        else:
            result[-1][2][key] = value
    return result


def table(text: str) -> list[tuple[int, list[str]]]:
    lines = enumerate(text.split("\n"), 1)
    return [(n, line.split("\t")) for n, line in lines if line and not line.startswith("#")]


def sources_of(files: dict[str, str], found: dict[str, list[Fault]]) -> dict[str, tuple[str, str]]:
    """Returns each source's region (- for none) and whether it was read or only named."""
    result: dict[str, tuple[str, str]] = {}
    for number, cells in table(files.get("sources.table", "")):
        if len(cells) != 5 or cells[1] not in REGIONS | {"-"} or cells[2] not in {"read", "named"}:
            found["sources.table"].append((number, "expected id, region, read or named, name, links"))
        elif cells[0] in result:
            found["sources.table"].append((number, f"{cells[0]} stands twice"))
        else:
            result[cells[0]] = (cells[1], cells[2])
    for name, width, facts in (("medicines.table", 18, 17), ("interactions.table", 15, 13), ("allergies.table", 7, 6)):
        for number, cells in table(files.get(name, "")):
            if len(cells) != width or cells[facts] not in {"read", "named"}:
                found[name].append((number, f"expected {width} cells, read or named in the right one"))
            else:
                result[cells[0].upper()] = ("-", cells[facts])
    return result


def statement_faults(
    topic: str, block: Block, sources: dict[str, tuple[str, str]]
) -> list[Fault]:
    line, name, fields, _ = block
    found: list[str] = []
    region = fields.get("region", "")
    if not ID.fullmatch(name) or not name.startswith(topic + "."):
        found.append("not a valid id of this topic")
    if region not in REGIONS | {"all"}:
        found.append("no such region")
    if name.partition("@")[2] != ("" if region == "all" else region):
        found.append("the id must end in @ and its region, or have none")
    if fields.get("section") not in SECTIONS:
        found.append("no such section")
    if fields.get("facts") not in {"read", "named"}:
        found.append("facts must be read or named")
    if not REVIEW.fullmatch(fields.get("review", "")):
        found.append("review must be unreviewed, or a day and a name")
    for key, value in fields.items():
        if key.startswith("review.") and (
            key[7:] not in LANGUAGES[1:] or not REVIEW.fullmatch(value)
        ):
            found.append(f"{key} is not understood")
    cited = [part.strip() for part in fields.get("sources", "").split(",") if part.strip()]
    if not cited:
        found.append("no source")
    for source in cited:
        own, facts = sources.get(source, ("", ""))
        if not own:
            found.append(f"no source {source}")
        elif region != "all" and own not in {"-", region}:
            found.append(f"source {source} is of another region")
        if facts == "named" and fields.get("facts") == "read":
            found.append(f"says read, but {source} was not read")
    for language in LANGUAGES:
        text = fields.get(language, "")
        if not text:
            found.append(f"no text in {language}")
        for other, mark in MARKS.items():
            if other != region and (match := mark.search(text)):
                found.append(f"{language} names {match.group()}, which is of {other}")
    return [(line, f"{name}: {problem}") for problem in found]


def topic_faults(
    topic: str, text: str, sources: dict[str, tuple[str, str]]
) -> tuple[list[Fault], list[str]]:
    found: list[Fault] = []
    parts = blocks(text, found)
    if not parts or parts[0][1] != "topic":
        return found + [(1, "expected [topic] first")], []
    line, _, head, _ = parts[0]
    for key, pattern in (
        ("order", r"\d+"), ("audience", "children|adults|everyone"), ("compiled", DAY),
    ):
        if not re.fullmatch(pattern, head.get(key, "")):
            found.append((line, f"{key} is missing or not understood"))
    found += [(line, f"no title in {tag}") for tag in LANGUAGES if not head.get(tag)]
    seen: dict[str, set[str]] = {}
    for block in parts[1:]:
        found += statement_faults(topic, block, sources)
        stem, at, region = block[1].partition("@")
        if region in seen.setdefault(stem, set()):
            found.append((block[0], f"{block[1]} stands twice"))
        seen[stem].add(region)
        if "" in seen[stem] and len(seen[stem]) > 1:
            found.append((block[0], f"{stem}: for all regions and for one"))
    return found, [block[1] for block in parts[1:]]


def phrase_faults(files: dict[str, str]) -> dict[str, list[Fault]]:
    names = ["phrases.table", "medicines.table", "interactions.table", "allergies.table"]
    found: dict[str, list[Fault]] = {name: [] for name in names}
    known: set[str] = set()
    for number, cells in table(files.get("phrases.table", "")):
        if len(cells) != len(LANGUAGES) or not all(cell.strip() for cell in cells):
            found["phrases.table"].append((number, "expected a text in each language"))
        elif cells[0] in known:
            found["phrases.table"].append((number, f"{cells[0]} stands twice"))
        known.add(cells[0])
    for name, columns in (("medicines.table", [14, 15]), ("interactions.table", [2, 4, 8]), ("allergies.table", [1])):
        for number, cells in table(files.get(name, "")):
            for column in columns:
                whole = cells[column] if column < len(cells) else "-"
                parts = [whole] if column in {1, 2, 4} else whole.split(";")
                for phrase in (part.strip() for part in parts):
                    if phrase not in known | {"", "-"}:
                        found[name].append((number, f"not in phrases.table: {phrase}"))
    return found


def faults(files: dict[str, str]) -> list[str]:
    found: dict[str, list[Fault]] = {name: [] for name in files}
    sources = sources_of(files, found)
    statements: set[str] = set()
    for name, text in files.items():
        if name.startswith("topics/"):
            more, ids = topic_faults(Path(name).stem, text, sources)
            found[name] += more
            statements |= set(ids)
    for name, more in phrase_faults(files).items():
        found.setdefault(name, []).extend(more)
    for line, name, fields, rows in blocks(files.get("doses.table", ""), found.get("doses.table", [])):
        cited = re.findall(r"[A-Z]\d+[a-z]?", fields.get("sources", "") + "," + fields.get("day-sources", ""))
        for number, row in rows:
            cited += re.findall(r"sources=(\w+)", row)
            if not re.fullmatch(r"[\d.]+ (?:[\d.]+|-) [\d.]+ [\d.]+(?: [a-z-]+=\S+)*", row):
                found["doses.table"].append((number, f"row not understood: {row}"))
        if not rows or not fields.get("sources"):
            found["doses.table"].append((line, f"{name}: no rows or no source"))
        for source in cited:
            if sources.get(source, ("", ""))[0] not in {"-", fields.get("region")}:
                found["doses.table"].append((line, f"{name}: source {source} is unknown or of another region"))
    for line, name, fields, _ in blocks(files.get("contraindications.table", ""), found.get("contraindications.table", [])):
        if fields.get("statement") not in statements:
            found["contraindications.table"].append((line, f"{name}: no statement {fields.get('statement')}"))
    for line, name, fields, _ in blocks(files.get("frequencies.table", ""), found.get("frequencies.table", [])):
        missing = [key for key in ("names", "doses", "days", "sources", "facts", "review") if not fields.get(key)]
        unknown = [source.strip() for source in fields.get("sources", "").split(",") if source.strip() not in sources]
        unread = [source.strip() for source in fields.get("sources", "").split(",")
                  if fields.get("facts") == "read" and sources.get(source.strip(), ("", ""))[1] == "named"]
        strange = [key for key in fields if key not in FREQUENCY_KEYS] + [
            f"{key} = {fields[key]}" for key in ("doses", "days", "from-mg", "below-mg", "from-iu")
            if not re.fullmatch(r"\d+(\.\d+)?", fields.get(key, "1"))]
        for problem, values in (
            ("missing", missing), ("unknown sources", unknown), ("says read, but not read:", unread),
            ("not understood:", strange),
        ):
            if values:
                found["frequencies.table"].append((line, f"{name}: {problem} {', '.join(values)}"))
    return [f"{FOLDER / name}:{line}: {problem}" for name in sorted(found) for line, problem in found[name]]


HEAD = "[topic]\norder = 1\naudience = children\ncompiled = 2026-11-22\n" + "".join(
    f"{tag} = Title\n" for tag in LANGUAGES)
GOOD = "[x.a]\nsection = home\nregion = all\nsources = S1\nfacts = read\nreview = unreviewed\n" + "".join(
    f"{tag} = Drink water.\n" for tag in LANGUAGES)
SOURCE = "S1\t-\tread\tA book\t-\nS2\tth\tread\tA leaflet\t-\nN1\t-\tnamed\tA page\t-\n"
PLANTED: list[tuple[str, str, str]] = [
    ("sources = S1", "sources =", "no source"),
    ("sources = S1", "sources = S9", "no source S9"),
    ("sources = S1", "sources = N1", "was not read"),
    ("[x.a]", "[y.a]", "not a valid id"),
    ("[x.a]\nsection = home\nregion = all", "[x.a]\nsection = home\nregion = uk", "must end in @"),
    ("[x.a]\nsection = home\nregion = all\nsources = S1",
     "[x.a@uk]\nsection = home\nregion = uk\nsources = S2", "of another region"),
    ("th = Drink water.", "th =", "no text in th"),
    ("de = Drink water.", "de = Rufen Sie 999.", "names 999"),
    ("review = unreviewed", "review = fine", "review must be"),
    ("section = home", "section = kitchen", "no such section"),
    ("tr = Title", "tr =", "no title in tr"),
    ("tr = Drink water.", "tr = Drink water.\n" + GOOD, "stands twice"),
    ("tr = Drink water.", "tr = Drink water.\n" + GOOD.replace("x.a", "x.a@uk").replace("all", "uk"),
     "for all regions and for one"),
]


def check_self() -> None:
    """Every planted fault must be reported and no correct line, otherwise the check is worthless."""
    files = {"sources.table": SOURCE, "topics/x.topic": HEAD + GOOD}
    assert not faults(files), f"wrongly found: {faults(files)}"
    for old, new, complaint in PLANTED:
        assert old in HEAD + GOOD, old
        bad = files | {"topics/x.topic": (HEAD + GOOD).replace(old, new, 1)}
        assert any(complaint in line for line in faults(bad)), f"not found: {complaint}: {faults(bad)}"


def check_frequencies() -> None:
    """Does the same for the rules on the highest frequency of a medicine."""
    good = "[x]\nnames = x\ndoses = 1\ndays = 7\nsources = S1\nfacts = read\nreview = unreviewed\n"
    assert not faults({"sources.table": SOURCE, "frequencies.table": good})
    for old, new, complaint in [
        ("days = 7\n", "", "missing days"), ("= S1", "= S9", "unknown sources S9"), ("= S1", "= N1", "not read: N1"),
        ("days = 7", "days = 7\nfrom-mg = much", "from-mg = much"), ("days = 7", "days = 7\nbelow = 3", "below"),
    ]:
        bad = {"sources.table": SOURCE, "frequencies.table": good.replace(old, new, 1)}
        assert any(complaint in line for line in faults(bad)), f"not found: {complaint}: {faults(bad)}"


def main() -> int:
    check_self()
    check_frequencies()
    paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in {".topic", ".table"})
    found = faults({str(path.relative_to(FOLDER)): path.read_text(encoding="utf-8") for path in paths})
    print("\n".join(found), file=sys.stderr) if found else None
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
