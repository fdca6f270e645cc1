// SPDX-License-Identifier: Apache-2.0

import Reminders
import Storage
import Web

extension ServerEnvironment {
  /// The ways on which reminders leave.
  package var channels: ReminderChannels { features[ReminderChannels.self] }

  /// Returns the context in which the reminder engine works.
  package func reminderContext(at now: Timestamp) -> ReminderContext {
    ReminderContext(
      now: now, newIdentifier: newIdentifier, zones: zones, accounts: accounts,
      mailIsPossible: channels.mailIsPossible, publicURL: baseURL,
      sources: features[ReminderSources.self])
  }
}
