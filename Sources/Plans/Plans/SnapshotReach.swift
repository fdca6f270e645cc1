// SPDX-License-Identifier: Apache-2.0

/// The spans around now for which a ``PatientSnapshot`` reads, in milliseconds.
package enum SnapshotReach {
  /// The age up to which doses are read: the longest local day is 25 hours, and the longest late window of
  /// yesterday's doses ends before that.
  package static let doses: Int64 = 26 * 3_600_000
  /// The time ahead within which open doses are read, so that a rescheduled dose keeps its distance from them.
  static let openDoses: Int64 = 48 * 3_600_000
  /// The age up to which the last intake of a medicine taken as needed is looked for.
  package static let lastIntake = 7 * PlanLimits.day
  /// The age up to which doses without an answer are asked about: people do not remember further than 30 days.
  package static let missedDoses = 30 * PlanLimits.day
}
