// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// The simple page: one question, two buttons, and the last answer in large type.
///
/// It works without a script.
struct SimplePage {
  let model: SimpleModel
  let words: DoseFormatter
  let laterMinutes: Int?
  let isChosen: Bool
  let mayChoose: Bool
  /// The appearance of the medicines.
  var looks = MedicineAppearances()
  /// The proposals that wait for a decision after doses that were taken late.
  var shifts: [DoseRescheduler.Proposal] = []

  private var localizer: Localizer { words.localizer }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = title
    frame.place = .today
    // The frame, without navigation; the link to the full view is below the question.
    frame.visitor = .signedOut
    frame.secondsFresh = 60
    frame.isLive = true
    if let person = call.person, !person.isOwn { frame.lead = person.calledName }
    return call.page(
      frame,
      """
      <div class="simple">\(question(call))\(shifted(call))\(last(call))\(next(mayAct: call.formToken.mayAct))\(more)\(ways(call))</div>
      """)
  }

  private var title: String {
    switch model.question {
    case .take(let rows):
      let names = localizer.list(rows.map(\.dose.medicineName))
      return localizer.text("simple.question", ["names": .text(names)])
    case .look(let row):
      return localizer.text("simple.look", ["name": .text(row.dose.medicineName)])
    case nil: return localizer.text("simple.nothing")
    }
  }

  // MARK: The question

  private func question(_ call: Call) -> Markup {
    switch model.question {
    case nil: return Markup()
    case .look(let row):
      return """
        <p>\(localizer.text("simple.look-help"))</p>\
        \(looks.large(row.dose.plan, row.dose.medicineName, localizer))\
        \(ButtonRow(LinkButton(
          localizer.text("simple.everything"), address: "/doses/\(row.dose.id.text)",
          kind: .primary, icon: .list).markup))
        """
    case .take(let rows):
      let amounts = rows.map { row -> Markup in
        let amount = (row.dose.amount).map(words.amount) ?? ""
        return """
          <li><strong>\(row.dose.medicineName)</strong>\
          \(if: !amount.isEmpty, "<br>\(amount)") · \(words.time(row.dose.due))\
          \(looks.large(row.dose.plan, row.dose.medicineName, localizer))</li>
          """
      }
      let taken = rows.flatMap(\.question)
      let asked = localizer.text("dose.question.row", ["taken": .text(words.taken(taken))])
      return """
        <ul class="simple-doses" role="list">\(amounts)</ul>\
        \(if: !taken.isEmpty, Notice(.warning, title: asked).markup)\
        \(if: call.queryValue("later") != nil, "<p role=\"status\">\(localizer.text("simple.all-right"))</p>")\
        \(if: call.formToken.mayAct, buttons(rows, call))
        """
    }
  }

  private func buttons(_ rows: [TodayModel.Row], _ call: Call) -> Markup {
    let doses = rows.map(\.dose.id.text).joined(separator: " ")
    return """
      <div class="simple-buttons" data-answers="\(doses)">\(yes(rows, call))\(notNow(rows, call))</div>
      """
  }

  private func yes(_ rows: [TodayModel.Row], _ call: Call) -> Markup {
    let asked = rows.flatMap(\.question).map { (name: "confirm", value: $0.administration.text) }
    return answer(
      "taken", localizer.text("simple.yes-button"), rows, more: asked, kind: .primary, icon: .check,
      call)
  }

  private func notNow(_ rows: [TodayModel.Row], _ call: Call) -> Markup {
    let text = localizer.text("simple.not-now")
    guard let laterMinutes else {
      // It can't be postponed by one press: the question stays.
      return LinkButton(text, address: "\(Address.simpleView)?later=yes", icon: .clock).markup
    }
    return answer(
      "later", text, rows, more: [("minutes", String(laterMinutes))], kind: .secondary,
      icon: .clock, call)
  }

  /// Returns a button for one dose, or for all that are due together.
  private func answer(
    _ action: String, _ text: String, _ rows: [TodayModel.Row],
    more: [(name: String, value: String)], kind: ButtonKind, icon: Icon, _ call: Call
  ) -> Markup {
    let new = call.environment.newIdentifier
    let back = [(name: "action", value: action), (name: "return", value: Address.simpleView)]
    let names = localizer.list(rows.map(\.dose.medicineName))
    if rows.count == 1, let dose = rows.first?.dose {
      return FormButton(
        text, action: "/doses/\(dose.id.text)/answers", token: call.formToken,
        fields: back + [(name: "event", value: new())] + more, kind: kind, icon: icon,
        object: names
      ).markup
    }
    let answers = rows.map { (name: "answer", value: "\($0.dose.id.text) \(new())") }
    return FormButton(
      text, action: "/answers", token: call.formToken, fields: back + answers + more, kind: kind,
      icon: icon, object: names
    ).markup
  }

  /// The decision about moving the next dose has to come before it is due, so it is asked here too.
  private func shifted(_ call: Call) -> Markup {
    ReschedulingCards(
      proposals: shifts, words: words, list: call.environment.interactions.list,
      token: call.formToken, returnPath: Address.simpleView
    ).markup
  }

  // MARK: Past doses

  private func last(_ call: Call) -> Markup {
    guard let last = model.told.first else { return Markup() }
    let others = model.told.dropFirst().prefix(8)
    let items: Markup = "\(each: others, { "<li>\($0.name): \(said($0))</li>" })"
    return """
      <section class="simple-last" id="last"><h2>\(localizer.text("simple.last"))</h2>\
      <p class="simple-answer">\(said(last))</p><p>\(last.name)</p>\(takeBack(last, call))\
      \(if: !others.isEmpty, "<ul class=\"simple-others\" role=\"list\">\(items)</ul>")\
      </section>
      """
  }

  private func said(_ told: SimpleModel.Told) -> String {
    switch told.outcome {
    case .taken(let at): localizer.text("simple.yes", ["time": .text(words.moment(at))])
    case .leftOut(let at): localizer.text("simple.no", ["time": .text(words.moment(at))])
    case .unknown(let due): localizer.text("simple.unknown", ["time": .text(words.moment(due))])
    }
  }

  private func takeBack(_ told: SimpleModel.Told, _ call: Call) -> Markup {
    guard call.formToken.mayAct, let dose = told.dose else { return Markup() }
    return FormButton(
      localizer.text("simple.take-back"), action: "/doses/\(dose.id.text)/answers",
      token: call.formToken,
      fields: [
        ("action", "undo"), ("event", call.environment.newIdentifier()),
        ("corrects", String(dose.version)), ("return", Address.simpleView),
      ], kind: .quiet, icon: .undo, object: dose.medicineName
    ).markup
  }

  private func next(mayAct: Bool) -> Markup {
    guard model.question == nil, let next = model.next else { return Markup() }
    let text = localizer.text(
      "today.next",
      [
        "day": next.isTomorrow ? "tomorrow" : "today", "time": .text(words.time(next.due)),
        "names": .text(localizer.list(next.doses.map(\.medicineName))),
      ])
    guard mayAct else { return "<p class=\"simple-next\">\(text)</p>" }
    // Offline, the page asks on its own when the time has come.
    let names = localizer.list(next.doses.map(\.medicineName))
    return """
      <p class="simple-next" data-due="\(words.machine(next.due))" \
      data-doses="\(next.doses.map(\.id.text).joined(separator: " "))" \
      data-question="\(localizer.text("simple.question", ["names": .text(names)]))" \
      data-yes="\(localizer.text("simple.yes-button"))">\(text)</p>
      """
  }

  /// The link to important items that this page does not show.
  private var more: Markup {
    guard model.hasMore else { return Markup() }
    return Notice(
      .warning, title: localizer.text("simple.more"),
      "<p>\(localizer.text("simple.more-help"))</p>"
    ).markup
  }

  // MARK: Link to the full view

  private func ways(_ call: Call) -> Markup {
    let choice =
      mayChoose
      ? FormButton(
        localizer.text(isChosen ? "simple.no-longer" : "simple.always"), action: Address.simpleView,
        token: call.formToken, fields: [("choice", isChosen ? "off" : "on")], kind: .quiet,
        icon: .gear) : nil
    return """
      <div class="simple-ways">\(ButtonRow("""
        \(LinkButton(
          localizer.text("simple.everything"), address: "/?view=\(SimpleRoutes.everything)",
          kind: .quiet, icon: .list))\(choice)
        """))</div>
      """
  }
}

/// The link on Today back to the simple page, for a person who chose it.
struct SimpleWayBack: PagePart {
  let localizer: Localizer

  var markup: Markup {
    Notice(
      .information, title: localizer.text("simple.on"),
      LinkButton(localizer.text("simple.back"), address: Address.simpleView, icon: .arrowLeft)
        .markup
    ).markup
  }
}
