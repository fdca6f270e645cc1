// SPDX-License-Identifier: Apache-2.0

/// Two medicines in a list that must be kept apart, by their positions.
public struct SpacedPair: Sendable, Hashable {
  /// The position of the first one.
  public let first: Int
  /// The position of the second one, later in the list.
  public let second: Int
  /// The required time between them.
  public let spacing: Spacing
}

/// The required time between a medicine and a meal, in hours.
public struct MealSpacing: Sendable, Hashable {
  /// The hours from the medicine to the next meal; nil if none are known for this order.
  public var beforeMeal: Double?
  /// The hours from a meal to the medicine; nil if none are known for this order.
  public var afterMeal: Double?
  /// The rows that require it.
  public var rows: [String]
}

extension InteractionList {
  /// The code of every meal and drink in rows.
  private static let anyFood = "food:any"

  /// Returns all pairs for which rows state a time; for other pairs nothing is known, which does not mean
  /// that they are safe together.
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

  /// Returns the required time between a medicine and any meal, by every row that states one; nil if none
  /// does.
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

  /// Returns the row with an id.
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
