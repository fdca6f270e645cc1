// SPDX-License-Identifier: Apache-2.0

/// What a choice of times costs, the worst first: one more of what stands above outweighs all that stands below.
struct IntakeCost: Comparable {
  /// Rules of the list that are not kept.
  var broken = 0
  /// Doses that leave their part of the day though the list names hours between them and meals: what is taken
  /// before breakfast stays there, and what it does not go with moves.
  var leftMeal = 0
  /// Other doses that leave their part of the day.
  var left = 0
  /// Times of day.
  var times = 0
  /// Doses with another time than now, and by how many minutes in all.
  var moved = 0
  var minutes = 0

  static func < (one: IntakeCost, other: IntakeCost) -> Bool {
    if one.broken != other.broken { return one.broken < other.broken }
    if one.leftMeal != other.leftMeal { return one.leftMeal < other.leftMeal }
    if one.left != other.left { return one.left < other.left }
    if one.times != other.times { return one.times < other.times }
    return (one.moved, one.minutes) < (other.moved, other.minutes)
  }

  static func + (one: IntakeCost, other: IntakeCost) -> IntakeCost {
    IntakeCost(
      broken: one.broken + other.broken, leftMeal: one.leftMeal + other.leftMeal,
      left: one.left + other.left, times: one.times + other.times, moved: one.moved + other.moved,
      minutes: one.minutes + other.minutes)
  }

  static func += (one: inout IntakeCost, other: IntakeCost) { one = one + other }
}
