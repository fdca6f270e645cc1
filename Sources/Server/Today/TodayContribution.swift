// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import Identifiers

/// Something that a feature puts on Today.
///
/// It lives in the folder of its feature and stands in ``RegimenServer/todayContributions``, whose order is the order
/// of the cards within one place.
protocol TodayContribution: Sendable {
  /// Reads what the feature has to say, in the snapshot in which all of Today is read.
  func read(_ today: TodayContext) throws -> TodayAddition
}

/// The place of a card on Today, from top to bottom, between Today's own parts.
///
/// With nothing to list, Today shows the places ``top``, ``afterDueDoses`` and ``afterNextDoses`` alone.
enum TodayPlace: Sendable, Hashable {
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
struct TodayCard: Sendable {
  let place: TodayPlace
  /// True if Today is not empty because of it.
  var fillsPage = false
  let markup: @Sendable (TodayRendering) -> Markup

  init(
    _ place: TodayPlace, fillsPage: Bool = false,
    _ markup: @escaping @Sendable (TodayRendering) -> Markup
  ) {
    self.place = place
    self.fillsPage = fillsPage
    self.markup = markup
  }
}

/// A feature's addition to Today: cards, and notes in the rows of doses.
struct TodayAddition: Sendable {
  static let nothing = TodayAddition()

  var cards: [TodayCard] = []
  /// Plans whose doses must be looked at before anything is taken.
  var plansToLookAt: Set<PlanID> = []
  /// Makes the note for the row of a dose; nil if the feature adds none.
  var row: (@Sendable (Dose, TodayRendering) -> TodayRowAddition?)?

  init() {}

  init(_ card: TodayCard) {
    cards = [card]
  }
}

/// The notes of features in the row of one dose.
struct TodayRowAddition {
  /// The picture of the medicine, for a dose that is still to be taken.
  var picture = Markup()
  /// True if it says itself how late the dose may be taken.
  var saysHowLate = false
  /// The advice for a late or forgotten dose.
  var advice = Markup()
  /// Another way to take the dose, if nothing has to be asked first.
  var button: (() -> Markup)?

  /// Adds what another feature says.
  mutating func add(_ other: TodayRowAddition) {
    picture = "\(picture)\(other.picture)"
    saysHowLate = saysHowLate || other.saysHowLate
    advice = "\(advice)\(other.advice)"
    button = button ?? other.button
  }
}

/// The shared values for rendering cards and rows.
struct TodayRendering {
  let words: DoseWords
  let token: FormToken
  let newIdentifier: () -> String
}
