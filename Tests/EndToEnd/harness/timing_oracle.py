# SPDX-License-Identifier: Apache-2.0
"""An independent implementation of the timing rules: dateutil's recurrences and zoneinfo's zones."""
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta
from dateutil.rrule import DAILY, rrule
from dateutil.tz import datetime_ambiguous, datetime_exists, resolve_imaginary

TIMES = {1: [(8, 0)], 2: [(8, 0), (20, 0)], 3: [(8, 0), (14, 0), (20, 0)],
         4: [(8, 0), (12, 0), (16, 0), (20, 0)]}
EVENTS = {"WAKE": 420, "CM": 450, "CD": 750, "CV": 1110, "HS": 1350, "MORN": 480, "NOON": 720,
          "AFT": 900, "EVE": 1140, "NIGHT": 1320}
WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def instant(wall: datetime, zone: ZoneInfo) -> datetime:
    """Rules 8 and 9: the end of a gap, the first of two equal times."""
    local = wall.replace(tzinfo=zone, fold=0)
    if datetime_exists(wall, zone):
        assert not datetime_ambiguous(wall, zone) or local.fold == 0
        return local.astimezone(timezone.utc)
    after = resolve_imaginary(local).replace(second=0)
    while True:  # Back to the first minute that exists.
        before = (after.astimezone(timezone.utc) - timedelta(minutes=1)).astimezone(zone)
        if before.replace(tzinfo=None) < wall:
            return after.astimezone(timezone.utc)
        after = before


def minutes_of_day(repeat: dict) -> list[int]:
    """Minutes from midnight of the nominal date (rules 6, 12, 20 to 23)."""
    if "timeOfDay" in repeat:
        return [int(t[:2]) * 60 + int(t[3:5]) for t in repeat["timeOfDay"]]
    if "when" in repeat:
        offset = repeat.get("offset")
        found = []
        for code in repeat["when"]:
            if code[:2] in ("AC", "PC"):
                meal = EVENTS["C" + code[2]]
                found.append(meal + (1 if code[0] == "P" else -1) * (30 if offset is None else offset))
            else:
                found.append(EVENTS[code] + (-1 if code == "HS" else 1) * (offset or 0))
        return found
    daily = repeat.get("periodUnit", "d") == "d" and repeat.get("period", 1) == 1
    count = repeat.get("frequency", 1) if daily else 1
    return [h * 60 + m for h, m in TIMES[count]]


def nominal_dates(repeat: dict, first: date, last: date) -> list[date]:
    period, unit = repeat.get("period", 1), repeat.get("periodUnit", "d")
    start = datetime.combine(first, time())
    until = datetime.combine(last, time())
    listed = [WEEKDAYS.index(day) for day in repeat.get("dayOfWeek", [])]
    if unit == "d":
        days = {d.date() for d in rrule(DAILY, interval=period, dtstart=start, until=until)}
        if repeat.get("frequency", 1) > 1 and period > 1 and not {"timeOfDay", "when"} & repeat.keys():
            count = repeat["frequency"]
            days = {d + timedelta(days=i * period // count) for d in days for i in range(count)}
    elif unit == "wk" and listed:
        monday = first - timedelta(days=first.weekday())
        days = {d.date() for d in rrule(DAILY, dtstart=start, until=until, byweekday=listed)
                if (d.date() - monday).days // 7 % period == 0}
    elif unit == "wk":
        days = {d.date() for d in rrule(DAILY, interval=7 * period, dtstart=start, until=until)}
        count = repeat.get("frequency", 1)
        if not {"timeOfDay", "when"} & repeat.keys():
            days = {d + timedelta(days=i * 7 * period // count) for d in days for i in range(count)}
    else:
        step = relativedelta(months=period) if unit == "mo" else relativedelta(years=period)
        days, k = set(), 0
        while (day := first + step * k) <= last:
            days.add(day)
            k += 1
    if unit != "wk" and listed:
        days = {d for d in days if d.weekday() in listed}
    return sorted(d for d in days if d <= last)


def skipped(day: date, zone: ZoneInfo) -> bool:
    """Rule 11: noon of a date that the zone skipped belongs to another date."""
    noon = datetime.combine(day, time(12), tzinfo=zone)
    return noon.astimezone(timezone.utc).astimezone(zone).date() != day


def expand(question: dict) -> list[str]:
    zone = ZoneInfo(question["tz"])
    repeat = question["timing"]["repeat"]
    begin, end = (
        instant(datetime.fromisoformat(question[name]), zone) for name in ("start", "end"))
    anchor = date.fromisoformat(repeat.get("boundsPeriod", {}).get("start", question["start"]))
    first = instant(datetime.combine(anchor, time()), zone)
    last = (end + timedelta(days=3)).date()
    if repeat.get("periodUnit") in ("h", "min"):
        unit = timedelta(hours=1) if repeat["periodUnit"] == "h" else timedelta(minutes=1)
        every = unit * repeat["period"] / repeat.get("frequency", 1)
        found = [first + every * k for k in range(int((end - first) / every) + 2)]
    else:
        found = sorted({
            instant(datetime.combine(day, time()) + timedelta(minutes=minutes), zone)
            for day in nominal_dates(repeat, anchor, last) if not skipped(day, zone)
            for minutes in minutes_of_day(repeat)
        })
    found = [one for one in found if one >= first]
    if "end" in repeat.get("boundsPeriod", {}):
        stop = date.fromisoformat(repeat["boundsPeriod"]["end"]) + timedelta(days=1)
        found = [one for one in found if one < instant(datetime.combine(stop, time()), zone)]
    if "count" in repeat:
        found = found[: repeat["count"]]
    return [one.astimezone(zone).isoformat(timespec="seconds") for one in found if begin <= one < end]
