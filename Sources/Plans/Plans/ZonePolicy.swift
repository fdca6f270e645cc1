// SPDX-License-Identifier: Apache-2.0

/// The rule for a plan's doses when the patient's time zone changes.
package enum ZonePolicy: String, Sendable, Hashable, CaseIterable {
  /// The clock times apply wherever the patient is.
  case follow
  /// The clock times of the zone in which the plan was made apply everywhere.
  case home
  /// The time between doses stays the same: during travel the plan follows the fixed offset of home
  /// when the person left, whatever clock changes happen anywhere.
  case elapsed
}
