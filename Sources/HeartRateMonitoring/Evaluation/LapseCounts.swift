// SPDX-License-Identifier: Apache-2.0

/// The lapses found and the false alerts of one person or many.
///
/// An alert finds a lapse from its first missed day to the day after its last; anywhere else it is false. The
/// first fourteen days, in which nothing is asked, are not counted.
public struct LapseCounts: Sendable, Hashable {
  /// A kind of lapse.
  public enum Kind: Int, Sendable, Hashable, CaseIterable {
    /// One missed day.
    case single
    /// Two missed days in a row.
    case twoDays
    /// Three or more.
    case holiday
  }

  /// The found lapses of each kind; the fourth place is unused.
  private var found = SIMD4<Int>()
  private var all = SIMD4<Int>()
  private var falseDays = 0
  private var days = 0
  /// The found lapses by the days from their beginning to the first alert; the last place is seven or more.
  private var delays = SIMD8<Int>()

  /// Creates counts of nobody.
  public init() {}

  /// Counts one person's alerts, one for each day.
  init(_ person: LabelledPerson, alerts: [Bool]) {
    guard let first = person.days.first?.day.day else { return }
    var isInside = [Bool](repeating: false, count: alerts.count)
    for lapse in person.lapses {
      let end = min(lapse.upperBound + 1, alerts.count - 1)
      for index in lapse.lowerBound...end { isInside[index] = true }
      guard person.days[lapse.lowerBound].day.day >= first + learningDays else { continue }
      let kind = min(lapse.count, 3) - 1
      all[kind] += 1
      if let hit = (lapse.lowerBound...end).first(where: { alerts[$0] }) {
        found[kind] += 1
        let delay = person.days[hit].day.day - person.days[lapse.lowerBound].day.day
        delays[min(delay, 7)] += 1
      }
    }
    for index in alerts.indices where person.days[index].day.day >= first + learningDays {
      days += 1
      if alerts[index], !isInside[index] { falseDays += 1 }
    }
  }

  /// Adds other people's counts.
  mutating func add(_ other: LapseCounts) {
    found &+= other.found
    all &+= other.all
    delays &+= other.delays
    falseDays += other.falseDays
    days += other.days
  }

  /// Returns the share of lapses found of some kinds; nil without any such lapse.
  public func sensitivity(_ kinds: [Kind]) -> Double? {
    let sum = kinds.reduce(0) { $0 + all[$1.rawValue] }
    return sum == 0 ? nil : Double(kinds.reduce(0) { $0 + found[$1.rawValue] }) / Double(sum)
  }

  /// Returns the number of lapses of some kinds.
  public func lapses(_ kinds: [Kind]) -> Int { kinds.reduce(0) { $0 + all[$1.rawValue] } }

  /// The days with a false alert in thirty days.
  public var falseDaysAMonth: Double { days == 0 ? 0 : Double(falseDays) * 30 / Double(days) }

  /// The median number of days from the beginning of a found lapse to its first alert, at most seven.
  public var delay: Int? {
    let half = (delays.wrappedSum() + 1) / 2
    guard half > 0 else { return nil }
    var sum = 0
    for days in 0..<8 {
      sum += delays[days]
      if sum >= half { return days }
    }
    return 7
  }
}
