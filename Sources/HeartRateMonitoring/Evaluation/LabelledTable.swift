// SPDX-License-Identifier: Apache-2.0

/// Labelled people as comma-separated values, one reading in a row.
///
/// The first row names the columns: `p`, `d` and `missed` are required, `agent`, `slot`, `dose`, `hour`, `bpm`,
/// `source`, `steps` and `answer` optional. Rows of one person's day follow each other, and a day without readings
/// has one row with an empty `bpm`.
public enum LabelledTable {
  /// A mistake in a row.
  public struct Fault: Error, Sendable, Hashable {
    /// The row, from 1 for the names of the columns.
    public let row: Int
    /// The description of the mistake.
    public let text: String
  }

  private static let columns = [
    "p", "d", "agent", "slot", "dose", "hour", "bpm", "source", "steps", "answer", "missed",
  ]

  /// Reads a table.
  public static func people(_ text: String) throws(Fault) -> [LabelledPerson] {
    var places: [String: Int] = [:]
    var people: [LabelledPerson] = []
    var indices: [String: Int] = [:]
    var row = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      row += 1
      if line.allSatisfy(\.isWhitespace) { continue }
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
      if places.isEmpty {
        places = try header(cells, row)
        continue
      }
      guard cells.count == places.count else {
        throw Fault(row: row, text: "has \(cells.count) cells instead of \(places.count).")
      }
      func cell(_ name: String) -> String? {
        places[name].flatMap { cells[$0].isEmpty ? nil : cells[$0] }
      }
      guard let name = cell("p") else { throw Fault(row: row, text: "\"p\" is empty.") }
      let index = indices[name] ?? people.count
      if index == people.count {
        indices[name] = index
        people.append(LabelledPerson(name: name))
      }
      try add(row, cell, to: &people[index])
    }
    if places.isEmpty { throw Fault(row: 1, text: "The table is empty.") }
    return people
  }

  private static func header(_ cells: [String], _ row: Int) throws(Fault) -> [String: Int] {
    var places: [String: Int] = [:]
    for (place, name) in cells.enumerated() {
      guard columns.contains(name), places[name] == nil else {
        throw Fault(row: row, text: "\"\(name)\" is no column, or comes twice.")
      }
      places[name] = place
    }
    for name in ["p", "d", "missed"] where places[name] == nil {
      throw Fault(row: row, text: "the column \"\(name)\" is missing.")
    }
    return places
  }

  /// Adds a row's reading to the person's last day, or begins a day.
  private static func add(
    _ row: Int, _ cell: (String) -> String?, to person: inout LabelledPerson
  ) throws(Fault) {
    guard let number = cell("d").flatMap({ Int($0) }), abs(number) <= 1_000_000_000 else {
      throw Fault(row: row, text: "\"d\" must be a whole number of days.")
    }
    if person.days.last?.day.day != number {
      if let last = person.days.last, number < last.day.day {
        throw Fault(row: row, text: "\"d\" must not be before \(last.day.day).")
      }
      person.days.append(try day(row, number, cell))
    }
    guard cell("bpm") != nil else { return }
    let index = person.days.count - 1
    person.days[index].day.readings.append(
      HeartRateReading(
        hour: try decimal(row, "hour", cell) ?? 12, bpm: try decimal(row, "bpm", cell) ?? 0,
        source: cell("source") ?? ""))
  }

  private static func day(
    _ row: Int, _ number: Int, _ cell: (String) -> String?
  ) throws(Fault) -> LabelledPerson.Day {
    let missed = cell("missed")
    guard missed == "1" || missed == "0" else {
      throw Fault(row: row, text: "\"missed\" must be 1 or 0.")
    }
    let steps = try decimal(row, "steps", cell)
    let dose = try decimal(row, "dose", cell) ?? 1
    let answer: HeartAnswer?
    switch cell("answer") {
    case nil: answer = nil
    case "taken": answer = .taken
    case "missed": answer = .missed
    case "none": answer = HeartAnswer.none
    default: throw Fault(row: row, text: "\"answer\" must be taken, missed or none.")
    }
    return LabelledPerson.Day(
      day: PatientDay(
        day: number, agent: BetaBlocker(name: cell("agent") ?? ""),
        slot: DosingSlot(name: cell("slot") ?? ""), dose: max(dose, 0), readings: [],
        steps: steps.map { Int(min(max($0, 0), 1e9)) }),
      answer: answer, isMissed: missed == "1")
  }

  private static func decimal(
    _ row: Int, _ name: String, _ cell: (String) -> String?
  ) throws(Fault) -> Double? {
    guard let text = cell(name) else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw Fault(row: row, text: "\"\(name)\" must be a number.")
    }
    return number
  }

  private static func trimmed(_ cell: Substring) -> String {
    let begin = cell.drop(while: \.isWhitespace)
    guard let last = begin.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(begin[...last])
  }
}
