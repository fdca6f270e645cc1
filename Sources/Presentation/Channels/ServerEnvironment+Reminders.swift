// SPDX-License-Identifier: Apache-2.0

import Reminders
import Storage
import Web

extension ReminderChannels: FeatureValue {
  /// The channels of a server that reaches no one: deliveries stay in the queue.
  package static let absent = ReminderChannels.none
}

extension ReminderSources: FeatureValue {
  /// The sources of a program without features that send reminders.
  package static let absent = ReminderSources.none
}

extension ServerEnvironment {
  /// The channels on which reminders leave the server.
  package var channels: ReminderChannels { features[ReminderChannels.self] }

  /// Returns the context for one run of the reminder engine.
  package func reminderContext(at now: Timestamp) -> ReminderContext {
    ReminderContext(
      now: now, newIdentifier: newIdentifier, zones: zones, accounts: accounts,
      mailIsPossible: channels.mailIsPossible, publicURL: baseURL,
      sources: features[ReminderSources.self])
  }
}
