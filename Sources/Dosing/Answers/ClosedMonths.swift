// SPDX-License-Identifier: Apache-2.0

/// The months of a plan whose statistics are rolled up.
package struct ClosedMonths: Sendable {
  /// The number of the first month that is not rolled up.
  package let before: Int64
  /// The identifier of the time zone that bounds the days of these months.
  package let zone: String

  /// Creates closed months; use nil instead if no month is rolled up, since there is then no zone.
  init?(before: Int64, zone: String) {
    guard !zone.isEmpty else { return nil }
    self.before = before
    self.zone = zone
  }
}
