// SPDX-License-Identifier: Apache-2.0

import Localization
import Presentation
import SiteMap
import Web

/// A short page with some of the personal details and its own form.
enum DetailsSection: Sendable, Hashable, CaseIterable {
  case healthProfile, contacts, routine, account, appearance

  /// The address of the page and of its form.
  var address: String {
    switch self {
    case .healthProfile: Address.healthProfile
    case .contacts: Address.medicalContacts
    case .routine: Address.routine
    case .account: Address.account
    case .appearance: Address.appearance
    }
  }

  /// Returns the title of the page.
  func title(_ localizer: Localizer) -> String {
    switch self {
    case .healthProfile: SettingsPage.healthProfile.title(localizer)
    case .contacts: localizer.text("me.contacts.title")
    case .routine: SettingsPage.routine.title(localizer)
    case .account: SettingsPage.account.title(localizer)
    case .appearance: SettingsPage.appearance.title(localizer)
    }
  }

  /// Returns the link one level up.
  func back(_ localizer: Localizer) -> PageFrame.BackLink {
    self == .contacts ? SettingsPage.healthProfile.back(localizer) : .me(localizer)
  }

  /// Returns true if the form of the page asks for the person's language.
  ///
  /// The account's own language is next to the colours; that of someone else is one of their
  /// details.
  func asksForLanguage(isOwn: Bool) -> Bool {
    self == (isOwn ? .appearance : .account)
  }
}
