// SPDX-License-Identifier: Apache-2.0

import Localization
import SiteMap
import Web

/// A page in the list of *Me*, where the settings of a person and of the account are.
package enum SettingsPage: String, Sendable, CaseIterable {
  case healthProfile = "health-profile"
  case reminders, routine, account, privacy, connections, appearance, help

  /// The address of the page.
  package var address: String {
    switch self {
    case .healthProfile: Address.healthProfile
    case .reminders: Address.reminderSettings
    case .routine: Address.routine
    case .account: Address.account
    case .privacy: Address.privacy
    case .connections: Address.connections
    case .appearance: Address.appearance
    case .help: Address.help
    }
  }

  /// The icon of the page in lists.
  package var icon: Icon {
    switch self {
    case .healthProfile: .heart
    case .reminders: .bell
    case .routine: .clock
    case .account: .lock
    case .privacy: .list
    case .connections: .link
    case .appearance: .sun
    case .help: .question
    }
  }

  /// True if the page is about a person, so that only those who act for the person can open it.
  package var needsRightToAct: Bool {
    switch self {
    case .healthProfile, .routine, .privacy, .connections: true
    case .reminders, .account, .appearance, .help: false
    }
  }

  /// Returns the title of the page.
  package func title(_ localizer: Localizer) -> String {
    localizer.text("me.page", ["page": .text(rawValue)])
  }

  /// Returns the row of the page in a list, with a line that names its content.
  package func place(_ localizer: Localizer) -> PlaceList.Place {
    .init(
      title(localizer), address: address, icon: icon,
      hint: localizer.text("me.page-hint", ["page": .text(rawValue)]))
  }

  /// Returns the link back to the page.
  package func back(_ localizer: Localizer) -> PageFrame.BackLink {
    .init(title(localizer), address: address)
  }
}

extension PageFrame.BackLink {
  /// Returns the link back to *Me*.
  package static func me(_ localizer: Localizer) -> Self {
    .init(localizer.text("me.title"), address: Address.me)
  }

  /// Returns the link back to *Progress*.
  package static func progress(_ localizer: Localizer) -> Self {
    .init(localizer.text("progress.title"), address: Address.progress)
  }

  /// Returns the link back to *People*.
  package static func people(_ localizer: Localizer) -> Self {
    .init(localizer.text("people.title"), address: Address.people)
  }
}
