// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Presentation
import Reminders
import Web

/// The forms of the pages about reminders.
struct EscalationForm: Sendable {
  let page: EscalationPage
  let words: EscalationText
  let token: FormToken

  private var localizer: Localizer { words.localizer }

  // MARK: The steps

  var escalation: Markup {
    // Someone with whom doses are not shared has no step here; questions reach them at their usual
    // time.
    let agreed = page.choices.family.filter { $0.isAccepted && $0.hearsDoses }
    let people =
      [FieldChoice("", localizer.text("escalation.acting"))]
      + agreed.map { FieldChoice($0.account.text, $0.name) }
      + page.choices.standby.waiting.map { FieldChoice($0.account.text, $0.name) }
    let ways = ReminderChannel.allCases.map { FieldChoice($0.rawValue, $0.name(words.localizer)) }
    let rows = page.input.rows.enumerated().map { index, row in
      FieldGroup(
        localizer.text("escalation.rung", ["number": .number(index + 1)]),
        """
        \(FormField(
          EscalationInput.name("minutes", index), label: localizer.text("escalation.minutes"),
          kind: .integer, value: row.minutes, error: error(index), isRequired: false,
          maximumLength: 3, localizer: localizer))\
        \(FormField(
          EscalationInput.name("channel", index), label: localizer.text("escalation.way"),
          kind: .select(ways), value: row.channel, localizer: localizer))\
        \(if: people.count > 1, FormField(
          EscalationInput.name("to", index), label: localizer.text("escalation.to"),
          kind: .select(people), value: row.recipient, localizer: localizer).markup)
        """
      ).markup
    }
    let content: Markup = """
      <p>\(localizer.text("escalation.change-help"))</p>\
      \(Form(
        action: "/reminders/ladder", token: token, fields: Markup.joined(rows),
        buttons: """
          \(Button(localizer.text("escalation.save"), person: token.personName))\
          \(if: page.choices.isOwn, Button(
            localizer.text("escalation.standard"), kind: .secondary, name: "do",
            value: "standard", person: token.personName).markup)
          """))
      """
    let folded = Disclosure(
      localizer.text("escalation.change"), isOpen: !page.mistakes.isEmpty, content)
    return "<div id=\"ladder\">\(folded)</div>"
  }

  private func error(_ index: Int) -> String? {
    page.mistakes.first { $0.field == EscalationInput.name("minutes", index) }?.message(localizer)
  }

  // MARK: Quiet hours and wording

  var quiet: Markup {
    let quiet = page.choices.quiet
    let from = page.typedQuiet?.from ?? quiet.map { ClockText.text(minuteOfDay: $0.from) }
    let until = page.typedQuiet?.until ?? quiet.map { ClockText.text(minuteOfDay: $0.until) }
    let error = page.typedQuiet == nil ? nil : localizer.text("escalation.error.quiet")
    return Section(
      localizer.text("escalation.quiet"), id: "quiet",
      """
      <p>\(localizer.text("escalation.quiet-help"))</p>\
      \(Form(
        action: "/reminders/quiet", token: token,
        fields: """
          <div class="field-row">\(FormField(
            "quiet-from", label: localizer.text("escalation.quiet-from"), kind: .time, value: from,
            error: error, isRequired: false, localizer: localizer))\
          \(FormField(
            "quiet-until", label: localizer.text("escalation.quiet-until"), kind: .time,
            value: until, isRequired: false, localizer: localizer))</div>\
          \(FormField(
            "names", label: localizer.text("escalation.names"),
            kind: .checkboxes([
              FieldChoice(
                "yes", localizer.text("escalation.names-choice"),
                hint: localizer.text("escalation.names-hint"))
            ]), values: page.choices.namesMedicine ? ["yes"] : [], isRequired: false,
            localizer: localizer))
          """,
        buttons: Button(localizer.text("escalation.save"), person: token.personName).markup))
      """
    ).markup
  }

  // MARK: Clock changes

  var clock: Markup {
    let tells = page.tellsClock
    return Section(
      localizer.text("travel.clock-section"), id: "clock",
      """
      <p>\(localizer.text(tells ? "travel.clock-on" : "travel.clock-off"))</p>\
      \(ButtonRow(FormButton(
        localizer.text(tells ? "travel.clock-end" : "travel.clock-begin"),
        action: "/reminders/clock", token: token,
        fields: [("do", tells ? "quiet" : "tell")], kind: .secondary).markup))
      """
    ).markup
  }

  // MARK: Channels

  var channels: Markup {
    let on = ReminderChannel.allCases.filter { !page.choices.silenced.contains($0) }
    let ways = ReminderChannel.allCases.map { FieldChoice($0.rawValue, $0.name(words.localizer)) }
    return Section(
      localizer.text("escalation.channels"), id: "channels",
      """
      <p>\(localizer.text("escalation.channels-help"))</p>\
      \(if: on.isEmpty, Notice(.warning, title: localizer.text("escalation.all-off")).markup)\
      \(Form(
        action: "/reminders/channels", token: token,
        fields: FormField(
          "channel", label: localizer.text("escalation.channels-on"), kind: .checkboxes(ways),
          values: on.map(\.rawValue), isRequired: false, localizer: localizer).markup,
        buttons: Button(localizer.text("escalation.save"), person: token.personName).markup))
      """
    ).markup
  }

  // MARK: Family

  var family: Markup {
    let content: Markup =
      page.choices.family.isEmpty
      ? "<p>\(localizer.text("escalation.no-family"))</p>"
      : "\(each: page.choices.family, card)"
    return Section(
      localizer.text("escalation.family"), id: "family",
      "<p>\(localizer.text("escalation.family-help"))</p>\(content)"
    ).markup
  }

  // MARK: Guardians

  /// The choice to be told at once or last; empty if there is no one else.
  var standby: Markup {
    let choice = page.choices.standby
    guard choice.isWaiting || choice.mayWait else { return Markup() }
    return Section(
      localizer.text("gateways.standby"), id: "standby",
      """
      <p>\(localizer.text(choice.isWaiting ? "gateways.standby-on" : "gateways.standby-off"))</p>\
      \(ButtonRow(FormButton(
        localizer.text(choice.isWaiting ? "gateways.standby-end" : "gateways.standby-begin"),
        action: "/reminders/standby", token: token,
        fields: [("do", choice.isWaiting ? "end" : "wait")], kind: .secondary).markup))
      """
    ).markup
  }

  private func card(_ family: EscalationChoices.Family) -> Markup {
    let state: String
    if family.isAccepted {
      state = localizer.text("escalation.family-on", ["name": .text(family.name)])
    } else if family.offeredBy != nil {
      state = localizer.text("escalation.family-offered", ["name": .text(family.name)])
    } else {
      state = localizer.text("escalation.family-off", ["name": .text(family.name)])
    }
    let isOffered = family.offeredBy != nil
    return """
      <div class="card"><p>\(state)</p>\
      \(if: !family.hearsDoses, "<p class=\"muted\">\(localizer.text("escalation.family-heart"))</p>")\
      \(ButtonRow(FormButton(
        localizer.text(isOffered ? "escalation.end" : "escalation.offer"), action: "/reminders/family",
        token: token, fields: [("account", family.account.text), ("do", isOffered ? "end" : "offer")],
        kind: .secondary, object: family.name).markup))</div>
      """
  }
}
