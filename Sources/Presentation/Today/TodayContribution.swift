// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Plans
import Web

/// Something that a feature puts on Today.
///
/// It lives in the folder of its feature and stands in ``RegimenServer/todayContributions``, whose order is the order
/// of the cards within one place.
package protocol TodayContribution: Sendable {
  /// Reads what the feature has to say, in the snapshot in which all of Today is read.
  func read(_ today: TodayContext) throws -> TodayAddition
}

/// The place of a card on Today, from top to bottom, between Today's own parts.
///
/// With nothing to list, Today shows the places ``top``, ``afterDueDoses`` and ``afterNextDoses`` alone.
package enum TodayPlace: Sendable, Hashable {
  case top
  /// Above the doses that are due.
  case beforeDoses
  /// Below the doses that are due.
  case afterDueDoses
  /// Below those: notes on whether reminders arrive.
  case reminders
  /// Below the doses that come next.
  case afterNextDoses
  /// Below the doses of later today.
  case afterLaterDoses
}

/// A card on Today, with what was read for it.
package struct TodayCard: Sendable {
  package let place: TodayPlace
  /// True if Today is not empty because of it.
  package var fillsPage = false
  package let markup: @Sendable (TodayRendering) -> Markup

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
  package static let nothing = TodayAddition()

  package var cards: [TodayCard] = []
  /// Plans whose doses must be looked at before anything is taken.
  package var plansForReview: Set<PlanID> = []
  /// Makes the note for the row of a dose; nil if the feature adds none.
  package var row: (@Sendable (Dose, TodayRendering) -> TodayRowAddition?)?

  package init() {}

  package init(_ card: TodayCard) {
    cards = [card]
  }
}

/// The notes of features in the row of one dose.
package struct TodayRowAddition {
  /// The picture of the medicine, for a dose that is still to be taken.
  package var picture = Markup()
  /// True if it says itself how late the dose may be taken.
  package var saysHowLate = false
  /// The advice for a late or forgotten dose.
  package var advice = Markup()
  /// Another way to take the dose, if nothing has to be asked first.
  package var button: (() -> Markup)?

  package init(
    picture: Markup = Markup(), saysHowLate: Bool = false, advice: Markup = Markup(),
    button: (() -> Markup)? = nil
  ) {
    self.picture = picture
    self.saysHowLate = saysHowLate
    self.advice = advice
    self.button = button
  }

  /// Adds what another feature says.
  package mutating func add(_ other: TodayRowAddition) {
    picture = "\(picture)\(other.picture)"
    saysHowLate = saysHowLate || other.saysHowLate
    advice = "\(advice)\(other.advice)"
    button = button ?? other.button
  }
}

/// The shared values for rendering cards and rows.
package struct TodayRendering {
  package let words: DoseFormatter
  package let token: FormToken
  package let newIdentifier: () -> String

  package init(words: DoseFormatter, token: FormToken, newIdentifier: @escaping () -> String) {
    self.words = words
    self.token = token
    self.newIdentifier = newIdentifier
  }
}
