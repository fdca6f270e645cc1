// SPDX-License-Identifier: Apache-2.0

/// The cost of a choice of times, the worst first: one more of a higher item outweighs all lower ones.
struct IntakeCost: Comparable {
  /// The number of broken rules of the list.
  var broken = 0
  /// The number of doses that leave their part of the day although the list requires hours between them and
  /// meals.
  ///
  /// A medicine before breakfast stays there, and the one it conflicts with moves.
  var leftMeal = 0
  /// The number of other doses that leave their part of the day.
  var left = 0
  /// The number of times of day.
  var times = 0
  /// The number of doses with a new time, and the minutes moved in total.
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
