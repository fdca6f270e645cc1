// SPDX-License-Identifier: Apache-2.0

import Localization

/// The purpose of an alarm.
package enum AlarmKind: String, Sendable, Hashable, CaseIterable {
  case water, pulse, appointment, own

  /// Returns the name of the alarm: the person's own label, otherwise its kind.
  package func name(_ label: String, _ localizer: Localizer) -> String {
    label.isEmpty ? localizer.text("alarms.kind", ["kind": .text(rawValue)]) : label
  }
}
