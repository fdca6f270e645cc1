// SPDX-License-Identifier: Apache-2.0

/// The time after a dose at which the question comes: a pure rule.
package struct FollowUpTiming: Sendable, Hashable {
  /// The origin of the time.
  package enum Origin: String, Sendable, Hashable, CaseIterable {
    /// The person chose it.
    case chosen
    /// The prescription allows the next dose that early.
    case interval
    /// The program's own time, which says nothing about the medicine.
    case standard
  }

  /// The time without any better one, in minutes.
  package static let standard = 120
  /// The times that a person can choose, in minutes.
  package static let allowed = 15...1_440
  /// The time after the dose from which the question is not asked any more, in milliseconds.
  static let reach: Int64 = 48 * 3_600_000

  /// The minutes after the dose.
  package let minutes: Int
  /// The origin of the time.
  package let origin: Origin

  /// Creates the time for a medicine.
  ///
  /// No source states for every medicine when it works. If the prescription allows the next dose sooner than the
  /// standard time, the question comes then, so that it is answered before another dose is taken.
  ///
  /// - Parameters:
  ///   - chosen: the person's choice in minutes; nil for none.
  ///   - gap: the least time between two doses in milliseconds; nil for none.
  package init(chosen: Int?, gap: Int64?) {
    if let chosen {
      minutes = min(max(chosen, Self.allowed.lowerBound), Self.allowed.upperBound)
      origin = .chosen
      return
    }
    let between = gap.map { Int(clamping: $0 / 60_000) }
    if let between, (Self.allowed.lowerBound..<Self.standard).contains(between) {
      minutes = between
      origin = .interval
    } else {
      minutes = Self.standard
      origin = .standard
    }
  }
}
