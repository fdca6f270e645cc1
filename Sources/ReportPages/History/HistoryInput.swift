// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import Web

/// The filter of the history, as typed.
struct HistoryInput: Sendable, Hashable {
  /// The number of days shown by default, including today.
  static let usualDays = 30

  enum Mistake: Sendable, Hashable {
    case fromWrong, untilWrong, order

    var field: String { self == .fromWrong ? "from" : "until" }

    func message(_ localizer: Localizer) -> String {
      self == .order
        ? localizer.text("history.error.order") : localizer.text("dose.error.date-wrong")
    }
  }

  var plan: PlanID?
  var outcomes: [String]
  var from: String
  var until: String

  init(_ fields: [FormPair], today: CivilDate) {
    func first(_ name: String) -> String? {
      fields.first { $0.name == name }.map { TypedText.trimmed($0.value) }
    }
    plan = first("medicine").flatMap { $0.isEmpty ? nil : PlanID($0) }
    outcomes = fields.filter { $0.name == "state" }.map(\.value)
    from = first("from") ?? today.adding(days: 1 - Self.usualDays).text
    until = first("until") ?? today.text
  }

  /// Returns the requested range; if it has mistakes, the default one.
  func read(today: CivilDate) -> (range: HistoryRange, mistakes: [Mistake]) {
    var mistakes: [Mistake] = []
    func date(_ text: String, _ mistake: Mistake) -> CivilDate? {
      guard !text.isEmpty else { return nil }
      let date = CivilDate(text: text)
      if date == nil { mistakes.append(mistake) }
      return date
    }
    let first = date(from, .fromWrong)
    let last = date(until, .untilWrong)
    if let first, let last, last < first { mistakes.append(.order) }
    let filter = HistoryFilter(
      plan: plan, outcomes: Set(outcomes.compactMap(DoseOutcome.init(rawValue:))))
    guard mistakes.isEmpty else {
      return (
        HistoryRange(filter: filter, first: today.adding(days: 1 - Self.usualDays), last: today),
        mistakes
      )
    }
    return (HistoryRange(filter: filter, first: first, last: last ?? today), [])
  }

  /// Returns the query for the same filter.
  func query(place: HistoryPlace? = nil) -> String {
    var pairs = plan.map { [("medicine", $0.text)] } ?? []
    pairs += outcomes.map { ("state", $0) } + [("from", from), ("until", until)]
    if let place {
      pairs.append(("to", place.end.text))
      if place.skipped > 0 { pairs.append(("skip", "\(place.skipped)")) }
    }
    return pairs.map { "\($0.0)=\(QueryText.encode($0.1))" }.joined(separator: "&")
  }
}

/// A part of the history between two days.
struct HistoryRange: Sendable, Hashable {
  let filter: HistoryFilter
  /// The first day; nil for the beginning.
  let first: CivilDate?
  let last: CivilDate
}
