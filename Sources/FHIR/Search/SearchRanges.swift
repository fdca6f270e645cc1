// SPDX-License-Identifier: Apache-2.0

/// The condition of a date search on the range `lower..<upper` of a value, in the form of a query in SQL.
///
/// Every bound that is not nil must be met; with `isNegated`, a range matches if one of them is not met.
public struct DateRangeCondition: Sendable, Hashable {
  /// `lower >= lowerAtLeast`.
  public var lowerAtLeast: Int64?
  /// `lower < lowerBefore`.
  public var lowerBefore: Int64?
  /// `upper > upperAbove`.
  public var upperAbove: Int64?
  /// `upper <= upperAtMost`.
  public var upperAtMost: Int64?
  /// True if the ranges that do not meet all bounds match.
  public var isNegated: Bool

  /// Creates a condition.
  public init(
    lowerAtLeast: Int64? = nil, lowerBefore: Int64? = nil, upperAbove: Int64? = nil,
    upperAtMost: Int64? = nil, isNegated: Bool = false
  ) {
    self.lowerAtLeast = lowerAtLeast
    self.lowerBefore = lowerBefore
    self.upperAbove = upperAbove
    self.upperAtMost = upperAtMost
    self.isNegated = isNegated
  }

  /// Returns true if a range matches.
  public func matches(lower: Int64, upper: Int64) -> Bool {
    var isMet = true
    if let lowerAtLeast, lower < lowerAtLeast { isMet = false }
    if let lowerBefore, lower >= lowerBefore { isMet = false }
    if let upperAbove, upper <= upperAbove { isMet = false }
    if let upperAtMost, upper > upperAtMost { isMet = false }
    return isMet != isNegated
  }
}

extension DateSearchValue {
  /// The condition on the range of a value, as R4 defines the prefixes.
  ///
  /// The search covers `from..<to`, the value `lower..<upper`:
  ///
  /// | prefix | matches if |
  /// | --- | --- |
  /// | `eq` | `lower >= from` and `upper <= to`: the search contains the value |
  /// | `ne` | not `eq` |
  /// | `gt` | `upper > to` |
  /// | `lt` | `lower < from` |
  /// | `ge` | `gt` or `eq`, which is not (`lower < from` and `upper <= to`) |
  /// | `le` | `lt` or `eq`, which is not (`lower >= from` and `upper > to`) |
  /// | `sa` | `lower >= to` |
  /// | `eb` | `upper <= from` |
  /// | `ap` | the value overlaps the search, extended by its own length on both sides |
  public var rangeBounds: DateRangeCondition {
    let from = lowerMilliseconds
    let to = upperMilliseconds
    switch prefix {
    case .eq: return DateRangeCondition(lowerAtLeast: from, upperAtMost: to)
    case .ne: return DateRangeCondition(lowerAtLeast: from, upperAtMost: to, isNegated: true)
    case .gt: return DateRangeCondition(upperAbove: to)
    case .lt: return DateRangeCondition(lowerBefore: from)
    case .ge: return DateRangeCondition(lowerBefore: from, upperAtMost: to, isNegated: true)
    case .le: return DateRangeCondition(lowerAtLeast: from, upperAbove: to, isNegated: true)
    case .sa: return DateRangeCondition(lowerAtLeast: to)
    case .eb: return DateRangeCondition(upperAtMost: from)
    case .ap:
      let length = to - from
      return DateRangeCondition(lowerBefore: to + length, upperAbove: from - length)
    }
  }

  /// Returns true if the range of a value, in milliseconds since 1970, matches the search.
  public func matches(lower: Int64, upper: Int64) -> Bool {
    rangeBounds.matches(lower: lower, upper: upper)
  }
}

/// The condition of a search for a number or quantity on the middle of a value's range,
/// `(lower + upper) / 2`, in the form of a query in SQL.
///
/// The index chooses the ends of a range so that their middle is exactly the number that was written. Every
/// bound that is not nil must be met; with `isNegated`, a number matches if one of them is not met.
public struct NumberRangeCondition: Sendable, Hashable {
  /// `middle >= middleAtLeast`.
  public var middleAtLeast: Double?
  /// `middle > middleAbove`.
  public var middleAbove: Double?
  /// `middle < middleBefore`.
  public var middleBefore: Double?
  /// `middle <= middleAtMost`.
  public var middleAtMost: Double?
  /// True if the numbers that do not meet all bounds match.
  public var isNegated: Bool

  /// Creates a condition.
  public init(
    middleAtLeast: Double? = nil, middleAbove: Double? = nil, middleBefore: Double? = nil,
    middleAtMost: Double? = nil, isNegated: Bool = false
  ) {
    self.middleAtLeast = middleAtLeast
    self.middleAbove = middleAbove
    self.middleBefore = middleBefore
    self.middleAtMost = middleAtMost
    self.isNegated = isNegated
  }

  /// Returns true if the middle of a range matches.
  public func matches(lower: Double, upper: Double) -> Bool {
    let middle = (lower + upper) / 2
    var isMet = true
    if let middleAtLeast, middle < middleAtLeast { isMet = false }
    if let middleAbove, middle <= middleAbove { isMet = false }
    if let middleBefore, middle >= middleBefore { isMet = false }
    if let middleAtMost, middle > middleAtMost { isMet = false }
    return isMet != isNegated
  }
}

extension NumberSearchValue {
  /// The condition on the number of a resource, as R4 defines the prefixes.
  ///
  /// | prefix | matches if the number is |
  /// | --- | --- |
  /// | `eq` | within the range that the digits of the search cover |
  /// | `ne` | outside it |
  /// | `gt` `lt` `ge` `le` | above, below, at least, at most the exact value |
  /// | `sa` `eb` | after or before the whole range |
  /// | `ap` | within 10 % of the value, or within its range |
  public var rangeBounds: NumberRangeCondition {
    switch prefix {
    case .eq: return NumberRangeCondition(middleAtLeast: lower, middleBefore: upper)
    case .ne:
      return NumberRangeCondition(middleAtLeast: lower, middleBefore: upper, isNegated: true)
    case .gt: return NumberRangeCondition(middleAbove: value)
    case .lt: return NumberRangeCondition(middleBefore: value)
    case .ge: return NumberRangeCondition(middleAtLeast: value)
    case .le: return NumberRangeCondition(middleAtMost: value)
    case .sa: return NumberRangeCondition(middleAtLeast: upper)
    case .eb: return NumberRangeCondition(middleBefore: lower)
    case .ap:
      let tenth = abs(value) / 10
      return NumberRangeCondition(
        middleAtLeast: min(lower, value - tenth), middleAtMost: max(upper, value + tenth))
    }
  }

  /// Returns true if the number in the middle of a range matches the search.
  public func matches(lower: Double, upper: Double) -> Bool {
    rangeBounds.matches(lower: lower, upper: upper)
  }
}
