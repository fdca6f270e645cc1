// SPDX-License-Identifier: Apache-2.0

import Localization
import Scheduling

/// The first day of the week.
package enum WeekStart {
  /// The first days that can be chosen for a device.
  package static let choices: [Weekday] = [.monday, .sunday, .saturday]

  /// Returns the first day for a device without a choice: Sunday in Thai, otherwise Monday.
  package static func usual(_ language: Language) -> Weekday {
    switch language {
    case .th: .sunday
    case .en, .de, .nb, .tr: .monday
    }
  }

  /// Returns the ISO number of a weekday as text, as stored in the cookie.
  package static func code(_ day: Weekday) -> String { String(day.rawValue) }
}
