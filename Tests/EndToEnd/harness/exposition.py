# SPDX-License-Identifier: Apache-2.0
"""A strict reader of the Prometheus text format 0.0.4: anything that the format does not allow is an error."""
import math
import re
from dataclasses import dataclass, field

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"'
HELP = re.compile(rf"# HELP ({NAME}) ((?:[^\\\n]|\\[\\n])*)")
TYPE = re.compile(rf"# TYPE ({NAME}) (counter|gauge|histogram)")
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+)")
NUMBER = re.compile(r"[+-]Inf|NaN|-?\d+(\.\d+)?(e[+-]?\d+)?")
ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}

Labels = frozenset[tuple[str, str]]


@dataclass
class Family:
    """A metric with its values by suffix and labels."""

    name: str
    help: str
    kind: str = ""
    samples: dict[tuple[str, Labels], float] = field(default_factory=dict)

    def value(self, suffix: str = "", **labels: str) -> float:
        return self.samples[suffix, frozenset(labels.items())]

    def total(self, suffix: str = "", **labels: str) -> float:
        """Returns the sum of the values that have at least these labels."""
        asked = labels.items()
        return sum(v for (s, found), v in self.samples.items() if s == suffix and asked <= found)

    @property
    def labels(self) -> list[dict[str, str]]:
        return [dict(found) for _, found in self.samples]


def parse(text: str) -> dict[str, Family]:
    """Returns the metrics by name; fails on anything that is not allowed."""
    assert text.endswith("\n"), "the last line does not end"
    families: dict[str, Family] = {}
    current: Family | None = None
    for line in text[:-1].split("\n"):
        if match := HELP.fullmatch(line):
            assert match[1] not in families, f"described twice: {line}"
            current = families[match[1]] = Family(match[1], match[2])
        elif match := TYPE.fullmatch(line):
            assert current and current.name == match[1] and not current.kind, line
            assert not current.samples, f"the type comes after values: {line}"
            current.kind = match[2]
            assert (current.kind == "counter") == current.name.endswith("_total"), line
        else:
            assert current and current.kind, f"a value before its type: {line}"
            _sample(line, current)
    for family in families.values():
        assert family.samples, f"{family.name} has no value"
        if family.kind == "histogram":
            _check_buckets(family)
    return families


def _sample(line: str, family: Family) -> None:
    match = SAMPLE.fullmatch(line)
    assert match, f"no sample: {line!r}"
    name, labels, number = match[1], match[2] or "", match[match.re.groups]
    suffixes = ("_bucket", "_sum", "_count") if family.kind == "histogram" else ("",)
    suffix = name.removeprefix(family.name)
    assert name.startswith(family.name) and suffix in suffixes, f"not of {family.name}: {line}"
    assert NUMBER.fullmatch(number), f"no number: {line}"
    pairs = [(one[1], _unescaped(one[2])) for one in re.finditer(LABEL, labels)]
    assert len({label for label, _ in pairs}) == len(pairs), f"a label stands twice: {line}"
    key = (suffix, frozenset(pairs))
    assert key not in family.samples, f"a value stands twice: {line}"
    value = float(number.replace("Inf", "inf"))
    assert family.kind == "gauge" or suffix == "_sum" or value >= 0, line
    family.samples[key] = value


def _unescaped(text: str) -> str:
    return re.sub(r"\\.", lambda found: ESCAPES[found[0]], text)


def _check_buckets(family: Family) -> None:
    """Buckets are cumulative, and the last one is the count."""
    series: dict[Labels, list[tuple[float, float]]] = {}
    for (suffix, labels), value in family.samples.items():
        if suffix == "_bucket":
            bound = float(dict(labels)["le"].replace("Inf", "inf"))
            rest = frozenset(pair for pair in labels if pair[0] != "le")
            series.setdefault(rest, []).append((bound, value))
    for labels, buckets in series.items():
        bounds, counts = zip(*buckets)
        assert list(bounds) == sorted(set(bounds)), f"{family.name}: bounds are not in order"
        assert list(counts) == sorted(counts), f"{family.name}: buckets are not cumulative"
        assert bounds[-1] == math.inf, f"{family.name}: the last bucket is missing"
        assert counts[-1] == family.samples["_count", labels], f"{family.name}: another count"
        assert ("_sum", labels) in family.samples, f"{family.name}: no sum"
