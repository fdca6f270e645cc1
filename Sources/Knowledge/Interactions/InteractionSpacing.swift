// SPDX-License-Identifier: Apache-2.0

/// Two of several medicines that are kept apart, by their places among them.
public struct SpacedPair: Sendable, Hashable {
  /// The place of the first.
  public let first: Int
  /// The place of the second, further down.
  public let second: Int
  /// The distance at which they are taken.
  public let spacing: Spacing
}

/// The distance of a medicine from a meal, in hours.
public struct MealSpacing: Sendable, Hashable {
  /// From the medicine to the next meal; nil where no time is known for this order.
  public var beforeMeal: Double?
  /// From a meal to the medicine.
  public var afterMeal: Double?
  /// The rows that say it.
  public var rows: [String]
}

extension InteractionList {
  /// What rows call every meal and drink.
  private static let anyFood = "food:any"

  /// All pairs that rows name a time for; of the others nothing is known, which is not that they go together.
  public func spacings(among substances: [Substance]) -> [SpacedPair] {
    let sides = substances.map(index.rows)
    var found: [SpacedPair] = []
    for first in substances.indices {
      for second in substances.indices.dropFirst(first + 1) {
        guard let spacing = spacing(sides[first], sides[second]) else { continue }
        found.append(SpacedPair(first: first, second: second, spacing: spacing))
      }
    }
    return found
  }

  /// Returns the distance of a medicine from any meal, by every row that names a time for it; nil
  /// if none does.
  public func mealSpacing(of substance: Substance) -> MealSpacing? {
    var found: MealSpacing?
    for number in InteractionIndex.numbers(index.rows(of: substance).first) {
      let row = interactions[number]
      guard row.others.contains(Self.anyFood), row.beforeHours != nil || row.afterHours != nil
      else { continue }
      var known = found ?? MealSpacing(rows: [])
      known.beforeMeal = [known.beforeMeal, row.beforeHours].compactMap(\.self).max()
      known.afterMeal = [known.afterMeal, row.afterHours].compactMap(\.self).max()
      if !known.rows.contains(row.id) { known.rows.append(row.id) }
      found = known
    }
    return found
  }

  /// The row of an id.
  public func row(_ id: String) -> Interaction? {
    interactions.first { $0.id == id }
  }

  func spacing(_ left: Sides, _ right: Sides) -> Spacing? {
    var spacing: Spacing?
    func add(_ number: Int, isTurned: Bool) {
      let row = interactions[number]
      guard row.beforeHours != nil || row.afterHours != nil else { return }
      let before = isTurned ? row.afterHours : row.beforeHours
      let after = isTurned ? row.beforeHours : row.afterHours
      var known = spacing ?? Spacing(severity: row.severity, rows: [])
      known.firstThenSecond = [known.firstThenSecond, before].compactMap(\.self).max()
      known.secondThenFirst = [known.secondThenFirst, after].compactMap(\.self).max()
      known.severity = min(known.severity, row.severity)
      if !known.rows.contains(row.id) { known.rows.append(row.id) }
      spacing = known
    }
    for number in InteractionIndex.common(left.first, right.second) { add(number, isTurned: false) }
    for number in InteractionIndex.common(left.second, right.first) { add(number, isTurned: true) }
    return spacing
  }
}
