// SPDX-License-Identifier: Apache-2.0

import Observations
import Plans
import Scheduling

/// What became of the doses of one plan over some days; two of them add up.
///
/// Days are those of a zone. Doses taken when needed, called off or still open are not among them.
package struct PlanStatistics: Sendable, Hashable {
  /// Counts by part of the day, then weekday, then outcome.
  private var cells: [Int]
  /// Days on which doses were planned and are all settled.
  package private(set) var plannedDays = 0
  /// Those of them on which every planned dose was taken, on time or late.
  package private(set) var coveredDays = 0
  /// How late the doses taken late were, all together, in minutes after their due times.
  package private(set) var lateMinutes = 0
  /// How late the latest of them was, in minutes.
  package private(set) var longestLateMinutes = 0

  private static let outcomes = DoseOutcome.allCases
  private static let size = DayPart.allCases.count * 7 * outcomes.count

  package init() {
    cells = Array(repeating: 0, count: Self.size)
  }

  /// One day's doses.
  package struct Day: Sendable {
    fileprivate var cells: [(cell: Int, outcome: DoseOutcome)] = []
    fileprivate var lateMinutes = 0
    fileprivate var longestLateMinutes = 0
    fileprivate var isOpen = false
    fileprivate let weekday: Weekday

    package init(_ date: CivilDate) {
      weekday = date.weekday
    }

    /// Adds a dose that is settled.
    ///
    /// - Parameter delay: milliseconds from the due time to the intake, for one taken late.
    package mutating func add(_ outcome: DoseOutcome, in part: DayPart, delay: Int64) {
      cells.append((PlanStatistics.cell(part, weekday, outcome), outcome))
      guard outcome == .late else { return }
      let minutes = Int(clamping: max(0, delay) / 60_000)
      lateMinutes += minutes
      longestLateMinutes = max(longestLateMinutes, minutes)
    }

    /// Adds a dose that can still be taken: the day is not judged as a whole yet.
    package mutating func addOpen() { isOpen = true }
  }

  package mutating func add(_ day: Day) {
    var planned = 0
    var taken = 0
    for (cell, outcome) in day.cells {
      cells[cell] += 1
      // What a rule holds back was never to be taken.
      if outcome != .withheld { planned += 1 }
      if outcome == .taken || outcome == .late { taken += 1 }
    }
    lateMinutes += day.lateMinutes
    longestLateMinutes = max(longestLateMinutes, day.longestLateMinutes)
    guard planned > 0, !day.isOpen else { return }
    plannedDays += 1
    if taken == planned { coveredDays += 1 }
  }

  package static func += (left: inout PlanStatistics, right: PlanStatistics) {
    for index in left.cells.indices { left.cells[index] += right.cells[index] }
    left.plannedDays += right.plannedDays
    left.coveredDays += right.coveredDays
    left.lateMinutes += right.lateMinutes
    left.longestLateMinutes = max(left.longestLateMinutes, right.longestLateMinutes)
  }

  package var isEmpty: Bool { plannedDays == 0 && cells.allSatisfy { $0 == 0 } }

  // MARK: Reading

  package var counts: DoseCounts { counts(DayPart.allCases, Self.weekdays) }

  package func counts(in part: DayPart) -> DoseCounts { counts([part], Self.weekdays) }

  package func counts(on weekday: Weekday) -> DoseCounts { counts(DayPart.allCases, [weekday]) }

  /// The minutes by which a dose taken late was late on average; nil where none was.
  package var averageLateMinutes: Int? {
    let late = counts[.late]
    return late > 0 ? (lateMinutes + late / 2) / late : nil
  }

  /// The share of settled days with doses on which all were taken, in whole percent; nil without such days.
  ///
  /// 100 only when it was every day and 0 only when it was none.
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

  /// As kept in `monthly_statistics`: a case added later goes to the end.
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

  // MARK: Kept form

  /// The figures as bytes: the four sums, then each cell that is not empty as the steps since the one before and its count.
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

  /// Adds what ``bytes`` made; false where it is cut off or holds what cannot be, and nothing was added.
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
