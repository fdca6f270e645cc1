// SPDX-License-Identifier: Apache-2.0

import Localization
import Scheduling
import Web

/// The period of a report, as chosen or typed.
struct ReportPeriod: Sendable, Hashable {
  /// The lengths to choose with one tap, in days that end today.
  static let lengths = [7, 30, 90, 365]
  static let usual = 30
  /// The longest period: ten years.
  static let longest = 3_660

  enum Mistake: Sendable, Hashable {
    case dates(HistoryInput.Mistake)
    case long

    var field: String {
      switch self {
      case .dates(let mistake): mistake.field
      case .long: "from"
      }
    }

    func message(_ localizer: Localizer) -> String {
      switch self {
      case .dates(let mistake): mistake.message(localizer)
      case .long: localizer.text("report.error.long")
      }
    }
  }

  let first: CivilDate
  let last: CivilDate
  /// The chosen one of ``lengths``, if any.
  let length: Int?
  /// The dates as typed.
  let input: HistoryInput
  let mistakes: [Mistake]
  /// The medicines whose effect on a measure is added.
  let effects: [ReportEffectChoice]

  /// Reads `days`, else `from` and `until`; with mistakes, the default period.
  init(_ fields: [FormPair], today: CivilDate) {
    effects = ReportEffectChoice.all(fields)
    let days = fields.first { $0.name == "days" }.flatMap { Int($0.value) }
    let isTyped = fields.contains { $0.name == "from" || $0.name == "until" }
    if let length = days.flatMap({ Self.lengths.contains($0) ? $0 : nil })
      ?? (isTyped ? nil : Self.usual)
    {
      self.length = length
      (first, last) = (today.adding(days: 1 - length), today)
      input = HistoryInput(
        [FormPair(name: "from", value: first.text), FormPair(name: "until", value: last.text)],
        today: today)
      mistakes = []
      return
    }
    length = nil
    input = HistoryInput(fields, today: today)
    let (range, wrong) = input.read(today: today)
    var mistakes = wrong.map(Mistake.dates)
    // Without a first day, it begins as early as allowed.
    let last = min(range.last, today)
    let first = range.first ?? last.adding(days: 1 - Self.longest)
    if mistakes.isEmpty, last.daysSinceEpoch - first.daysSinceEpoch >= Self.longest {
      mistakes.append(.long)
    }
    self.mistakes = mistakes
    (self.first, self.last) =
      mistakes.isEmpty ? (min(first, last), last) : (today.adding(days: 1 - Self.usual), today)
  }

  /// The query for the same period and medicines.
  var query: String {
    (length.map { "days=\($0)" } ?? "from=\(first.text)&until=\(last.text)") + effectQuery
  }

  /// The part of a query that names the added medicines; empty without any.
  var effectQuery: String { effects.map(\.query).joined() }
}
