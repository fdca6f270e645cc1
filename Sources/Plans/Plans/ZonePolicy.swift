// SPDX-License-Identifier: Apache-2.0

/// The rule for a plan's doses when the patient's time zone changes.
package enum ZonePolicy: String, Sendable, Hashable, CaseIterable {
  /// The clock times hold wherever the patient is.
  case follow
  /// The clock times of the zone in which the plan was made hold everywhere.
  case home
  /// The time between doses holds: on a journey the clock of home goes on as it stood when it was left, whatever any
  /// place does with its clocks.
  case elapsed
}
