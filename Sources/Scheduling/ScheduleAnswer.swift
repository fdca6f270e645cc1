// SPDX-License-Identifier: Apache-2.0

/// The doses that answer a question, in ascending order with one for each instant.
public struct ScheduleAnswer: Sendable {
  /// The doses.
  public private(set) var occurrences: [Occurrence] = []
  /// The index of each dose's rule; empty if all belong to the first rule.
  private var rules: [Int] = []

  /// Returns the index of the rule of the dose at `index`.
  public func rule(of index: Int) -> Int { rules.isEmpty ? 0 : rules[index] }

  /// Merges the doses of another rule; at the same instant, the dose of the earlier rule is kept (rules 10 and 26).
  mutating func take(_ added: [Occurrence], from rule: Int) {
    if rule == 0 {
      occurrences = added
      return
    }
    if rules.isEmpty { rules = Array(repeating: 0, count: occurrences.count) }
    let (own, ownRules) = (occurrences, rules)
    occurrences = []
    rules = []
    occurrences.reserveCapacity(own.count + added.count)
    rules.reserveCapacity(own.count + added.count)
    var rest = added[...]
    for (index, occurrence) in own.enumerated() {
      while let other = rest.first, other.instant <= occurrence.instant {
        if other.instant < occurrence.instant { append(other, rule) }
        rest = rest.dropFirst()
      }
      append(occurrence, ownRules[index])
    }
    for other in rest { append(other, rule) }
  }

  private mutating func append(_ occurrence: Occurrence, _ rule: Int) {
    occurrences.append(occurrence)
    rules.append(rule)
  }

  /// The answer without doses in the same second as the one before.
  public var wholeSeconds: ScheduleAnswer {
    if occurrences.allSatisfy({ $0.instant.milliseconds.isMultiple(of: 1000) }) { return self }
    var distinct = ScheduleAnswer()
    var last: Int64?
    for (index, occurrence) in occurrences.enumerated() {
      let second = flooredQuotient(occurrence.instant.milliseconds, 1000)
      if second != last { distinct.append(occurrence, rule(of: index)) }
      last = second
    }
    return distinct
  }
}
