// SPDX-License-Identifier: Apache-2.0

/// The meaning of the columns of a table.
package struct TableMapping: Sendable, Hashable {
  /// An answer: a column, or a text that applies to all rows.
  package enum Part: Sendable, Hashable {
    /// A column, counted from 0.
    case column(Int)
    case fixed(String)
  }

  /// The questions that a mapping answers, by the names that forms and commands use.
  package enum Question: String, Sendable, Hashable, CaseIterable, Error {
    case time, clock, value, metric, unit, zone, source

    /// True if the question must have an answer.
    package var isRequired: Bool { self == .time || self == .value || self == .metric }
    /// True if one text can answer the question for all rows.
    package var mayBeFixed: Bool { self != .time && self != .clock && self != .value }
  }

  private var parts: [Question: Part] = [:]

  /// Creates a mapping without answers.
  package init() {}

  /// The answer to a question; nil for none.
  package subscript(question: Question) -> Part? {
    get { parts[question] }
    set { parts[question] = newValue }
  }

  /// Returns the first question without a required answer or with an impossible one; nil if the
  /// mapping can be used.
  package func mistake(columns: Int) -> Question? {
    Question.allCases.first { question in
      switch parts[question] {
      case nil: question.isRequired
      case .column(let column)?: !(0..<columns).contains(column)
      case .fixed(let text)?:
        !question.mayBeFixed || text.isEmpty
          || (question == .metric && VitalKind.named(text) == nil)
      }
    }
  }

  /// Creates a mapping from answers as people type them: the name of a column, its number from 1, or `=` and
  /// a text for all rows.
  ///
  /// - Throws: the question whose answer is not a column of the table.
  package init(
    answers: [Question: String], header: [String]
  ) throws(Question) {
    for (question, answer) in answers where !answer.isEmpty {
      if answer.hasPrefix("=") {
        parts[question] = .fixed(String(answer.dropFirst()))
      } else if let place = header.firstIndex(where: { $0.lowercased() == answer.lowercased() }) {
        parts[question] = .column(place)
      } else if let number = Int(answer), (1...max(1, header.count)).contains(number) {
        parts[question] = .column(number - 1)
      } else {
        throw question
      }
    }
  }

  /// The answers as people type them: the number of a column from 1, or `=` and a text for all
  /// rows.
  package var answers: [Question: String] {
    parts.mapValues { part in
      switch part {
      case .column(let column): String(column + 1)
      case .fixed(let text): "=\(text)"
      }
    }
  }

  // MARK: Guessing

  /// Creates a mapping from the names of the columns; questions that they do not answer stay open.
  package init(guessedFrom header: [String]) {
    let plain = header.map { name in
      name.prefix { $0 != "(" && $0 != "[" }.lowercased().filter(\.isLetter)
    }
    for question in Question.allCases {
      guard let names = Self.names[question] else { continue }
      // The first known name counts, not the first column.
      let place = names.lazy.compactMap { plain.firstIndex(of: $0) }.first
      if let place, !parts.values.contains(.column(place)) { parts[question] = .column(place) }
    }
    let kinds = plain.map { VitalKind.named($0) }
    if parts[.value] == nil, kinds.count(where: { $0 != nil }) == 1 {
      parts[.value] = kinds.firstIndex { $0 != nil }.map { .column($0) }
    }
    guard case .column(let value)? = parts[.value] else { return }
    if parts[.metric] == nil, let kind = kinds[value] {
      parts[.metric] = .fixed(kind.rawValue)
    }
    // A unit may follow the name, as in `Weight (kg)`.
    if parts[.unit] == nil, let open = header[value].firstIndex(where: { "([".contains($0) }) {
      let unit = header[value][header[value].index(after: open)...].prefix {
        $0 != ")" && $0 != "]"
      }
      if !unit.isEmpty { parts[.unit] = .fixed(String(unit)) }
    }
  }

  private static let names: [Question: [String]] = [
    .time: [
      "timestamp", "datetime", "startdate", "starttime", "start", "date", "day", "datum", "dato",
      "tarih", "time",
    ],
    .clock: ["time", "uhrzeit", "zeit", "klokkeslett", "saat"],
    .value: ["value", "qty", "bpm", "avg", "wert", "verdi", "pulse", "puls"],
    .metric: ["metric", "type", "kind", "name"],
    .unit: ["unit", "units", "einheit", "enhet", "birim"],
    .zone: ["timezone", "zone", "offset", "utcoffset", "zeitzone", "tidssone"],
    .source: ["source", "sourcename", "device", "quelle", "kilde", "kaynak"],
  ]
}
