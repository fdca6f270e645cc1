// SPDX-License-Identifier: Apache-2.0

import Localization
import SiteMap

/// One of the short pages about a person's reminders.
enum EscalationView: Sendable, Hashable, CaseIterable {
  /// The channels and the steps of the escalation.
  case policy
  /// Quiet hours, wording and clock changes.
  case quiet
  /// Later reminders on weekends and holidays.
  case sleepIn
  /// The people who are told if no one answers.
  case family

  /// The address of the page.
  var address: String {
    switch self {
    case .policy: Address.escalation
    case .quiet: Address.quietHours
    case .sleepIn: Address.sleepIn
    case .family: Address.escalationFamily
    }
  }

  /// The address of the page after a change.
  var saved: String { "\(address)?done=saved" }

  /// Returns the title of the page.
  func title(_ localizer: Localizer) -> String {
    switch self {
    case .policy: localizer.text("escalation.title")
    case .quiet: localizer.text("escalation.quiet")
    case .sleepIn: localizer.text("alarms.mornings")
    case .family: localizer.text("escalation.family")
    }
  }
}
