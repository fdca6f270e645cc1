// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Plans
import Presentation
import Storage
import Web

/// The page of one dose.
struct DosePage: Sendable {
  let surroundings: DoseSurroundings
  /// The page after an answer; nil for the dose's own page.
  var returnPath: String?
  /// The submitted input that was not recorded.
  var typed: TypedAnswer?
  var mistakes: [AnswerMistake] = []
  /// True if someone else answered first.
  var isConflict = false
  /// The reason that a move failed.
  var moveRefusal: MoveDose.Refusal?
  /// True if the next doses can no longer be moved as shown.
  var isShiftStale = false
  /// True if the forms to change an answer are expanded.
  var isChange = false

  init(_ surroundings: DoseSurroundings, returnPath: String?) {
    self.surroundings = surroundings
    self.returnPath = returnPath
  }

  init(_ surroundings: DoseSurroundings, typed: TypedAnswer, mistakes: [AnswerMistake] = []) {
    self.surroundings = surroundings
    self.typed = typed
    self.mistakes = mistakes
    returnPath = typed.returnPath
    isChange = !mistakes.isEmpty && surroundings.dose.state.isAnswered
  }

  private var dose: Dose { surroundings.dose }
  private var address: String { "/doses/\(dose.id.text)" }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let words = DoseFormatter(localizer: localizer, zone: surroundings.zone, now: call.now)
    var frame = call.frame()
    frame.title = dose.medicineName
    frame.lead = words.dated(dose.due)
    frame.place = .today
    frame.back = .init(localizer.text("today.title"), address: "/")
    frame.hasErrors = !mistakes.isEmpty
    frame.flash = DoneNote(call)?.flash(
      [dose], words: words, now: call.now, token: call.formToken, returnPath: address,
      newIdentifier: call.environment.newIdentifier)
    if call.queryValue("moved") != nil {
      frame.flash = FlashBar(
        localizer.text(
          "rescheduling.moves.done",
          ["name": .text(dose.medicineName), "when": .text(words.moment(dose.due))]))
    }
    let status: HTTPResponse.Status =
      !mistakes.isEmpty || moveRefusal != nil
      ? .unprocessableContent : isConflict || isShiftStale ? .conflict : .ok
    return call.page(frame, content(words, call), status: status)
  }

  private func content(_ words: DoseFormatter, _ call: Call) -> Markup {
    let localizer = words.localizer
    let answers = DoseAnswerForms(
      surroundings: surroundings, words: words, typed: typed, mistakes: mistakes,
      returnPath: returnPath ?? address, token: call.formToken, now: call.now,
      newIdentifier: call.environment.newIdentifier)
    let summary = mistakes.summary(in: .dose, localizer)
    return """
      <div class="stack-large">\(ErrorSummary(summary, localizer: localizer))\
      \(if: isConflict, conflict(words))\
      \(if: isShiftStale, Notice(.warning, title: localizer.text("rescheduling.shift.stale")).markup)\
      \(explanation(localizer))\(missedDoseAdvice(words, call))\(rescheduled(words, call))\
      \(surroundings.looks.large(dose.plan, dose.medicineName, localizer))\(Card(facts(words)))\
      \(DoseReasonsPart(
        reasons: surroundings.reasons, time: words.time(dose.due), localizer: localizer))\
      <div class="stack-large" data-answers="\(dose.id.text)">\
      \(dose.state.isAnswered ? answered(answers, localizer) : open(answers))</div>\
      \(move(words, call.formToken))\
      \(DoseStory(entries: surroundings.story, words: words))\
      \(DeliveryStory(deliveries: surroundings.deliveries, words: words))</div>
      """
  }

  // MARK: State

  private func facts(_ words: DoseFormatter) -> Markup {
    let localizer = words.localizer
    var items = [
      DescriptionList.Item(
        localizer.text("dose.fact.state"), markup: "\(words.chip(dose))")
    ]
    if let amount = dose.answer?.amount ?? dose.amount {
      items.append(.init(localizer.text("dose.fact.amount"), words.amount(amount)))
    }
    if let answer = dose.answer, dose.state.isAnswered {
      items.append(.init(localizer.text("dose.fact.by"), answer.by))
      if let reason = answer.reason {
        items.append(.init(localizer.text("dose.fact.reason"), reason))
      }
    }
    if let times = words.times(of: dose, hasOwnRule: surroundings.rule != nil) {
      items.append(.init(localizer.text("dose.fact.times"), times))
    }
    items.append(
      .init(
        localizer.text("dose.fact.medicine"),
        markup: "<a href=\"/medicines/\(dose.plan)\">\(dose.medicineName)</a>"))
    return "\(DescriptionList(items))"
  }

  /// Returns the explanation of the dose's state, if a rule caused it.
  private func explanation(_ localizer: Localizer) -> Markup {
    switch dose.state {
    case .missed:
      return "\(Notice(.information, title: localizer.text("dose.missed")))"
    case .withheld:
      let rule: MessageKey =
        dose.stateReason == DoseStateReason.zoneChange.rawValue
        ? "dose.withheld.zone-change" : "dose.withheld.edit"
      return """
        \(Notice(
          .warning, title: localizer.text("dose.withheld.title"),
          "<p>\(localizer.text(rule))</p>"))
        """
    case .cancelled:
      return "\(Notice(.information, title: localizer.text(cancelledReason)))"
    default:
      return Markup()
    }
  }

  /// Returns the plan's advice for a missed dose; for a late dose, only if the plan has its own
  /// rule.
  private func missedDoseAdvice(_ words: DoseFormatter, _ call: Call) -> Markup {
    let isLate = dose.state == .due && dose.isLate && surroundings.rule != nil
    guard dose.state == .missed || isLate else { return Markup() }
    return MissedDoseAdvicePart(
      advice: surroundings.rescheduling?.advice
        ?? MissAdvice(surroundings.rule, for: dose, now: call.now),
      contacts: surroundings.contacts, words: words, mayAct: call.formToken.mayAct,
      clash: surroundings.rescheduling?.clash.map(reschedulingText(words, call).text)
    ).markup
  }

  /// Returns the rules one by one; after a dose taken late, their consequences.
  private func rescheduled(_ words: DoseFormatter, _ call: Call) -> Markup {
    let list = call.environment.interactions.list
    if let shift = surroundings.shift {
      return ReschedulingProposalPart(
        proposal: shift, words: words, list: list, contacts: surroundings.contacts,
        token: call.formToken, returnPath: address
      ).markup
    }
    guard let rescheduling = surroundings.rescheduling else { return Markup() }
    return ReschedulingPart(
      dose: dose, rescheduling: rescheduling, words: words, list: list, token: call.formToken,
      returnPath: returnPath ?? address, newIdentifier: call.environment.newIdentifier
    ).markup
  }

  private func reschedulingText(_ words: DoseFormatter, _ call: Call) -> ReschedulingText {
    ReschedulingText(words: words, list: call.environment.interactions.list)
  }

  private var cancelledReason: MessageKey {
    switch dose.stateReason.flatMap(DoseStateReason.init(rawValue:)) {
    case .stopped: "dose.cancelled.stopped"
    case .paused: "dose.cancelled.paused"
    case .unplanned: "dose.cancelled.unplanned"
    case .zoneChange: "dose.cancelled.zone-change"
    case .edit, nil: "dose.cancelled.edit"
    }
  }

  // MARK: Actions

  private func conflict(_ words: DoseFormatter) -> Markup {
    let localizer = words.localizer
    let title: String
    if let answer = dose.answer {
      title = localizer.text(
        "dose.conflict.answered",
        ["name": .text(answer.by), "state": .text(words.chip(dose).text)])
    } else {
      title = localizer.text("dose.conflict.changed")
    }
    return """
      \(Notice(
        .warning, title: title, "<p>\(localizer.text("dose.conflict.nothing-changed"))</p>"))
      """
  }

  private func move(_ words: DoseFormatter, _ token: FormToken) -> Markup {
    guard token.mayAct, let room = surroundings.room else { return Markup() }
    return MoveDosePart(
      dose: dose, room: room, zone: surroundings.zone, words: words, refusal: moveRefusal,
      token: token
    ).markup
  }

  private func open(_ answers: DoseAnswerForms) -> Markup {
    dose.state == .cancelled || !answers.token.mayAct ? Markup() : answers.open
  }

  private func answered(_ answers: DoseAnswerForms, _ localizer: Localizer) -> Markup {
    guard answers.token.mayAct else { return Markup() }
    if isChange { return answers.change }
    return """
      \(ButtonRow("""
        \(answers.undo(localizer.text("dose.undo")))\
        \(LinkButton(
          localizer.text("dose.change"), address: "\(address)?change=yes", icon: .pencil))\
        \(if: SkipReason.needsAdvice(dose), LinkButton(
          localizer.text("advice.title"),
          address: AdvicePage.address(of: dose.id, returnPath: address), icon: .info).markup)
        """))
      """
  }
}
