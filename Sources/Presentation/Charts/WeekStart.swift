// SPDX-License-Identifier: Apache-2.0

import Localization
import Scheduling

/// The day on which weeks begin.
package enum WeekStart {
  /// The days that calendars begin with, as they can be chosen for a device.
  package static let choices: [Weekday] = [.monday, .sunday, .saturday]

  /// The usual day where the device has no choice: Sunday for Thai calendars, else Monday.
  package static func usual(_ language: Language) -> Weekday {
    switch language {
    case .th: .sunday
    case .en, .de, .nb, .tr: .monday
    }
  }

  /// The code of a day, as the cookie has it.
  package static func code(_ day: Weekday) -> String { String(day.rawValue) }
}
