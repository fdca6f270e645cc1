# SPDX-License-Identifier: Apache-2.0
"""Writes exports in the form of Apple Health, from a seed, of any size, and broken if asked for."""
import datetime
import random
import zipfile

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
<!ATTLIST Record
  type          CDATA #REQUIRED
  value         CDATA #IMPLIED
  sourceName    CDATA #REQUIRED
>
]>
<HealthData locale="nb_NO">
 <ExportDate value="2026-11-20 08:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1956-02-03"/>
"""
DEVICE = ("&lt;&lt;HKDevice: 0x28{0:07x}&gt;, name:Apple Watch, manufacturer:Apple Inc., "
          "model:Watch, hardware:Watch6,4, software:10.6&gt;")
WATCH = "Ann’s Apple Watch"
PHONE = "iPhone"


def stamp(moment):
    """Returns an instant in Apple's form, on the clock in Oslo without summer time."""
    local = moment + datetime.timedelta(hours=1)
    return local.strftime("%Y-%m-%d %H:%M:%S +0100")


def record(kind, unit, value, begin, end, source, device, children=""):
    """Returns one record, on one line unless it has entries."""
    text = (f' <Record type="HKQuantityTypeIdentifier{kind}" sourceName="{source}" '
            f'sourceVersion="10.6.1" device="{device}" unit="{unit}" creationDate="{stamp(end)}" '
            f'startDate="{stamp(begin)}" endDate="{stamp(end)}" value="{value}"')
    return text + (f">\n{children} </Record>\n" if children else "/>\n")


def motion(context):
    """Returns the entry for the person's activity."""
    return f'  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="{context}"/>\n'


def days(seed, count=None, until=datetime.datetime(2026, 11, 20)):
    """Yields the records of each day, the latest day last, for a number of days or without end."""
    chance = random.Random(seed)
    number = 0
    while count is None or number < count:
        day = until - datetime.timedelta(days=(count or 4000) - number)
        number += 1
        device = DEVICE.format(chance.randrange(1 << 28))
        resting = chance.gauss(61, 2)
        lines = []
        for minute in range(0, 1440, 6):
            at = day + datetime.timedelta(minutes=minute, seconds=chance.randrange(60))
            context = 2 if 480 < minute < 1200 and chance.random() < 0.3 else 1
            bpm = round(resting + (35 if context == 2 else 6) + chance.gauss(0, 5))
            lines.append(record("HeartRate", "count/min", max(bpm, 35), at, at, WATCH, device,
                                motion(context)))
        for minute in range(420, 1320, 10):
            at = day + datetime.timedelta(minutes=minute, seconds=chance.randrange(60))
            end = at + datetime.timedelta(seconds=chance.randrange(30, 300))
            lines.append(record("StepCount", "count", chance.randrange(5, 400), at, end,
                                WATCH if minute % 20 else PHONE, device))
            lines.append(record("ActiveEnergyBurned", "kcal", round(chance.random() * 9, 3), at,
                                end, WATCH, device))
        noon = day + datetime.timedelta(hours=20)
        lines.append(record("RestingHeartRate", "count/min", round(resting), day, noon, WATCH,
                            device))
        lines.append(record("WalkingHeartRateAverage", "count/min", round(resting + 38), day, noon,
                            WATCH, device))
        lines.append(record("BodyMass", "kg", round(chance.gauss(74, 0.3), 1), noon, noon, "Scale",
                            device))
        yield lines


def write(path, seed, megabytes, stem="eksport"):
    """Writes an archive with a number of megabytes of XML; returns the size of the XML in bytes."""
    written = 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open(f"apple_health_export/{stem}.xml", "w", force_zip64=True) as file:
            written += file.write(HEAD.encode())
            for lines in days(seed):
                written += file.write("".join(lines).encode())
                if written >= megabytes * 1_000_000:
                    break
            written += file.write(b"</HealthData>\n")
        archive.writestr("apple_health_export/export_cda.xml", "<ClinicalDocument/><Second/>")
    return written
