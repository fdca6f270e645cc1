// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// The cards on Today that ask for the site of a dose, and for the removal of what is worn too long.
package struct SitesOnToday: TodayContribution {
  /// The cards that are shown at once.
  private static let most = 4

  /// Creates the contribution; it keeps nothing between requests.
  package init() {}

  /// Returns the cards, or nothing if no site is recorded for any medicine.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.features.sites, today.mayAct else { return .nothing }
    let open = try SiteQueries.open(
      patient: today.patient.patient, at: today.now, in: today.reader)
    guard !open.isEmpty else { return .nothing }
    let (shown, now) = (Array(open.prefix(Self.most)), today.now)
    return TodayAddition(
      TodayCard(.afterDueDoses, fillsPage: true) { rendering in
        Section(
          rendering.words.localizer.text("sites.title"), id: "sites",
          "<div class=\"stack\">\(each: shown, { Self.card($0, rendering.words, now) })</div>"
        ).markup
      })
  }

  private static func card(
    _ open: OpenSiteUse, _ words: DoseFormatter, _ now: Timestamp
  ) -> Markup {
    let localizer = words.localizer
    let isDue = open.use.isWorn && (open.use.removeDue ?? now) <= now
    let text =
      (isDue ? SiteText(words: words).removal(open.use) : nil) ?? localizer.text("sites.ask")
    let link = LinkButton(
      localizer.text(isDue ? "sites.removal.open" : "sites.choose"),
      address: Address.site(of: open.use.administration.text), kind: .primary,
      icon: isDue ? .check : .pencil, object: open.medicineName)
    return Card(
      title: open.medicineName, level: .third, "<p>\(text)</p>\(ButtonRow(link.markup))"
    ).markup
  }
}
