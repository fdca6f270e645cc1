// SPDX-License-Identifier: Apache-2.0

import Accounts
import Dosing
import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Web

/// The card on a caregiver's own Today about the people they care for: who needs what now.
package struct HouseholdOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}

  /// Returns the card, above the viewer's own doses if someone's dose is overdue; nothing without
  /// other people, and on the page of one of them.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.patient.patient == today.signedIn.account.patient, today.call.people.count > 1
    else { return .nothing }
    let (members, accesses) = try HouseholdMember.read(today)
    if members.isEmpty { return .nothing }
    let token = today.call.accountToken
    let isUrgent = members.contains(where: \.isOverdue)
    var addition = TodayAddition(
      TodayCard(isUrgent ? .top : .afterDueDoses) { page in
        HouseholdPart(members: members, token: token, page: page.words).markup
      })
    addition.accesses = accesses
    return addition
  }
}

/// The people one below the other, each with open doses and ways to contact them.
struct HouseholdPart: PagePart {
  /// The most doses that are listed for one person.
  static let mostDoses = 5

  let members: [HouseholdMember]
  /// The token of forms that act on the account.
  let token: FormToken
  /// The formatter of the page, in the viewer's time zone.
  let page: DoseFormatter

  private var localizer: Localizer { page.localizer }

  var markup: Markup {
    Section(
      localizer.text("household.title"), id: "household",
      "<ul class=\"household\" role=\"list\">\(each: members, person)</ul>"
    ).markup
  }

  private func person(_ member: HouseholdMember) -> Markup {
    let words = DoseFormatter(
      localizer: localizer, zone: member.doses?.zone ?? page.zone, now: page.now)
    let name = HeadingLevel.third.heading(
      Markup(text: member.person.name), style: "household-name")
    return """
      <li class="household-person\(if: member.isOverdue, " household-late")">\(name)\
      \(member.open.isEmpty ? quiet(member, words) : waiting(member, words))\
      \(ButtonRow("\(open(member))\(ways(member))"))</li>
      """
  }

  // MARK: Doses

  private func quiet(_ member: HouseholdMember, _ words: DoseFormatter) -> Markup {
    guard let next = member.doses?.next.first else {
      return "<p class=\"muted\">\(localizer.text("household.quiet"))</p>"
    }
    let text = localizer.text("household.quiet-next", ["time": .text(words.moment(next.due))])
    return "<p class=\"muted\">\(text)</p>"
  }

  private func waiting(_ member: HouseholdMember, _ words: DoseFormatter) -> Markup {
    guard member.namesMedicines else { return states(member, words) }
    let rest = member.open.count - Self.mostDoses
    let more: Markup =
      rest > 0
      ? "<li class=\"muted\">\(localizer.text("household.more", ["count": .number(rest)]))</li>"
      : ""
    return """
      <ul class="household-doses" role="list">\
      \(each: member.open.prefix(Self.mostDoses), { dose($0, words) })\(more)</ul>
      """
  }

  private func dose(_ dose: Dose, _ words: DoseFormatter) -> Markup {
    let facts = [dose.amount.map(words.amount), words.moment(dose.due)].compactMap(\.self)
    return """
      <li><p class="intake-name"><a href="/doses/\(dose.id.text)">\(dose.medicineName)</a></p>\
      <p class="muted">\(facts.joined(separator: " · "))</p>\(words.chip(dose))</li>
      """
  }

  /// Returns only the states, if names of medicines are not shared.
  private func states(_ member: HouseholdMember, _ words: DoseFormatter) -> Markup {
    let time = member.open.first.map { words.moment($0.due) } ?? ""
    let text = localizer.text(
      "household.waiting", ["count": .number(member.open.count), "time": .text(time)])
    let chip = member.isOverdue ? words.chip(.overdue) : words.chip(.due)
    return "<p>\(text)</p>\(chip)"
  }

  // MARK: Ways to help

  private func open(_ member: HouseholdMember) -> FormButton {
    FormButton(
      localizer.text("people.open"), action: PersonChoice.path, token: token,
      fields: [(PersonChoice.field, member.person.patient.text), ("return", "/")],
      kind: member.open.isEmpty ? .quiet : .secondary, icon: .person, object: member.person.name)
  }

  private func ways(_ member: HouseholdMember) -> Markup {
    guard !member.open.isEmpty else { return Markup() }
    let name = member.person.name
    let number = String(
      member.phone.unicodeScalars.filter { "+0123456789".unicodeScalars.contains($0) })
    let call =
      number.isEmpty ? nil : CallLink(name: name, phone: member.phone, localizer: localizer)
    let message = (member.conversation ?? (number.isEmpty ? nil : "sms:\(number)")).map { address in
      LinkButton(
        localizer.text("household.message"), address: address, icon: .message, object: name)
    }
    let nudge =
      member.mayNudge
      ? FormButton(
        localizer.text("caregiver-messages.nudge"), action: "/nudges", token: token,
        fields: [("patient", member.person.patient.text)], kind: .secondary, icon: .bell,
        object: name) : nil
    return "\(call)\(message)\(nudge)"
  }
}
