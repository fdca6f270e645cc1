// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Localization
import People
import Scheduling
import Storage

extension PlanDraft {
  /// The system of the form codes of medicines that people typed.
  static let formSystem = "urn:regimen:medicine-form"
  static let unitSystem = "http://unitsofmeasure.org"

  /// Returns the MedicationRequest of the draft.
  ///
  /// An existing one keeps everything that the form does not know: its intent, the route, and its
  /// codes if name, form and strength are unchanged.
  package func medicationRequest(
    patient: PatientID, authoredOn: Timestamp?, zone: Zone, replacing existing: JSONValue?
  ) -> JSONValue {
    var request = existing ?? ["resourceType": "MedicationRequest"]
    request["status"] = "active"
    if request["intent"] == nil { request["intent"] = "plan" }
    let before = existing.map { MedicineDetails(MedicationRequestView($0)) }
    let details = MedicineDetails(self)
    if before != details { details.write(into: &request) }
    request["subject"] = request["subject"] ?? ["reference": .string("Patient/\(patient)")]
    if let authoredOn, request["authoredOn"] == nil {
      let offset = zone.offsetSeconds(at: Instant(authoredOn)) / 60
      request["authoredOn"] = .string(
        FHIRDateTime.instantText(
          milliseconds: authoredOn.milliseconds, offsetMinutes: offset))
    }
    MissedDoseAdvice.write(schedule.isAsNeeded ? nil : missedDoseAdvice, into: &request)
    ContraindicationNote.write(contraindicationNotes, into: &request)
    let old = existing?["dosageInstruction"]?.array ?? []
    let parts = parts(zone: zone)
    request["dosageInstruction"] = .array(
      parts.enumerated().map { index, part in
        dosage(part, replacing: old.count == parts.count ? old[index] : old.first)
      })
    return request
  }

  /// Returns the doses of the draft, with slots numbered from 1; nil if it cannot be read.
  func timeline(zone: Zone, rhythm: DailyRhythm) -> PlanTimeline? {
    let request = medicationRequest(
      patient: .draft, authoredOn: nil, zone: zone, replacing: nil)
    let anchor = PlanAnchor(instant: zone.startOfDay(start), date: start, zone: zone)
    let reading = TimingReader.read(MedicationRequestView(request), anchor: anchor, zone: zone)
    guard case .rules(let rules) = reading else { return nil }
    let slots = SlotAssignment.assign(
      rules, existing: [], highest: 0, named: [:], pairsInOrder: false
    ).slots
    return PlanTimeline(rules: rules, slots: slots, zone: zone, rhythm: rhythm)
  }

  private func dosage(_ part: DosagePart, replacing old: JSONValue?) -> JSONValue {
    var dosage = old ?? .object(JSONObject())
    var rate = old?["doseAndRate"]?[0] ?? .object(JSONObject())
    let mix = (part.amount ?? mix).flatMap { DoseMix(typed: $0) }
    let quantity =
      part.isPlacebo
      ? Self.quantity("1", unit: Self.placeboUnit, code: Self.placeboCode)
      : quantity(mix?.total ?? part.amount ?? doseValue, replacing: rate["doseQuantity"])
    let before = dosage
    for element in ["asNeededBoolean", "_asNeededBoolean", "asNeededCodeableConcept", "sequence"] {
      dosage[element] = nil
    }
    if case .asNeeded(let reason) = schedule {
      let words = DraftText.trimmed(reason ?? "")
      if words.isEmpty {
        dosage["asNeededBoolean"] = true
      } else if old.map(DosageView.init)?.asNeededReason == words {
        dosage["asNeededCodeableConcept"] = old?["asNeededCodeableConcept"]
      } else {
        dosage["asNeededCodeableConcept"] = ["text": .string(words)]
      }
    }
    limits.write(into: &dosage, unit: doseUnit, isAsNeeded: schedule.isAsNeeded)
    FoodInstruction.write(food, into: &dosage)
    write([part.pattern, mix.map(mixElement)].compactMap(\.self), into: &dosage)
    dosage["sequence"] = part.sequence.map { JSONValue($0) }
    dosage["timing"] = part.timing
    // Keep the sender's text only if what it describes is unchanged.
    let isSame =
      rate["doseQuantity"] == quantity
      && [
        "timing", "asNeededBoolean", "asNeededCodeableConcept", "maxDosePerPeriod", "extension",
        "additionalInstruction",
      ].allSatisfy { before[$0] == dosage[$0] }
    if !isSame {
      dosage["text"] = nil
      dosage["_text"] = nil
    }
    let words = DraftText.trimmed(instruction ?? "")
    dosage["patientInstruction"] = words.isEmpty ? nil : .string(words)
    rate["doseRange"] = nil
    rate["doseQuantity"] = quantity
    dosage["doseAndRate"] = .array([rate] + (old?["doseAndRate"]?.array ?? []).dropFirst())
    return dosage
  }

  /// Writes our extensions in place of earlier ones.
  private func write(_ patterns: [JSONValue], into dosage: inout JSONValue) {
    let own = Set(DosageExtension.allCases.filter { $0 != .limits }.map(\.rawValue))
    let others = (dosage["extension"]?.array ?? []).filter {
      !own.contains($0["url"]?.string ?? "")
    }
    let all = others + patterns
    dosage["extension"] = all.isEmpty ? nil : .array(all)
  }

