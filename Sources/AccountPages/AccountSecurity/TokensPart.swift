// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Localization
import Presentation
import Web

/// The tokens of an account, with buttons to revoke each and to create one.
struct TokensPart: PagePart {
  let tokens: [TokenListing]
  let words: DoseFormatter
  let token: FormToken

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    """
    \(if: tokens.isEmpty, "<p class=\"muted\">\(localizer.text("tokens.none"))</p>")\
    \(each: tokens, card)\
    \(ButtonRow(LinkButton(
      localizer.text("tokens.make"), address: TokenPages.path, icon: .plus).markup))
    """
  }

  private func card(_ listing: TokenListing) -> Markup {
    let name = listing.label.isEmpty ? localizer.text("tokens.unnamed") : listing.label
    let used =
      listing.used.map {
        localizer.text("account-security.note.used", ["time": .text(words.moment($0))])
      }
      ?? localizer.text("tokens.unused")
    let end =
      listing.expires.map { localizer.text("tokens.until", ["time": .text(words.moment($0))]) }
      ?? localizer.text("tokens.endless")
    let beginning: Markup =
      """
      <p class="muted">\(localizer.text("tokens.beginning", [
        "prefix": .text("\(listing.prefix)…"),
      ]))</p>
      """
    return """
      <div class="card"><h2 class="card-title">\(name)</h2>\
      \(if: !listing.prefix.isEmpty, beginning)\
      <p class="muted">\(localizer.text("tokens.scope", [
        "scope": .text(scope(listing)),
      ]))</p><p class="muted">\(used)</p><p class="muted">\(end)</p>\
      \(ButtonRow("""
        \(FormButton(
          localizer.text("tokens.end"), action: "\(TokenPages.path)/\(listing.id)", token: token,
          kind: .quiet, object: name))
        """))</div>
      """
  }

  private func scope(_ listing: TokenListing) -> String {
    switch listing.scope {
    case .system: "system"
    case .vitals: "vitals"
    case .user, .patient: "own"
    case .userReading, .patientReading: "reading"
    }
  }
}
