// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// The days on which a questionnaire is asked.
package struct QuestionnaireSchedule: Sendable, Hashable {
  /// The ways in which a questionnaire returns.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case once, weekly, monthly
    /// Once, some weeks after an event.
    case after

    /// The days for which an occasion can be answered, unless something else is chosen.
    package var usualOpenDays: Int { self == .weekly ? 7 : 14 }

    /// The most days for which an occasion can be answered, so that no two are open at once.
    package var mostOpenDays: Int { self == .weekly ? 7 : 28 }
  }

  /// One time at which a questionnaire is asked.
  package struct Occasion: Sendable, Hashable {
    /// The running number, from 0.
    package let number: Int
    /// The first day on which it can be answered.
    package let opens: CivilDate
    /// The last day on which it can be answered.
    package let lastDay: CivilDate
  }

  /// The most weeks between an event and its questionnaire.
  package static let mostWeeks = 520

  /// The way in which the questionnaire returns.
  package let kind: Kind
  /// The day of the first occasion; for ``Kind/after``, the day of the event.
  package let starts: CivilDate
  /// The weeks since the event; 0 for every other kind.
  package let weeks: Int
  /// The days for which an occasion can be answered.
  package let openDays: Int
  /// The last day on which an occasion can open; nil for no end.
  package let lastDay: CivilDate?

  /// Creates a schedule; nil for numbers outside the limits, and for an end before the start.
  ///
  /// - Parameters:
  ///   - weeks: The weeks since the event, only for ``Kind/after``.
  ///   - openDays: The days for which an occasion can be answered; nil for the usual number.
  package init?(
    _ kind: Kind, starts: CivilDate, weeks: Int = 0, openDays: Int? = nil,
    lastDay: CivilDate? = nil
  ) {
    let openDays = openDays ?? kind.usualOpenDays
    guard (1...kind.mostOpenDays).contains(openDays), (0...Self.mostWeeks).contains(weeks),
      kind == .after || weeks == 0, lastDay.map({ $0 >= starts }) ?? true
    else { return nil }
    self.kind = kind
    self.starts = starts
    self.weeks = weeks
    self.openDays = openDays
    self.lastDay = lastDay
  }

  /// Returns the occasion of a number; nil if the schedule has none.
  package func occasion(_ number: Int) -> Occasion? {
    guard number >= 0, number < 10_000 else { return nil }
    let opens: CivilDate
    switch kind {
    case .once, .after:
      guard number == 0 else { return nil }
      opens = starts.adding(days: weeks * 7)
    case .weekly: opens = starts.adding(days: number * 7)
    case .monthly: opens = starts.adding(months: number)
    }
    if let lastDay, opens > lastDay { return nil }
    return Occasion(number: number, opens: opens, lastDay: opens.adding(days: openDays - 1))
  }

  /// Returns the number of the last occasion that has opened on a day; nil before the first.
  package func latest(on day: CivilDate) -> Occasion? {
    let estimate: Int
    switch kind {
    case .once, .after: estimate = 0
    case .weekly: estimate = max(0, day.daysSinceEpoch - starts.daysSinceEpoch) / 7
    case .monthly:
      estimate = max(0, (day.year - starts.year) * 12 + day.month - starts.month)
    }
    var number = min(estimate, 9_999)
    while number >= 0 {
      if let occasion = occasion(number), occasion.opens <= day { return occasion }
      number -= 1
    }
    return nil
  }

  /// Returns the occasion that can be answered on a day; nil if none can.
  package func open(on day: CivilDate) -> Occasion? {
    latest(on: day).flatMap { $0.lastDay >= day ? $0 : nil }
  }

  /// Returns the first occasion that opens after a day; nil if there is none.
  package func next(after day: CivilDate) -> Occasion? {
    occasion((latest(on: day)?.number ?? -1) + 1)
  }
}
