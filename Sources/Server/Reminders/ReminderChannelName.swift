// SPDX-License-Identifier: Apache-2.0

import Adherence
import Localization

extension ReminderChannel {
  /// Returns the name shown to people.
  func name(_ localizer: Localizer) -> String {
    localizer.text("ladder.channel", ["channel": .text(rawValue)])
  }
}
