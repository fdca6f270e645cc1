// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import HTML
import Localization
import Scheduling
import Storage

/// What Today says beside the doses: a question of the heart rate, silent devices, held reminders, old open doses.
struct TodayAsides: Sendable {
  /// Devices of the account that have shown nothing for long.
  var silent: [PushSubscription] = []
  /// A question of the watched heart rate that waits for its answer.
  var warning: Warning?
  /// Until when reminders hold back though doses are due.
  var holdsUntil: Timestamp?
  /// Doses of earlier days that nobody answered.
  var unanswered: MissedDoses.Summary?
  /// Medicines that are taken when needed.
  var asNeeded: [AsNeededMedicine] = []
  /// Breaks of cycles that begin or end tomorrow.
  var turns: [CycleTurn] = []
  /// Doses that a change of the clock moves, from the evening before on.
  var clockMoves: [ClockMove] = []
  /// Doses taken late whose plan puts the next one off, and nobody has said yet whether it is moved.
  var shifts: [DoseShifting.Proposal] = []
  /// The zone for which the question of a journey was put off.
  var journeyPutOff: String?
  /// What is at home and runs low.
  var low: [StockSummary] = []
  /// Whether the person's first page is the simple one.
  var isSimple = false
  /// What the medicines look like.
  var looks = MedicineLooks()
  /// The accepted invitations that wait for confirmation.
  var accepted: [GrantInvitation] = []
  /// Today's doses that were already past when their medicines were added.
  var passed: [PassedDoses.OfPlan] = []
  /// Who takes care of something, and who reminds.
  var messages = TodayMessages()

  func warned(_ words: DoseWords) -> Markup {
    let warned = warning.map { WarningNotice(warning: $0, localizer: words.localizer).markup }
    return """
      \(if: isSimple, SimpleWayBack(localizer: words.localizer).markup)\(warned)\
      \(each: accepted, { toConfirm($0, words.localizer) })\
      \(messages.markup(words))
      """
  }

  /// Nothing is shared until it is confirmed, so the invitation must not wait unseen on a settings page.
  private func toConfirm(_ invitation: GrantInvitation, _ localizer: Localizer) -> Markup {
    Notice(
      .information,
      title: localizer.text(
        "people.invitation-state", ["state": .text(invitation.state.rawValue)]),
      LinkButton(
        localizer.text("people.open-invitation"), address: "/people/invitations/\(invitation.id)",
        icon: .person
      ).markup
    ).markup
  }

  /// A gentle question, below what is to be taken now.
  func asked(_ words: DoseWords, _ token: FormToken) -> Markup {
    guard let unanswered, token.mayAct else { return Markup() }
    let localizer = words.localizer
    let link = LinkButton(
      localizer.text("missed.answer"), address: MissedPage.path, icon: .pencil)
    return Notice(
      .information,
      title: localizer.text(
        "missed.since",
        [
          "count": .number(unanswered.count), "since": .text(words.moment(unanswered.first)),
        ]), "\(link)"
    ).markup
  }

  /// Returns notes on doses that did not occur today and changes to expect tomorrow, and on a
  /// journey the question how the medicines adapt.
  func tomorrow(_ words: DoseWords, _ token: FormToken) -> Markup {
    let travel: Markup =
      token.mayAct
      ? TravelNotice(
        home: words.zone.identifier, putOff: journeyPutOff, token: token,
        localizer: words.localizer
      ).markup : Markup()
    let clock = ClockMovesNotice(
      moves: clockMoves, clock: MedicineClock(zone: words.zone, localizer: words.localizer)
    ).markup
    let notices = turns.map { turn in
      Notice(
        .information,
        title: words.localizer.text(
          "patterns.turn",
          ["kind": .text(turn.kind.rawValue), "name": .text(turn.medicineName)])
      ).markup
    }
    let begun = PassedDosesPart(passed: passed, words: words, token: token)
    return "\(begun)\(travel)\(clock)\(notices)"
  }

  func holds(_ words: DoseWords) -> Markup {
    guard let holdsUntil else { return Markup() }
    return Notice(
      .information,
      title: words.localizer.text("alarms.holds", ["time": .text(words.moment(holdsUntil))])
    ).markup
  }
}
