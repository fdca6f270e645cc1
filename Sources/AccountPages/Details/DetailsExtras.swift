// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import SiteMap
import Web

/// The part below a form for personal details: links to related pages.
struct DetailsExtras: PagePart {
  let section: DetailsSection
  /// True if the page has a form, which includes the language on the page of display choices.
  let isForm: Bool
  let frame: PageFrame
  let call: Call

  private var localizer: Localizer { call.localizer }

  var markup: Markup {
    switch section {
    case .contacts: Markup()
    case .healthProfile, .routine: PlaceList(places).markup
    case .account: "\(PlaceList(places))\(signedIn)"
    case .appearance: display
    }
  }

  private var places: [PlaceList.Place] {
    switch section {
    case .healthProfile:
      [
        .init(
          localizer.text("me.conditions"),
          address: "\(Address.interactions)#conditions", icon: .list),
        .init(
          localizer.text("me.contacts.title"), address: Address.medicalContacts, icon: .phone),
        .init(
          localizer.text("emergency-card.title"), address: Address.emergencyCard, icon: .card),
      ]
    case .routine:
      [
        .init(localizer.text("travel.title"), address: Address.travel, icon: .clock),
        .init(localizer.text("alarms.mornings"), address: Address.sleepIn, icon: .moon),
      ]
    case .account:
      [
        .init(
          localizer.text("account-security.title"), address: Address.accountSecurity, icon: .lock)
      ]
        + (call.environment.providers.all.isEmpty ? [] : [IdentitiesPage.place(localizer)])
    case .contacts, .appearance: []
    }
  }

  private var signedIn: Markup {
    guard case .signedIn(_, let email, _) = frame.visitor else { return Markup() }
    return """
      <p class="account-line">\
      \(localizer.text("parts.account.signed-in", ["email": .text(email)]))</p>
      """
  }

  private var display: Markup {
    """
    <div class="stack">\(if: !isForm, DisplayChoiceList(.language, frame: frame).markup)\
    \(DisplayChoiceList(.theme, frame: frame))\(DisplayChoiceList(.textSize, frame: frame))\
    <p class="muted">\(localizer.text("me.appearance.this-device"))</p></div>
    """
  }
}
