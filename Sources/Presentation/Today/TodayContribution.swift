// SPDX-License-Identifier: Apache-2.0

import Access
import HTML
import Identifiers
import Plans
import Web

/// A feature that contributes to Today.
///
/// It is in the folder of its feature and listed in `RegimenServer.todayContributions`, whose order
/// is the order of the cards within one place.
package protocol TodayContribution: Sendable {
  /// Reads the contribution of the feature in the snapshot in which all of Today is read.
  func read(_ today: TodayContext) throws -> TodayAddition
}

/// The place of a card on Today, from top to bottom, between Today's own parts.
///
/// If Today has nothing to list, it shows only ``top``, ``afterDueDoses`` and ``afterNextDoses``.
package enum TodayPlace: String, Sendable, Hashable {
  case top
  /// Above the doses that are due.
  case beforeDoses
  /// Below the doses that are due.
  case afterDueDoses
  /// Below the doses that are due: notes about reminders that might not arrive.
  case reminders
  /// Below the doses that come next.
  case afterNextDoses
  /// Below the doses of later today.
  case afterLaterDoses
  /// A link in the row at the end, next to the one that records another intake.
  case links
}

/// A card on Today, with the data read for it.
package struct TodayCard: Sendable {
  /// The place of the card.
  package let place: TodayPlace
  /// True if the card counts as content, so that Today is not shown as empty.
  package var fillsPage = false
  /// The function that renders the card.
  package let markup: @Sendable (TodayRendering) -> Markup

  /// Creates a card.
  package init(
    _ place: TodayPlace, fillsPage: Bool = false,
    _ markup: @escaping @Sendable (TodayRendering) -> Markup
  ) {
    self.place = place
    self.fillsPage = fillsPage
    self.markup = markup
  }
}

/// A feature's addition to Today: cards, and notes in the rows of doses.
package struct TodayAddition: Sendable {
  /// An addition without cards or notes.
  package static let nothing = TodayAddition()

  /// The cards, in order within their places.
  package var cards: [TodayCard] = []
  /// The plans to review before any dose is taken.
  package var plansForReview: Set<PlanID> = []
  /// The accesses to the data of other people that the cards contain, noted in the audit trail.
  package var accesses: [DataAccess] = []
  /// The function that returns the note for the row of a dose, or nil for none.
  package var row: (@Sendable (Dose, TodayRendering) -> TodayRowAddition?)?

  /// The function that returns a sentence for the end of a day on which every dose was taken.
  package var dayDone: (@Sendable (TodayRendering) -> String)?

  /// An access to another person's data.
  package struct DataAccess: Sendable {
    /// The permission under which it was read.
    package let authorization: Authorization
    /// The number of resources that were read.
    package let count: Int

    /// Creates an access.
    package init(authorization: Authorization, count: Int) {
      self.authorization = authorization
      self.count = count
    }
  }

  /// Creates an empty addition.
  package init() {}

  /// Creates an addition of one card.
  package init(_ card: TodayCard) {
    cards = [card]
  }
}

/// The notes of features in the row of one dose.
package struct TodayRowAddition {
  /// The picture of the medicine, for a dose that is still to be taken.
  package var picture = Markup()
  /// True if the notes already say how late the dose may be taken.
  package var saysHowLate = false
  /// The advice for a late or missed dose.
  package var advice = Markup()
  /// Another button to take the dose, if no question has to be asked first.
  package var button: (() -> Markup)?

  /// Creates the notes for one row.
  package init(
    picture: Markup = Markup(), saysHowLate: Bool = false, advice: Markup = Markup(),
    button: (() -> Markup)? = nil
  ) {
    self.picture = picture
    self.saysHowLate = saysHowLate
    self.advice = advice
    self.button = button
  }

  /// Adds the notes of another feature; the first button is kept.
  package mutating func add(_ other: TodayRowAddition) {
    picture = "\(picture)\(other.picture)"
    saysHowLate = saysHowLate || other.saysHowLate
    advice = "\(advice)\(other.advice)"
    button = button ?? other.button
  }
}

/// The values shared by all cards and rows of one page.
package struct TodayRendering {
  /// The formatter of doses, times and amounts.
  package let words: DoseFormatter
  /// The token of the forms.
  package let token: FormToken
  /// The function that makes the identifier of a press, a UUID.
  package let newIdentifier: () -> String

  /// Creates the values for one page.
  package init(words: DoseFormatter, token: FormToken, newIdentifier: @escaping () -> String) {
    self.words = words
    self.token = token
    self.newIdentifier = newIdentifier
  }
}
