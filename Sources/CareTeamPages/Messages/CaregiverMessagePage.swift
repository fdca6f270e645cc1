// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTML
import Hummingbird
import Identifiers
import Localization
import Scheduling
import SiteMap
import Storage
import Web

/// The messages to an account, by person.
struct CaregiverMessageInbox: Sendable {
  struct Person: Sendable {
    let name: String
    /// The phone number; empty if none is entered.
    let phone: String
    let zone: Zone
    let mayNudge: Bool
    let notices: [ShownCaregiverMessage]
  }

  /// The number of people whose messages one page shows.
  static let mostPeople = 40

  var offers: [MessageOffer]
  /// The people, those with the latest message first.
  var order: [PatientID] = []
  var people: [PatientID: Person] = [:]

  var hasUnseen: Bool { people.values.contains { $0.notices.contains { $0.notice.seen == nil } } }
}

/// The page of the messages to an account.
struct CaregiverMessagePage: Sendable {
  let inbox: CaregiverMessageInbox
  let now: Timestamp

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("caregiver-messages.title")
    frame.lead = localizer.text("caregiver-messages.lead")
    frame.placeInInbox()
    frame.isLive = true
    frame.flash = call.queryValue("done").map { done in
      FlashBar(localizer.text("caregiver-messages.done", ["done": .text(done)]))
    }
    return call.page(frame, content(call))
  }

  private func content(_ call: Call) -> Markup {
    let localizer = call.localizer
    let token = call.accountToken
    let rules = LinkButton(
      localizer.text("caregiver-messages.rules.title"), address: MessageRuleRoutes.path, icon: .gear
    )
    let seen = FormButton(
      localizer.text("caregiver-messages.see-all"), action: Address.caregiverMessages, token: token,
      kind: .secondary, icon: .check)
    let empty = EmptyState(icon: .bell, text: localizer.text("caregiver-messages.empty"))
    let people: [Markup] = inbox.order.compactMap { id in
      inbox.people[id].map { person(id, $0, localizer, token) }
    }
    return """
      <div class="narrow stack-large">\
      \(InboxTabs(current: Address.caregiverMessages, localizer: localizer))\
      \(MessageOffersPart(offers: inbox.offers, call: call))\
      \(if: inbox.order.isEmpty, empty.markup)\
      \(people)\
      \(ButtonRow("\(if: inbox.hasUnseen, seen.markup)\(rules)"))</div>
      """
  }

  private func person(
    _ id: PatientID, _ person: CaregiverMessageInbox.Person, _ localizer: Localizer,
    _ token: FormToken
  ) -> Markup {
    let words = CaregiverMessageText(localizer: localizer, zone: person.zone, now: now)
    let nudge = FormButton(
      localizer.text("caregiver-messages.nudge"), action: "/nudges", token: token,
      fields: [("patient", id.text)], kind: .secondary, icon: .bell, object: person.name)
    let ring = CallLink(name: person.name, phone: person.phone, localizer: localizer)
    let buttons: Markup =
      "\(if: !person.phone.isEmpty, ring.markup)\(if: person.mayNudge, nudge.markup)"
    return Section(
      person.name,
      """
      <div class="stack">\(ButtonRow(buttons))\
      \(each: person.notices, { card($0, words, token) })</div>
      """
    ).markup
  }

  private func card(
    _ shown: ShownCaregiverMessage, _ words: CaregiverMessageText, _ token: FormToken
  ) -> Markup {
    let localizer = words.localizer
    let notice = shown.notice
    let text = words.text(shown)
    let take = FormButton(
      localizer.text("caregiver-messages.take"),
      action: "\(Address.caregiverMessages)/\(notice.id)",
      token: token,
      icon: .check, object: text)
    let told = localizer.text(
      "caregiver-messages.told", ["when": .text(words.moment(notice.told ?? notice.tellAt))])
    let new: Markup = "<strong>\(localizer.text("caregiver-messages.new"))</strong> "
    let mayTake =
      notice.acknowledged == nil && notice.topic != .more && notice.topic != .morningDone
    return Card(
      isQuiet: notice.seen != nil,
      """
      <p>\(if: notice.seen == nil, new)\(text)</p><p class="muted small">\(told)</p>\
      \(TakenLines(taken: shown.taken, words: words))\
      \(if: mayTake, ButtonRow(take.markup).markup)
      """
    ).markup
  }
}

/// The lines that say who is taking care of something.
struct TakenLines: PagePart {
  let taken: [ShownCaregiverMessage.Taken]
  let words: CaregiverMessageText

  var markup: Markup {
    "\(each: taken, line)"
  }

  private func line(_ one: ShownCaregiverMessage.Taken) -> Markup {
    let said = words.localizer.text(
      "caregiver-messages.taken", ["name": .text(one.name), "when": .text(words.moment(one.at))])
    return "<p>\(said)</p>"
  }
}

/// A link that calls someone.
struct CallLink: PagePart {
  let name: String
  let phone: String
  let localizer: Localizer

  var markup: Markup {
    let number = String(
      phone.unicodeScalars.filter { "+0123456789".unicodeScalars.contains($0) })
    return LinkButton(
      localizer.text("caregiver-messages.call", ["phone": .text(phone)]), address: "tel:\(number)",
      icon: .phone, object: name
    ).markup
  }
}

/// The offers of messages about people, for the account to answer.
struct MessageOffersPart: PagePart {
  let offers: [MessageOffer]
  let call: Call
  /// True if accepted offers are shown too, so that they can be ended.
  var showsAgreed = false

  var markup: Markup {
    let shown = offers.filter { showsAgreed || !$0.isAgreed }
    return "\(each: shown, card)"
  }

  private func card(_ offer: MessageOffer) -> Markup {
    let localizer = call.localizer
    let said = localizer.text(
      offer.isAgreed ? "caregiver-messages.agreed" : "caregiver-messages.offered",
      ["name": .text(offer.name)])
    let agree = button(offer, "agree", "caregiver-messages.agree", .primary)
    let end = button(offer, "end", "caregiver-messages.end", .secondary)
    let buttons = ButtonRow("\(if: !offer.isAgreed, agree.markup)\(end)")
    return Card("<p>\(said)</p>\(buttons)").markup
  }

  private func button(
    _ offer: MessageOffer, _ action: String, _ words: MessageKey, _ kind: ButtonKind
  ) -> FormButton {
    FormButton(
      call.localizer.text(words), action: MessageRuleRoutes.toldPath, token: call.accountToken,
      fields: [("patient", offer.patient.text), ("do", action)], kind: kind, object: offer.name)
  }
}
