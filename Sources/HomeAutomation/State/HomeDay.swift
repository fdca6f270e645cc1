// SPDX-License-Identifier: Apache-2.0

import Dosing
import Plans
import Scheduling
import Storage

/// A person's day as Home Assistant shows it.
package struct HomeDay: Sendable, Hashable {
  /// A dose that waits for an answer.
  package struct Due: Sendable, Hashable {
    /// The dose.
    package let id: DoseID
    /// The version of its row, which changes with every answer and edit.
    package let version: Int64
    /// The medicine's name.
    package let medicine: String

    /// Creates a due dose.
    package init(id: DoseID, version: Int64, medicine: String) {
      self.id = id
      self.version = version
      self.medicine = medicine
    }
  }

  /// The local day.
  package var date: CivilDate
  /// The doses that wait for an answer, at most as many as Today lists.
  package var due: [Due]
  /// The time of the next dose; nil if none is planned within a day.
  package var next: Timestamp?
  /// The number of planned doses of the local day.
  package var planned: Int
  /// The number of those that were taken.
  package var taken: Int
  /// The number of those that were left out.
  package var skipped: Int
  /// The number of those that are put off.
  package var later: Int
  /// The number of those that no one answered in time.
  package var missed: Int
  /// The share of the last seven days' doses that was taken, in percent; nil without doses.
  package var adherence: Int?
  /// The days until the first supply runs out, at most ``mostSupplyDays``; nil if no supply is counted.
  package var supplyDays: Int?
  /// The moment at which it changes by itself.
  package var changes: Timestamp

  /// The most days for which supplies are looked at.
  package static let mostSupplyDays = 90

  /// Creates a day from its values.
  package init(
    date: CivilDate, due: [Due] = [], next: Timestamp? = nil, planned: Int = 0, taken: Int = 0,
    skipped: Int = 0, later: Int = 0, missed: Int = 0, adherence: Int? = nil,
    supplyDays: Int? = nil, changes: Timestamp
  ) {
    self.date = date
    self.due = due
    self.next = next
    self.planned = planned
    self.taken = taken
    self.skipped = skipped
    self.later = later
    self.missed = missed
    self.adherence = adherence
    self.supplyDays = supplyDays
    self.changes = changes
  }

  /// Computes a day from what Today lists.
  package init(_ day: TodayDoses, now: Timestamp, adherence: Int?, supplyDays: Int?) {
    let date = day.zone.date(at: Instant(milliseconds: now.milliseconds))
    let start = day.zone.startOfDay(date).milliseconds
    let end = day.zone.startOfDay(date.adding(days: 1)).milliseconds
    let ofToday = day.doses.filter { (start..<end).contains($0.due.milliseconds) }
    func count(_ state: DoseState, unread part: TodayPart? = nil) -> Int {
      ofToday.count(where: { $0.state == state }) + (part.flatMap { day.unread[$0] } ?? 0)
    }
    let waiting = day.doses.filter { $0.state == .due }
    let ahead = day.doses.filter { $0.state == .scheduled || $0.state == .later }
    let moments = ahead.map { $0.laterUntil ?? $0.due }.filter { $0 > now }
    let ends = day.doses.filter { !$0.state.isAnswered }.map(\.lateUntil).filter { $0 > now }
    self.init(
      date: date,
      due: waiting.map { Due(id: $0.id, version: $0.version, medicine: $0.medicineName) },
      next: moments.min(), planned: day.progress.planned, taken: day.progress.taken,
      skipped: count(.skipped) + count(.refused), later: count(.later),
      missed: count(.missed, unread: .missed), adherence: adherence, supplyDays: supplyDays,
      changes: (moments + ends).min().map { min($0, Timestamp(milliseconds: end)) }
        ?? Timestamp(milliseconds: end))
  }
}
