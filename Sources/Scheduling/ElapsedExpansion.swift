// SPDX-License-Identifier: Apache-2.0

/// Doses in elapsed time: dose k is due at anchor + k × period / times (rule 7).
///
/// The limits enforced by `Schedule.problem` keep every product within 64 bits.
struct ElapsedExpansion: Sendable {
  let anchor: Int64
  let period: Int64
  let times: Int64

  /// Returns the number of the first dose at or after a distance from the anchor.
  func number(notBefore distance: Int64) -> Int64 {
    let cycles = flooredQuotient(distance, period)
    let rest = flooredRemainder(distance, period)
    return max(0, cycles * times + (rest * times + period - 1) / period)
  }

  func occurrence(_ number: Int64) -> Occurrence {
    let distance = number / times * period + number % times * period / times
    return Occurrence(id: .running(number), instant: Instant(milliseconds: anchor + distance))
  }

  func occurrences(in range: Range<Int64>, limit: Int) -> [Occurrence] {
    let first = number(notBefore: range.lowerBound - anchor)
    let end = number(notBefore: range.upperBound - anchor)
    guard first < end else { return [] }
    let count = min(end - first, Int64(limit))
    return (first..<first + count).map(occurrence)
  }

  /// Returns the number of doses in a range.
  func count(in range: Range<Int64>) -> Int64 {
    number(notBefore: range.upperBound - anchor) - number(notBefore: range.lowerBound - anchor)
  }

  /// Returns the millisecond just after the count-th dose; nil if it is beyond the supported years.
  func end(ofCount count: Int) -> Int64? {
    let farthest = number(notBefore: Instant.latest.milliseconds - anchor)
    guard Int64(count) <= farthest else { return nil }
    return occurrence(Int64(count) - 1).instant.milliseconds + 1
  }

  func first(in range: Range<Int64>) -> Occurrence? {
    let found = occurrence(number(notBefore: range.lowerBound - anchor))
    return found.instant.milliseconds < range.upperBound ? found : nil
  }

  func last(in range: Range<Int64>) -> Occurrence? {
    let number = number(notBefore: range.upperBound - anchor) - 1
    guard number >= 0 else { return nil }
    let found = occurrence(number)
    return found.instant.milliseconds >= range.lowerBound ? found : nil
  }
}
