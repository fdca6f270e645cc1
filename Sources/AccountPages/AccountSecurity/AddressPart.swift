// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Localization
import Presentation
import SiteMap
import Storage
import Web

/// The sign-in address of the account, its verification, and the link that changes it.
struct AddressPart: PagePart {
  let account: Account
  let proved: Timestamp?
  let canReach: Bool
  let words: DoseFormatter
  let token: FormToken

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    """
    \(Section(localizer.text("addresses.title"), id: "address", """
      <p>\(localizer.text("addresses.about", ["address": .text(account.email)]))</p>\
      <p class="muted">\(state)</p>\
      \(ButtonRow("""
        \(if: mayCheck, FormButton(
          localizer.text(account.isByPhone ? "addresses.check-phone" : "addresses.check"), action: AddressPage.checkPath, token: token,
          kind: .secondary).markup)\
        \(LinkButton(
          localizer.text("addresses.change"), address: AddressPage.path, icon: .pencil))
        """))
      """))
    """
  }

  private var mayCheck: Bool { proved == nil && canReach }

  private var state: String {
    guard let proved else {
      guard account.isByPhone else { return localizer.text("addresses.unproved") }
      return localizer.text(canReach ? "addresses.unproved-phone" : "addresses.phone-only")
    }
    return localizer.text("addresses.proved", ["time": .text(words.moment(proved))])
  }
}

/// The confirmation of a change of address.
enum AddressNote: String, Sendable {
  case sent, changed, proved

  var address: String { "\(Address.accountSecurity)?address=\(rawValue)" }

  func text(_ localizer: Localizer) -> String {
    localizer.text("addresses.note", ["done": .text(rawValue)])
  }
}
