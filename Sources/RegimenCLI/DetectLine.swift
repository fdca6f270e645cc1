// SPDX-License-Identifier: Apache-2.0

import FHIR
import HeartRateMonitoring

/// One input line of `regimen detect`: a person's day.
struct DetectLine {
  /// The person of the day; 1 and "1" are two people.
  enum Person: Hashable {
    case number(Int)
    case text(String)

    /// The value as it is returned.
    var value: JSONValue {
      switch self {
      case .number(let number): .number(JSONNumber(number))
      case .text(let text): .string(text)
      }
    }
  }

  /// A mistake in a line.
  struct Fault: Error {
    let text: String
  }

  /// The range of valid day numbers.
  static let days = -1_000_000_000...1_000_000_000

  var person = Person.number(0)
  var day = 0
  /// If one of these is missing, the last given value counts.
  var agent: String?
  var slot: String?
  var dose: Double?
  var readings: [HeartRateReading] = []
  var steps: Int?
  var answer: HeartAnswer?

  init() {}

  /// Reads an object in any JSON spelling.
  init(_ value: JSONValue) throws(Fault) {
    person = try Self.person(value["p"])
    guard let day = value["d"]?.number?.integer, Self.days.contains(day) else {
      throw Fault(text: "\"d\" must be a whole number of days.")
    }
    self.day = day
    agent = try Self.text(value["agent"], "agent")
    slot = try Self.text(value["slot"], "slot")
    dose = try Self.number(value["dose"], "dose")
    if let dose, dose < 0 { throw Fault(text: "\"dose\" must not be below zero.") }
    if let steps = try Self.number(value["steps"], "steps") {
      guard steps >= 0 else { throw Fault(text: "\"steps\" must not be below zero.") }
      self.steps = Int(min(steps, 1e9))
    }
    answer = try Self.answer(Self.text(value["answer"], "answer"))
    readings = try Self.readings(value["readings"])
  }

  /// Returns an answer by its word.
  static func answer(_ word: String?) throws(Fault) -> HeartAnswer? {
    switch word {
    case nil: nil
    case "taken": .taken
    case "missed": .missed
    case "none": HeartAnswer.none
    default: throw Fault(text: "\"answer\" must be taken, missed or none.")
    }
  }

  private static func person(_ value: JSONValue?) throws(Fault) -> Person {
    if let number = value?.number?.integer { return .number(number) }
    if let text = value?.string { return .text(text) }
    throw Fault(text: "\"p\" must be a whole number or text.")
  }

  private static func text(_ value: JSONValue?, _ name: String) throws(Fault) -> String? {
    guard let value, !value.isNull else { return nil }
    guard let text = value.string else { throw Fault(text: "\"\(name)\" must be text.") }
    return text
  }

  private static func number(_ value: JSONValue?, _ name: String) throws(Fault) -> Double? {
    guard let value, !value.isNull else { return nil }
    guard let text = value.number?.text, let number = Double(text), number.isFinite else {
      throw Fault(text: "\"\(name)\" must be a number.")
    }
    return number
  }

  private static func readings(_ value: JSONValue?) throws(Fault) -> [HeartRateReading] {
    guard let value, !value.isNull else { return [] }
    guard let items = value.array else { throw Fault(text: "\"readings\" must be an array.") }
    var readings: [HeartRateReading] = []
    for (index, item) in items.enumerated() {
      guard let parts = item.array, parts.count == 2 || parts.count == 3 else {
        throw Fault(text: "\"readings\"[\(index)] must be [hour, bpm, source].")
      }
      guard let hour = try number(parts[0], "hour"), let bpm = try number(parts[1], "bpm") else {
        throw Fault(text: "\"readings\"[\(index)] needs an hour and a bpm.")
      }
      let source = parts.count == 3 ? try text(parts[2], "source") : nil
      readings.append(HeartRateReading(hour: hour, bpm: bpm, source: source ?? ""))
    }
    return readings
  }
}
