// SPDX-License-Identifier: Apache-2.0

/// A fault of the installation that the operator must fix; `/health` lists it by its raw value.
package enum InstallationFault: String, Sendable, Hashable, CaseIterable {
  /// The clock is not trusted, so nothing rings.
  case clock
  /// A backup failed, is overdue or is missing.
  case backup
  /// Zone files in use are missing or damaged.
  case zones
  /// Log lines cannot be written.
  case log
  /// The audit trail does not match its anchors, or the anchors were removed.
  case audit
  /// The database is damaged.
  case damage
  /// The MQTT broker can't be reached.
  case broker
}
