// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Localization
import SiteMap
import Storage
import Web

/// The banner about emergency access at the top of every page.
///
/// It shows practitioners the time left, tells those who act for a person about opened data or
/// guesses at the emergency card, and reminds administrators of reviews.
package struct EmergencyBanner: PagePart {
  /// The account's open emergency accesses, with the names of the persons.
  let open: [(access: EmergencyAccess, name: String)]
  /// The people for whom the account acts whose data was opened in the last day.
  let opened: [String]
  /// The people for whom the account acts whose emergency cards someone tried to open with wrong
  /// codes.
  let guessed: [String]
  /// The number of accesses that an administrator has not reviewed.
  let unreviewed: Int
  let now: Timestamp
  let token: FormToken
  let localizer: Localizer

  /// The notices; nothing if there are none.
  package var markup: Markup {
    """
    \(each: open, { looking($0.access, $0.name) })\(each: opened, told)\
    \(each: guessed, toldOfGuesses)\
    \(if: unreviewed > 0, review)
    """
  }

  private func looking(_ access: EmergencyAccess, _ name: String) -> Markup {
    Notice(
      .error,
      title: localizer.text(
        "emergency-access.banner.title",
        ["name": .text(name), "minutes": .number(access.minutesLeft(at: now))]),
      """
      <p>\(localizer.text("emergency-access.banner.help"))</p>\
      \(ButtonRow("""
        \(LinkButton(
          localizer.text("emergency-access.banner.overview"),
          address: "\(Address.emergencyAccess)/\(access.id)"))\
        \(FormButton(
          localizer.text("emergency-access.banner.end"),
          action: "\(Address.emergencyAccess)/\(access.id)/end", token: token, kind: .secondary,
          object: name))
        """))
      """
    ).markup
  }

  private func told(_ name: String) -> Markup {
    Notice(
      .warning, title: localizer.text("emergency-access.told.notice", ["name": .text(name)]),
      LinkButton(localizer.text("emergency-access.told.open"), address: EmergencyPages.toldPath)
        .markup
    ).markup
  }

  private func toldOfGuesses(_ name: String) -> Markup {
    Notice(
      .warning, title: localizer.text("emergency-card.guessed", ["name": .text(name)]),
      LinkButton(
        localizer.text("emergency-card.guessed-open"), address: Address.emergencyCard
      ).markup
    ).markup
  }

  private var review: Markup {
    Notice(
      .warning,
      title: localizer.text("emergency-access.review.waiting", ["count": .number(unreviewed)]),
      LinkButton(localizer.text("emergency-access.review.open"), address: EmergencyReview.path)
        .markup
    ).markup
  }
}

extension EmergencyBanner: FramePart {
  /// Returns the banner for the account that sends the request.
  package static func pieces(for call: Call) -> [FramePiece] {
    let people = call.people
    let banner = EmergencyBanner(
      open: people.compactMap { person in person.emergency.map { ($0, person.name) } },
      opened: people.filter(\.wasOpened).map(\.name),
      guessed: people.filter(\.isCardGuessed).map(\.name), unreviewed: call.unreviewed,
      now: call.now, token: call.accountToken, localizer: call.localizer)
    return [FramePiece(.banner) { _ in banner.markup }]
  }
}
