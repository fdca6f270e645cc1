// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// A generator with a seed, so that a test draws the same dosages every time.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A dosage drawn by chance, with what every sentence of it must hold.
struct RandomDosage {
  var json: JSONValue = [:]
  /// Numbers that no language has a word of its own for.
  var numbers: [PlainNumber] = []
  var units: [(PlainNumber, DoseUnit)] = []
  var weekdays: [Int] = []
  var times: [String] = []
  var events: [String] = []
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
    json["doseAndRate"] = [["doseQuantity": quantity]]
    numbers.append(number)
    units.append((number, unit))
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
