// SPDX-License-Identifier: Apache-2.0

extension CalendarExpansion {
  /// Returns the instant that the clinic chose for a wall time in a gap or overlap (rules 8 and 9).
  func chosen(_ resolution: Zone.Resolution) -> Zone.Resolution {
    let isOther =
      switch resolution.shift {
      case .none: false
      case .gap: choices.gap == .shift
      case .overlap: choices.takesSecond
      }
    guard isOther else { return resolution }
    var other = resolution
    other.seconds = resolution.other
    return other
  }

  /// Returns the doses sorted by instant, since a gap may have moved some past others.
  ///
  /// Works one year at a time, so that the limit is respected without expanding the whole range.
  func sorted(in range: Range<Int64>, limit: Int) -> [Occurrence] {
    var found: [Occurrence] = []
    var from = range.lowerBound
    while from < range.upperBound {
      let until = min(from + 366 * 86_400_000, range.upperBound)
      let part = inWallOrder(in: from..<until, limit: .max).sorted { $0.instant < $1.instant }
      for dose in part where found.last?.instant != dose.instant {
        if found.count == limit { return found }
        found.append(dose)
      }
      from = until
    }
    return found
  }
}
