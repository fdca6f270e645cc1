// SPDX-License-Identifier: Apache-2.0

// The counts of the chart, from FHIR resources: pure functions without a clock.

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Returns a local day as `2026-03-01`. */
export function dayKey(date) {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0")).join("-");
}

/** Returns the last days up to a moment, oldest first, as the starts of local days. */
export function lastDays(count, now) {
  return Array.from({ length: count }, (_, index) => {
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - index));
  });
}

/** Returns the number of whole days from one start of a day to another; a change of the clock does not matter. */
function daysBetween(first, second) {
  return Math.round((second - first) / 86_400_000);
}

/** Returns the start of the local day of a FHIR date or time; null for none. */
function startOfDay(text) {
  if (!text) return null;
  // A date without a time is a local day, not midnight in London.
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const date = year ? new Date(Number(year), Number(month) - 1, Number(day)) : new Date(text);
  if (Number.isNaN(date.getTime())) return null;
  return new Date(date.getFullYear(), date.getMonth(), date.getDate());
}

/** Returns the doses that a dosage asks for on a day, before a moment; null if this app cannot tell. */
function plannedBy(dosage, start, day, now) {
  if (dosage.asNeededBoolean || dosage.asNeededCodeableConcept) return 0;
  const isToday = dayKey(day) === dayKey(now);
  if (dosage.timing?.event) {
    return dosage.timing.event.filter((event) => {
      return dayKey(new Date(event)) === dayKey(day) && new Date(event) <= now;
    }).length;
  }
  const repeat = dosage.timing?.repeat;
  if (!repeat || repeat.count || repeat.boundsDuration || repeat.boundsRange) return null;
  const first = startOfDay(repeat.boundsPeriod?.start) ?? start;
  const last = startOfDay(repeat.boundsPeriod?.end);
  if (day < first || (last && day > last)) return 0;
  if (repeat.dayOfWeek && !repeat.dayOfWeek.includes(WEEKDAYS[day.getDay()])) return 0;
  const period = repeat.period ?? 1;
  const unit = repeat.periodUnit ?? "d";
  const length = { d: 1, wk: 7 }[unit];
  if (!repeat.dayOfWeek && length && Number.isInteger(period)) {
    if (daysBetween(first, day) % (period * length) !== 0) return 0;
  } else if (!repeat.dayOfWeek && unit !== "h") {
    return null;
  }
  if (repeat.timeOfDay) {
    const clock = now.toTimeString().slice(0, 8);
    return repeat.timeOfDay.filter((time) => !isToday || time <= clock).length;
  }
  if (repeat.when) return repeat.when.length;
  const frequency = repeat.frequency ?? 1;
  if (unit === "h") return Math.floor(24 / period) * frequency;
  return repeat.dayOfWeek && unit === "wk" ? 1 : frequency;
}

function medicineName(request) {
  const concept = request.medicationCodeableConcept;
  return concept?.text ?? concept?.coding?.[0]?.display ?? request.medicationReference?.display ?? "a medicine";
}

/**
 * Counts planned, taken and skipped doses by day.
 *
 * Only administrations of a scheduled request count, so that medicines taken as needed do not change the rate.
 */
export function adherence(requests, administrations, count, now) {
  const days = lastDays(count, now).map((date) => ({ date, planned: 0, taken: 0, skipped: 0 }));
  const byKey = new Map(days.map((day) => [dayKey(day.date), day]));
  const unknown = new Set();
  const scheduled = new Set();
  const ofRequest = Map.groupBy
    ? Map.groupBy(administrations, (one) => one.request?.reference ?? "")
    : administrations.reduce((groups, one) => {
      const key = one.request?.reference ?? "";
      return groups.set(key, [...(groups.get(key) ?? []), one]);
    }, new Map());
  for (const request of requests.filter((one) => one.status === "active")) {
    const reference = `MedicationRequest/${request.id}`;
    const given = (ofRequest.get(reference) ?? []).map((one) => startOfDay(time(one))).filter(Boolean);
    const start = startOfDay(request.authoredOn) ?? given.sort((a, b) => a - b)[0] ?? startOfDay(now.toISOString());
    const plans = request.dosageInstruction ?? [];
    const counts = days.map((day) => plans.map((dosage) => plannedBy(dosage, start, day.date, now)));
    if (plans.length === 0 || counts.flat().includes(null)) {
      unknown.add(medicineName(request));
      continue;
    }
    if (plans.every((dosage) => dosage.asNeededBoolean || dosage.asNeededCodeableConcept)) continue;
    scheduled.add(reference);
    counts.forEach((numbers, index) => {
      days[index].planned += numbers.reduce((sum, number) => sum + number, 0);
    });
  }
  for (const one of administrations) {
    const start = startOfDay(time(one));
    const day = start && byKey.get(dayKey(start));
    if (!day || !scheduled.has(one.request?.reference)) continue;
    if (one.status === "completed") day.taken += 1;
    if (one.status === "not-done") day.skipped += 1;
  }
  const planned = days.reduce((sum, day) => sum + day.planned, 0);
  // A dose more than planned on one day does not make up for a missed one on another.
  const taken = days.reduce((sum, day) => sum + Math.min(day.taken, day.planned), 0);
  return {
    days, planned, taken, percent: planned > 0 ? Math.round((taken / planned) * 100) : null,
    unknown: [...unknown].sort(),
  };
}

function time(administration) {
  return administration.effectiveDateTime ?? administration.effectivePeriod?.start;
}