  private func mixElement(_ mix: DoseMix) -> JSONValue {
    mix.element(unit: doseUnit, code: DoseUnit(rawValue: doseUnit)?.ucumCode)
  }

  /// Returns the dose; keeps the old element if its meaning is unchanged, since text and code are the
  /// sender's.
  private func quantity(_ typed: String, replacing old: JSONValue?) -> JSONValue {
    let unit = DoseUnit(rawValue: doseUnit)
    let value = DraftText.decimal(typed) ?? "0"
    if let old {
      let view = QuantityView(old)
      let isSame =
        view.valueText == value && unit != nil
        && DoseUnit(code: view.code, text: view.unit) == unit
      if isSame { return old }
    }
    return Self.quantity(value, unit: doseUnit, code: unit?.ucumCode)
  }

  static func quantity(_ value: String, unit: String, code: String?) -> JSONValue {
    var quantity: JSONValue = [:]
    quantity["value"] = JSONNumber(text: value).map { .number($0) }
    quantity["unit"] = .string(unit)
    if let code {
      quantity["system"] = .string(unitSystem)
      quantity["code"] = .string(code)
    }
    return quantity
  }

  /// Returns one Dosage, or several if parts differ in elements that FHIR states per Dosage.
  private func parts(zone: Zone) -> [DosagePart] {
    switch schedule {
    case .times(let times, let weekdays):
      [DosagePart(timing: clock(times, everyDays: 1, weekdays: weekdays))]
    case .everyDays(let days, let times):
      [DosagePart(timing: clock(times, everyDays: days, weekdays: Set(Weekday.allCases)))]
    case .everyHours(let hours, let first):
      [DosagePart(timing: elapsed(hours, first: first, zone: zone))]
    case .meals(let meals, let weekdays):
      Self.groups(meals).map { group in
        var content = repeatElement(weekdays: weekdays)
        content["when"] = .array(group.map { .string($0.event.code) })
        if let offset = group.first?.offsetMinutes { content["offset"] = JSONValue(offset) }
        return DosagePart(timing: ["repeat": content])
      }
    case .asNeeded: [DosagePart(timing: whenNeeded)]
    case .cycle(let cycle): parts(of: cycle)
    case .steps(let steps): parts(of: steps)
    case .varying(let entries): parts(of: entries)
    case .spread(let spread): [part(of: spread)]
    case .afterIntake(let interval):
      [
        DosagePart(
          timing: elapsed(interval.hours, first: interval.first, zone: zone),
          pattern: AfterIntake(waking: interval.waking).element)
      ]
    }
  }

  /// The Timing of an as-needed dosage, which states limits: the gap, or else the number of times a day
  /// (timing rule 31).
  private var whenNeeded: JSONValue {
    var content = repeatElement(weekdays: [])
    if let gap = limits.gapHours {
      content["frequency"] = 1
      content["period"] = JSONValue(gap)
      content["periodUnit"] = "h"
    } else if let count = limits.count {
      content["frequency"] = JSONValue(count)
      content["period"] = 1
      content["periodUnit"] = "d"
    }
    return ["repeat": content]
  }

  private func clock(_ times: [DraftTime], everyDays: Int, weekdays: Set<Weekday>) -> JSONValue {
    var content = repeatElement(weekdays: weekdays)
    content["frequency"] = JSONValue(max(times.count, 1))
    content["period"] = JSONValue(everyDays)
    content["periodUnit"] = "d"
    content["timeOfDay"] = .array(times.map(\.time).sorted().map { .string($0.text) })
    return ["repeat": content]
  }

  private func elapsed(_ hours: Int, first: ClockTime, zone: Zone) -> JSONValue {
    let instant = zone.instant(of: start, at: first)?.instant ?? zone.startOfDay(start)
    var content = repeatElement(weekdays: [])
    content["boundsPeriod"]?["start"] = .string(
      FHIRDateTime.instantText(
        milliseconds: instant.milliseconds,
        offsetMinutes: zone.offsetSeconds(at: instant) / 60))
    content["frequency"] = 1
    content["period"] = JSONValue(hours)
    content["periodUnit"] = "h"
    return ["repeat": content]
  }

  /// Returns the bounds, and the weekdays unless all are included.
  func repeatElement(weekdays: Set<Weekday>) -> JSONValue {
    var bounds: JSONValue = ["start": .string(start.text)]
    if let end { bounds["end"] = .string(end.text) }
    var content: JSONValue = ["boundsPeriod": bounds]
    if !weekdays.isEmpty && weekdays.count < 7 {
      let codes = Weekday.allCases.filter(weekdays.contains).map(\.code)
      content["dayOfWeek"] = .array(codes.map { .string($0) })
    }
    return content
  }

  private static func groups(_ meals: [DraftMeal]) -> [[DraftMeal]] {
    var groups: [[DraftMeal]] = []
    for meal in meals {
      if let index = groups.firstIndex(where: { $0[0].offsetMinutes == meal.offsetMinutes }) {
        groups[index].append(meal)
      } else {
        groups.append([meal])
      }
    }
    return groups
  }
}

extension JSONValue {
  fileprivate init(_ number: Int) { self = .number(JSONNumber(number)) }
}
