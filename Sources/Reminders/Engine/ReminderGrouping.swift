// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// Doses that ring together, as a pure rule.
enum ReminderGrouping {
  static let windowMilliseconds: Int64 = 15 * 60_000
  static let largest = 16

  /// A dose with the time from which it should ring.
  struct Candidate: Sendable, Hashable {
    let dose: RingingDose
    let from: Timestamp
  }

  struct Group: Sendable, Hashable {
    let starts: Timestamp
    let doses: [RingingDose]

    var due: Timestamp { doses.map(\.due).min() ?? starts }
    var ends: Timestamp { doses.map(\.lateUntil).max() ?? starts }
  }

  /// Groups of at most sixteen doses within fifteen minutes of the first, in order of time.
  static func groups(_ candidates: [Candidate]) -> [Group] {
    let sorted = candidates.sorted { one, other in
      one.from == other.from
        ? RingingDose.inOrder(one.dose, other.dose) : one.from < other.from
    }
    var groups: [Group] = []
    var rest = sorted[...]
    while let first = rest.first {
      let end = first.from.adding(milliseconds: windowMilliseconds)
      let group = rest.prefix { $0.from <= end }.prefix(largest)
      groups.append(
        Group(starts: first.from, doses: group.map(\.dose).sorted(by: RingingDose.inOrder)))
      rest = rest.dropFirst(group.count)
    }
    return groups
  }
}
