// SPDX-License-Identifier: Apache-2.0

import Observations
import Plans
import Scheduling

/// The outcomes of the doses of one plan over some days.
///
/// Two of them can be added. Days are those of a zone. As-needed intakes and cancelled or open doses are not
/// counted.
package struct PlanStatistics: Sendable, Hashable {
  /// Counts by part of the day, then weekday, then outcome.
  private var cells: [Int]
  /// The number of days on which doses were planned and all are settled.
  package private(set) var plannedDays = 0
  /// The number of planned days on which every planned dose was taken, on time or late.
  package private(set) var coveredDays = 0
  /// The sum of the delays of all doses taken late, in minutes after their due times.
  package private(set) var lateMinutes = 0
  /// The longest delay of a dose taken late, in minutes after its due time.
  package private(set) var longestLateMinutes = 0

  private static let outcomes = DoseOutcome.allCases
  private static let size = DayPart.allCases.count * 7 * outcomes.count

  /// Creates statistics without doses.
  package init() {
    cells = Array(repeating: 0, count: Self.size)
  }

  /// The doses of one day.
  package struct Day: Sendable {
    fileprivate var cells: [(cell: Int, outcome: DoseOutcome)] = []
    fileprivate var lateMinutes = 0
    fileprivate var longestLateMinutes = 0
    fileprivate var isOpen = false
    fileprivate let weekday: Weekday

    /// Creates a day without doses.
    package init(_ date: CivilDate) {
      weekday = date.weekday
    }

    /// Adds a settled dose.
    ///
    /// - Parameter delay: the milliseconds from the due time to the intake; used only for a dose taken late.
    package mutating func add(_ outcome: DoseOutcome, in part: DayPart, delay: Int64) {
      cells.append((PlanStatistics.cell(part, weekday, outcome), outcome))
      guard outcome == .late else { return }
      let minutes = Int(clamping: max(0, delay) / 60_000)
      lateMinutes += minutes
      longestLateMinutes = max(longestLateMinutes, minutes)
    }

    /// Adds a dose that can still be taken, so that the day does not count as planned or covered.
    package mutating func addOpen() { isOpen = true }
  }

  /// Adds one day's doses.
  package mutating func add(_ day: Day) {
    var planned = 0
    var taken = 0
    for (cell, outcome) in day.cells {
      cells[cell] += 1
      // A dose that a rule withheld was not planned to be taken.
      if outcome != .withheld { planned += 1 }
      if outcome == .taken || outcome == .late { taken += 1 }
    }
    lateMinutes += day.lateMinutes
    longestLateMinutes = max(longestLateMinutes, day.longestLateMinutes)
    guard planned > 0, !day.isOpen else { return }
    plannedDays += 1
    if taken == planned { coveredDays += 1 }
  }

  /// Adds other statistics, which must not contain the same days of the same plan.
  package static func += (left: inout PlanStatistics, right: PlanStatistics) {
    for index in left.cells.indices { left.cells[index] += right.cells[index] }
    left.plannedDays += right.plannedDays
    left.coveredDays += right.coveredDays
    left.lateMinutes += right.lateMinutes
    left.longestLateMinutes = max(left.longestLateMinutes, right.longestLateMinutes)
  }

  /// True if no dose was counted.
  package var isEmpty: Bool { plannedDays == 0 && cells.allSatisfy { $0 == 0 } }

  // MARK: Reading

  /// The counts of all doses.
  package var counts: DoseCounts { counts(DayPart.allCases, Self.weekdays) }

  /// Returns the counts of the doses due in one part of the day.
  package func counts(in part: DayPart) -> DoseCounts { counts([part], Self.weekdays) }

  /// Returns the counts of the doses due on one weekday.
  package func counts(on weekday: Weekday) -> DoseCounts { counts(DayPart.allCases, [weekday]) }

  /// The average delay of the doses taken late, in rounded minutes; nil if there are none.
  package var averageLateMinutes: Int? {
    let late = counts[.late]
    return late > 0 ? (lateMinutes + late / 2) / late : nil
  }

  /// The share of planned days on which every planned dose was taken, in whole percent; nil without
  /// planned days.
  ///
  /// It is 100 only for every day and 0 only for none.
  package var percentOfDaysCovered: Int? {
    guard plannedDays > 0 else { return nil }
    if coveredDays == plannedDays { return 100 }
    if coveredDays == 0 { return 0 }
    return min(max((coveredDays * 200 + plannedDays) / (plannedDays * 2), 1), 99)
  }

  private static let weekdays: [Weekday] = (1...7).compactMap(Weekday.init(rawValue:))

  private func counts(_ parts: [DayPart], _ weekdays: [Weekday]) -> DoseCounts {
    var counts = DoseCounts()
    for outcome in Self.outcomes {
      for part in parts {
        for weekday in weekdays { counts[outcome] += cells[Self.cell(part, weekday, outcome)] }
      }
    }
    return counts
  }

  private static func cell(_ part: DayPart, _ weekday: Weekday, _ outcome: DoseOutcome) -> Int {
    (order(part) * 7 + weekday.rawValue - 1) * outcomes.count + order(outcome)
  }

  private static func order(_ part: DayPart) -> Int {
    switch part {
    case .morning: 0
    case .noon: 1
    case .evening: 2
    case .night: 3
    }
  }

  /// Returns the index in `monthly_statistics`: a case added later goes to the end.
  private static func order(_ outcome: DoseOutcome) -> Int {
    switch outcome {
    case .taken: 0
    case .late: 1
    case .skipped: 2
    case .refused: 3
    case .missed: 4
    case .withheld: 5
    }
  }

  // MARK: Stored form

  /// The stored form: the four sums, then each non-empty cell as the distance from the previous one and its
  /// count.
  package var bytes: [UInt8] {
    var numbers = PackedNumbers()
    for number in [plannedDays, coveredDays, lateMinutes, longestLateMinutes] {
      numbers.append(Int64(number))
    }
    var last = 0
    for (index, count) in cells.enumerated() where count > 0 {
      numbers.append(Int64(index - last))
      numbers.append(Int64(count))
      last = index
    }
    return numbers.bytes
  }

  /// Adds statistics in the form of ``bytes``; returns false and adds nothing if they are cut off
  /// or invalid.
  package mutating func add(_ bytes: [UInt8]) -> Bool {
    var numbers = PackedNumbers(bytes)
    var sums: [Int] = []
    for _ in 0..<4 {
      guard let number = numbers.next().flatMap({ Int(exactly: $0) }) else { return false }
      sums.append(number)
    }
    var found: [(Int, Int)] = []
    var index = 0
    while !numbers.isAtEnd {
      guard let step = numbers.next(), let count = numbers.next(), step < Int64(Self.size),
        let number = Int(exactly: count)
      else { return false }
      index += Int(step)
      guard index < Self.size else { return false }
      found.append((index, number))
    }
    for (index, count) in found { cells[index] &+= count }
    plannedDays &+= sums[0]
    coveredDays &+= sums[1]
    lateMinutes &+= sums[2]
    longestLateMinutes = max(longestLateMinutes, sums[3])
    return true
  }
}
