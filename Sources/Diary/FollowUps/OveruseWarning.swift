// SPDX-License-Identifier: Apache-2.0

import Knowledge
import Plans
import Scheduling
import Storage

/// The days on which a headache medicine was taken, compared with the days from which a source speaks of overuse.
package struct OveruseWarning: Sendable, Hashable {
  /// The days before now that count, with today: a month.
  package static let window = 30

  /// The intakes that are compared with a rule.
  package struct Intakes: Sendable {
    /// The intakes of the medicine itself, and of others with the same ingredient.
    package var own: [Timestamp] = []
    /// The intakes of other medicines with the same limit.
    package var similar: [Timestamp] = []
    /// The intakes of headache medicines with another limit.
    package var others: [Timestamp] = []

    /// Creates a list.
    package init(own: [Timestamp], similar: [Timestamp] = [], others: [Timestamp] = []) {
      self.own = own
      self.similar = similar
      self.others = others
    }
  }

  /// The days from which the sources speak of overuse.
  package let limit: Int
  /// The ids of the sources.
  package let sources: [String]
  /// True if days with other medicines are among the days.
  package let countsOthers: Bool
  /// True if medicines of several kinds are counted together.
  package let isMixed: Bool
  /// The days of the window with an intake.
  package let days: Int
  /// The days of the window with an intake, if another dose is taken now.
  package let daysWithNext: Int

  /// True if the days have been reached.
  package var isReached: Bool { days >= limit }

  /// Creates the warning; nil if not even another dose now would reach the days of a source.
  ///
  /// If both limits are reached, the medicine's own rule is named.
  package init?(_ rule: OveruseRule, taken: Intakes, now: Timestamp, zone: Zone) {
    let today = zone.date(at: Instant(now))
    let first = today.adding(days: 1 - Self.window)
    func dates(_ taken: [Timestamp]) -> Set<CivilDate> {
      Set(taken.map { zone.date(at: Instant($0)) }.filter { $0 >= first && $0 <= today })
    }
    let own = dates(taken.own)
    let kind = own.union(dates(taken.similar))
    let others = dates(taken.others)
    var warnings: [OveruseWarning] = []
    if let warning = OveruseWarning(
      limit: rule.days, sources: rule.sources, own: own, all: kind, isMixed: false, today: today)
    {
      warnings.append(warning)
    }
    if !others.isEmpty,
      let warning = OveruseWarning(
        limit: OveruseRule.mixedDays, sources: OveruseRule.mixedSources, own: own,
        all: kind.union(others), isMixed: true, today: today)
    {
      warnings.append(warning)
    }
    guard let warning = warnings.first(where: \.isReached) ?? warnings.first else { return nil }
    self = warning
  }

  private init?(
    limit: Int, sources: [String], own: Set<CivilDate>, all: Set<CivilDate>, isMixed: Bool,
    today: CivilDate
  ) {
    self.limit = limit
    self.sources = sources
    self.isMixed = isMixed
    countsOthers = all.count > own.count
    days = all.count
    daysWithNext = all.union([today]).count
    guard daysWithNext >= limit else { return nil }
  }
}
