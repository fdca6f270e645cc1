// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Presentation
import Reminders
import Web

/// The forms of the page about reminders.
struct LadderForm: Sendable {
  let page: LadderPage
  let words: LadderWords
  let token: FormToken

  private var localizer: Localizer { words.localizer }

  // MARK: The rungs

  var ladder: Markup {
    // Whom no dose reaches has no rung here; of questions they are told at their usual time.
    let agreed = page.choices.family.filter { $0.isAccepted && $0.hearsDoses }
    let people =
      [FieldChoice("", localizer.text("ladder.acting"))]
      + agreed.map { FieldChoice($0.account.text, $0.name) }
      + page.choices.standby.waiting.map { FieldChoice($0.account.text, $0.name) }
    let ways = ReminderChannel.allCases.map { FieldChoice($0.rawValue, $0.name(words.localizer)) }
    let rows = page.input.rows.enumerated().map { index, row in
      FieldGroup(
        localizer.text("ladder.rung", ["number": .number(index + 1)]),
        """
        \(FormField(
          LadderInput.name("minutes", index), label: localizer.text("ladder.minutes"),
          kind: .integer, value: row.minutes, error: error(index), isRequired: false,
          maximumLength: 3, localizer: localizer))\
        \(FormField(
          LadderInput.name("channel", index), label: localizer.text("ladder.way"),
          kind: .select(ways), value: row.channel, localizer: localizer))\
        \(if: people.count > 1, FormField(
          LadderInput.name("to", index), label: localizer.text("ladder.to"),
          kind: .select(people), value: row.recipient, localizer: localizer).markup)
        """
      ).markup
    }
    return Section(
      localizer.text("ladder.change"), id: "ladder",
      """
      <p>\(localizer.text("ladder.change-help"))</p>\
      \(Form(
        action: "/reminders/ladder", token: token, fields: Markup.joined(rows),
        buttons: """
          \(Button(localizer.text("ladder.save"), person: token.personName))\
          \(if: page.choices.isOwn, Button(
            localizer.text("ladder.standard"), kind: .secondary, name: "do",
            value: "standard", person: token.personName).markup)
          """))
      """
    ).markup
  }

  private func error(_ index: Int) -> String? {
    page.mistakes.first { $0.field == LadderInput.name("minutes", index) }?.message(localizer)
  }

  // MARK: Quiet hours and words

  var quiet: Markup {
    let quiet = page.choices.quiet
    let from = page.typedQuiet?.from ?? quiet.map { ClockText.text(minuteOfDay: $0.from) }
    let until = page.typedQuiet?.until ?? quiet.map { ClockText.text(minuteOfDay: $0.until) }
    let error = page.typedQuiet == nil ? nil : localizer.text("ladder.error.quiet")
    return Section(
      localizer.text("ladder.quiet"), id: "quiet",
      """
      <p>\(localizer.text("ladder.quiet-help"))</p>\
      \(Form(
        action: "/reminders/quiet", token: token,
        fields: """
          \(FormField(
            "quiet-from", label: localizer.text("ladder.quiet-from"), kind: .time, value: from,
            error: error, isRequired: false, localizer: localizer))\
          \(FormField(
            "quiet-until", label: localizer.text("ladder.quiet-until"), kind: .time,
            value: until, isRequired: false, localizer: localizer))\
          \(FormField(
            "names", label: localizer.text("ladder.names"),
            kind: .checkboxes([
              FieldChoice(
                "yes", localizer.text("ladder.names-choice"),
                hint: localizer.text("ladder.names-hint"))
            ]), values: page.choices.namesMedicine ? ["yes"] : [], isRequired: false,
            localizer: localizer))
          """,
        buttons: Button(localizer.text("ladder.save"), person: token.personName).markup))
      """
    ).markup
  }

  // MARK: Changes of the clock

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
      localizer.text("ladder.channels"), id: "channels",
      """
      <p>\(localizer.text("ladder.channels-help"))</p>\
      \(if: on.isEmpty, Notice(.warning, title: localizer.text("ladder.all-off")).markup)\
      \(Form(
        action: "/reminders/channels", token: token,
        fields: FormField(
          "channel", label: localizer.text("ladder.channels-on"), kind: .checkboxes(ways),
          values: on.map(\.rawValue), isRequired: false, localizer: localizer).markup,
        buttons: Button(localizer.text("ladder.save"), person: token.personName).markup))
      """
    ).markup
  }

  // MARK: Family

  var family: Markup {
    let content: Markup =
      page.choices.family.isEmpty
      ? "<p>\(localizer.text("ladder.no-family"))</p>"
      : "\(each: page.choices.family, card)"
    return Section(
      localizer.text("ladder.family"), id: "family",
      "<p>\(localizer.text("ladder.family-help"))</p>\(content)"
    ).markup
  }

  // MARK: Guardians

  /// Whether the one who looks is told at once; nothing where there is nobody else.
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

  private func card(_ family: LadderChoices.Family) -> Markup {
    let state: String
    if family.isAccepted {
      state = localizer.text("ladder.family-on", ["name": .text(family.name)])
    } else if family.offeredBy != nil {
      state = localizer.text("ladder.family-offered", ["name": .text(family.name)])
    } else {
      state = localizer.text("ladder.family-off", ["name": .text(family.name)])
    }
    let isOffered = family.offeredBy != nil
    return """
      <div class="card"><p>\(state)</p>\
      \(if: !family.hearsDoses, "<p class=\"muted\">\(localizer.text("ladder.family-heart"))</p>")\
      \(ButtonRow(FormButton(
        localizer.text(isOffered ? "ladder.end" : "ladder.offer"), action: "/reminders/family",
        token: token, fields: [("account", family.account.text), ("do", isOffered ? "end" : "offer")],
        kind: .secondary, object: family.name).markup))</div>
      """
  }
}
