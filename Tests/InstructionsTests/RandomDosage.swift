// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Localization
import TestSupport

/// A random dosage, with everything that its sentences must contain.
struct RandomDosage {
  var json: JSONValue = [:]
  /// Numbers that have no word of their own in any language.
  var numbers: [PlainNumber] = []
  var units: [(PlainNumber, DoseUnit)] = []
  var weekdays: [Int] = []
  var times: [String] = []
  var events: [String] = []
  /// The minutes from the events, if an offset is stated.
  var offset: Int?
  var reasons: [String] = []

  private static let units: [DoseUnit] = [
    .tablet, .capsule, .drop, .milliliter, .milligram, .microgram, .gram, .unit, .puff, .sachet,
    .suppository, .ampoule, .lozenge,
  ]
  private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let whens = ["MORN", "NOON", "EVE", "HS", "ACM", "PCV", "CD"]
  private static let causes = [
    ("22253000", "pain"), ("386661006", "fever"), ("422587007", "nausea"), ("49727002", "cough"),
    ("418290006", "itching"), ("62315008", "diarrhea"), ("404640003", "dizziness"),
  ]
  private static let routes = ["26643006", "34206005", "47625008", "447694001", "6064005"]

  init(_ draw: inout SeededGenerator) {
    drawDose(&draw)
    drawTiming(&draw)
    if Bool.random(using: &draw), let cause = Self.causes.randomElement(using: &draw) {
      json["asNeededCodeableConcept"] = ["coding": [["code": .string(cause.0)]]]
      reasons.append(cause.1)
    }
    if Bool.random(using: &draw), let route = Self.routes.randomElement(using: &draw) {
      json["route"] = ["coding": [["code": .string(route)]]]
    }
    if Bool.random(using: &draw) {
      let (most, hours) = (
        Int.random(in: 61...99, using: &draw), Int.random(in: 3...72, using: &draw)
      )
      json["maxDosePerPeriod"] = [
        "numerator": ["value": .number(JSONNumber(most)), "code": "mg"],
        "denominator": ["value": .number(JSONNumber(hours)), "code": "h"],
      ]
      numbers += [PlainNumber(most), PlainNumber(hours)]
    }
  }

  private mutating func drawDose(_ draw: inout SeededGenerator) {
    guard let unit = Self.units.randomElement(using: &draw) else { return }
    let whole = Int.random(in: 3...60, using: &draw)
    let text =
      Bool.random(using: &draw) ? "\(whole)" : "\(whole).\(Int.random(in: 1...9, using: &draw))"
    guard let value = JSONNumber(text: text), let number = PlainNumber(text: text) else { return }
    let quantity: JSONValue = ["value": .number(value), "code": .string(unit.ucumCode)]
    var entry: JSONValue = ["doseQuantity": quantity]
    if Int.random(in: 0..<3, using: &draw) == 0 {
      let high = whole + Int.random(in: 2...9, using: &draw)
      entry = [
        "doseRange": [
          "low": quantity,
          "high": ["value": .number(JSONNumber(high)), "code": .string(unit.ucumCode)],
        ]
      ]
      units.append((PlainNumber(high), unit))
    } else {
      units.append((number, unit))
    }
    if Int.random(in: 0..<4, using: &draw) == 0 {
      let rate = Int.random(in: 101...199, using: &draw)
      entry["rateQuantity"] = ["value": .number(JSONNumber(rate)), "code": "mL/h"]
      numbers.append(PlainNumber(rate))
    }
    json["doseAndRate"] = [entry]
    numbers.append(number)
  }

  private mutating func drawTiming(_ draw: inout SeededGenerator) {
    var recurrence: JSONValue = [:]
    switch Int.random(in: 0..<4, using: &draw) {
    case 0:
      let (times, period) = (
        Int.random(in: 3...9, using: &draw), Int.random(in: 3...28, using: &draw)
      )
      recurrence["frequency"] = .number(JSONNumber(times))
      recurrence["period"] = .number(JSONNumber(period))
      recurrence["periodUnit"] = ["h", "d", "wk", "mo"].randomElement(using: &draw) ?? "d"
      numbers += [PlainNumber(times), PlainNumber(period)]
    case 1:
      weekdays = Array(1...7).shuffled(using: &draw).prefix(3).sorted()
      times = (0..<2).map { _ in
        let hour = Int.random(in: 10...23, using: &draw)
        return "\(hour):\(Int.random(in: 10...59, using: &draw))"
      }
      recurrence["dayOfWeek"] = .array(weekdays.map { .string(Self.days[$0 - 1]) })
      recurrence["timeOfDay"] = .array(times.map { .string($0 + ":00") })
    case 2:
      events = Array(Self.whens.shuffled(using: &draw).prefix(2))
      recurrence["when"] = .array(events.map { .string($0) })
      if Bool.random(using: &draw), events.allSatisfy(["HS", "ACM", "PCV"].contains) {
        let minutes = Int.random(in: 5...55, using: &draw)
        recurrence["offset"] = .number(JSONNumber(minutes))
        offset = minutes
      }
    default:
      let low = Int.random(in: 3...5, using: &draw)
      let high = low + Int.random(in: 1...9, using: &draw)
      recurrence["frequency"] = .number(JSONNumber(low))
      recurrence["frequencyMax"] = .number(JSONNumber(high))
      recurrence["period"] = 1
      recurrence["periodUnit"] = "d"
      numbers += [PlainNumber(low), PlainNumber(high)]
    }
    if Bool.random(using: &draw) {
      let days = Int.random(in: 3...90, using: &draw)
      recurrence["boundsDuration"] = ["value": .number(JSONNumber(days)), "code": "d"]
      numbers.append(PlainNumber(days))
    }
    if Bool.random(using: &draw) {
      let count = Int.random(in: 100...400, using: &draw)
      recurrence["count"] = .number(JSONNumber(count))
      numbers.append(PlainNumber(count))
    }
    json["timing"] = ["repeat": recurrence]
  }
}
