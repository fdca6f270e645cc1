// SPDX-License-Identifier: Apache-2.0

import Accounts
import Calendar
import Dosing
import Encodings
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The page that a tap on a sticker opens: the answer to what is due, ready to be sent.
struct StickerTapPage: Sendable {
  let reading: StickerReading
  let secret: Secret
  let words: DoseFormatter
  /// The event ids of the answers, by dose.
  let events: [DoseID: String]
  /// True if the phone sends the answer by itself.
  let isAtOnce: Bool

  private var localizer: Localizer { words.localizer }
  private var model: StickerModel { reading.model }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    // The frame, without navigation: one question.
    frame.visitor = .signedOut
    frame.scripts = isAtOnce ? [PageAssets.sticker] : []
    frame.title = title
    frame.lead = localizer.text("stickers.lead", ["name": .text(reading.sticker.name)])
    if call.people.count > 1, let person = call.person {
      frame.title = localizer.text(
        "people.titled", ["name": .text(person.calledName), "title": .text(title)])
    }
    frame.back = .init(localizer.text("today.title"), address: "/")
    frame.flash = DoneNote(call)?.flash(
      reading.known, words: words, now: call.now, token: call.formToken,
      returnPath: StickerRoutes.path(secret), newIdentifier: call.environment.newIdentifier)
    return call.page(
      frame,
      """
      <div class="narrow stack">\(warning(call))\(question(call))\(others)\(next)\(elsewhere)</div>
      """)
  }

  /// Returns the page for whoever may not answer by a sticker: the same for unknown, revoked and
  /// other people's ones.
  static func closed(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = ActionLinkPage.frame(call, localizer)
    frame.title = localizer.text("stickers.closed-title")
    let target = "/sign-in?next=\(QueryText.encode(call.request.uri.path))"
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("stickers.closed"))</p>\
      \(ButtonRow(LinkButton(
        localizer.text("channels.tap.sign-in"), address: target, kind: .primary).markup))</div>
      """, status: .notFound)
  }

  private var title: String {
    guard let dose = model.due.first else { return localizer.text("stickers.nothing") }
    guard model.due.count == 1 else {
      return localizer.text("stickers.question-many", ["count": .number(model.due.count)])
    }
    let name = MessageArgument.text(dose.medicineName)
    let time = MessageArgument.text(words.moment(dose.due))
    guard let amount = dose.amount.map(words.amount), !amount.isEmpty else {
      return localizer.text("stickers.question-bare", ["name": name, "time": time])
    }
    return localizer.text(
      "stickers.question", ["amount": .text(amount), "name": name, "time": time])
  }

  /// Returns the warning that a medicine was taken already; nothing right after an answer.
  private func warning(_ call: Call) -> Markup {
    guard model.due.isEmpty || model.isDoubtful, !model.taken.isEmpty, DoneNote(call) == nil else {
      return Markup()
    }
    let lines = model.taken.prefix(8).map { taken -> Markup in
      let text = localizer.text(
        "dose.taken-by", ["when": .text(words.moment(taken.at)), "name": .text(taken.by)])
      return "<li>\(taken.name): \(text)</li>"
    }
    return Notice(
      .warning, title: localizer.text("stickers.taken"),
      "<ul>\(lines)</ul><p>\(localizer.text("stickers.taken-help"))</p>"
    ).markup
  }

  private func question(_ call: Call) -> Markup {
    guard !model.due.isEmpty else { return Markup() }
    let list: Markup =
      model.due.count == 1
      ? Markup()
      : "<ul class=\"stack\" role=\"list\">\(each: model.due, { "<li>\(line($0))</li>" })</ul>"
    return "\(list)\(form(call))"
  }

  private func line(_ dose: Dose) -> String {
    let amount = dose.amount.map(words.amount) ?? ""
    return [dose.medicineName, amount, words.moment(dose.due)].filter { !$0.isEmpty }
      .joined(separator: " · ")
  }

  private func form(_ call: Call) -> Markup {
    let names = localizer.list(model.due.map(\.medicineName))
    let answers = model.due.map { "\($0.id.text) \(events[$0.id] ?? "")" }
    let later =
      reading.laterMinutes == nil
      ? nil
      : Button(
        localizer.text(
          "channels.answer",
          ["action": "later", "minutes": .number(reading.laterMinutes ?? 0)]),
        kind: .secondary, icon: .clock, object: names, name: "action", value: "later")
    let start: Markup = isAtOnce ? " data-at-once" : ""
    return """
      \(if: isAtOnce, "<p role=\"status\">\(localizer.text("stickers.at-once"))</p>")\
      <form class="form" method="post" action="\(StickerRoutes.path(secret))/answers"\(start)>\
      \(call.formToken)\
      \(each: answers, { "<input type=\"hidden\" name=\"answer\" value=\"\($0)\">" })\
      \(reading.laterMinutes.map { "<input type=\"hidden\" name=\"minutes\" value=\"\(String($0))\">" as Markup })\
      \(ButtonRow("""
        \(Button(
          localizer.text("channels.answer", ["action": "taken", "minutes": .number(0)]),
          icon: .check, object: names, name: "action", value: "taken"))\
        \(later)\
        \(Button(
          localizer.text("channels.answer", ["action": "skipped", "minutes": .number(0)]),
          kind: .secondary, icon: .barInCircle, object: names, name: "action", value: "skipped"))
        """))</form>
      """
  }

  /// The doses that need a decision on their own pages.
  private var others: Markup {
    guard !model.others.isEmpty else { return Markup() }
    return Section(
      localizer.text("stickers.others"),
      """
      <ul class="stack" role="list">\(each: model.others, { dose in
        "<li><a href=\"/doses/\(dose.id.text)\">\(line(dose))</a></li>"
      })</ul>
      """
    ).markup
  }

  private var next: Markup {
    guard model.due.isEmpty, let next = model.next else { return Markup() }
    return """
      <p>\(localizer.text(
        "stickers.next",
        ["time": .text(words.moment(next.due)), "name": .text(next.medicineName)]))</p>
      """
  }

  private var elsewhere: Markup {
    guard let plan = reading.sticker.plan else { return Markup() }
    let link =
      reading.isAsNeeded
      ? LinkButton(
        localizer.text("as-needed.open"), address: "\(Address.asNeeded)#plan-\(plan)",
        kind: .primary, icon: .clock)
      : LinkButton(
        localizer.text("stickers.medicine"), address: "\(Address.medicines)/\(plan)", icon: .pill)
    return ButtonRow(link.markup).markup
  }
}
