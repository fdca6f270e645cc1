// SPDX-License-Identifier: Apache-2.0

import Localization
import Reminders

extension ReminderChannel {
  /// Returns the name shown to people.
  package func name(_ localizer: Localizer) -> String {
    localizer.text("escalation.channel", ["channel": .text(rawValue)])
  }
}
