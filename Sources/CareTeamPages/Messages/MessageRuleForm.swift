// SPDX-License-Identifier: Apache-2.0

import Access
import CareTeam
import HTML
import Hummingbird
import Localization
import Web

/// The typed rules for the messages to an account.
struct MessageRuleInput: Sendable {
  /// The channel choice by topic; topics that are off have none.
  var ways: [MessageTopic: String] = [:]
  var number = "3"
  var days = "7"
  var time = "10:00"
  var place = "0"
  var most = String(MessageRecipient.standardMost)
  var says = false
  var mayNudge = false

  init(_ recipient: MessageRecipient) {
    for rule in recipient.rules {
      ways[rule.topic] = rule.way.rawValue
      if rule.topic == .missedOften {
        number = String(rule.number)
        days = String(rule.days)
      }
      if rule.topic == .notRecorded { time = ClockText.text(minuteOfDay: rule.minute) }
    }
    place = String(recipient.place)
    most = String(recipient.most)
    says = recipient.says
    mayNudge = recipient.mayNudge
  }

  init(_ form: FormBody) {
    for topic in MessageTopic.rules { ways[topic] = form.text(Self.name(topic)) }
    number = form.text("number") ?? ""
    days = form.text("days") ?? ""
    time = form.text("time") ?? ""
    place = form.text("place") ?? "0"
    most = form.text("most") ?? ""
    says = form.isChecked("says")
    mayNudge = form.isChecked("nudge")
  }

  static func name(_ topic: MessageTopic) -> String { "topic-\(topic.rawValue)" }

  /// Returns the rules to save; nil if a number is invalid.
  func choice(of recipient: MessageRecipient) -> MessageRecipient? {
    guard let right = recipient.right,
      let most = Int(most), MessageRecipient.mosts.contains(most),
      let place = Int(place), MessageRecipient.places.contains(place)
    else { return nil }
    var choice = recipient
    choice.most = most
    choice.place = right.relationship == .practitioner ? 0 : place
    choice.says = says
    choice.mayNudge = mayNudge && right.shares(.adherence)
    choice.rules = []
    for topic in MessageTopic.rules where topic.isOpen(to: right) {
      guard let way = ways[topic].flatMap(MessageWay.init(rawValue:)) else { continue }
      var rule = MessageRule(topic, way)
      if topic == .missedOften {
        guard let number = Int(number), MessageRule.numbers.contains(number),
          let days = Int(days), MessageRule.dayRange.contains(days)
        else { return nil }
        rule.number = number
        rule.days = days
      }
      if topic == .notRecorded {
        guard let minute = EscalationRoutes.minutes(time) else { return nil }
        rule.minute = minute
      }
      choice.rules.append(rule)
    }
    return choice
  }
}

/// The form for the messages that one account gets about the chosen person.
struct MessageRuleForm: Sendable {
  let recipient: MessageRecipient
  let input: MessageRuleInput
  var isMistaken = false

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("caregiver-messages.form.title", ["name": .text(recipient.name)])
    frame.lead = localizer.text("caregiver-messages.form.lead")
    frame.place = .people
    frame.back = .init(
      localizer.text("caregiver-messages.rules.title"), address: MessageRuleRoutes.path)
    frame.hasErrors = isMistaken
    let message = localizer.text("caregiver-messages.form.error")
    let errors = isMistaken ? [FieldError(field: "most", message: message)] : []
    let token = call.formToken
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(Form(
        action: "\(MessageRuleRoutes.path)/\(recipient.account)", token: token,
        fields: fields(localizer),
        buttons: Button(
          localizer.text("caregiver-messages.save"), icon: .check, person: token.personName).markup))</div>
      """, status: isMistaken ? .unprocessableContent : .ok)
  }

  private var isPractice: Bool { recipient.right?.relationship == .practitioner }

  private func fields(_ localizer: Localizer) -> Markup {
    let topics = MessageTopic.rules.filter { topic in
      recipient.right.map { topic.isOpen(to: $0) } ?? false
    }
    let mayNudge = recipient.right?.shares(.adherence) ?? false
    return """
      \(each: topics, { topic($0, localizer) })\
      \(if: !isPractice, place(localizer))\
      \(FormField(
        "most", label: localizer.text("caregiver-messages.form.most"), kind: .integer, value: input.most,
        hint: localizer.text("caregiver-messages.form.most-hint"),
        error: isMistaken ? localizer.text("caregiver-messages.form.error") : nil, maximumLength: 2,
        localizer: localizer))\
      \(FormField(
        "says", label: localizer.text("caregiver-messages.form.says"),
        kind: .checkboxes([
          FieldChoice(
            "yes", localizer.text("caregiver-messages.form.says-choice"),
            hint: localizer.text("caregiver-messages.form.says-hint"))
        ]), values: input.says ? ["yes"] : [], isRequired: false, localizer: localizer))\
      \(if: mayNudge, FormField(
        "nudge", label: localizer.text("caregiver-messages.form.nudge"),
        kind: .checkboxes([FieldChoice("yes", localizer.text("caregiver-messages.form.nudge-choice"))]),
        values: input.mayNudge ? ["yes"] : [], isRequired: false, localizer: localizer).markup)
      """
  }

  private func topic(_ topic: MessageTopic, _ localizer: Localizer) -> Markup {
    let ways = ["off", "now", "digest"].map { way in
      FieldChoice(way, localizer.text("caregiver-messages.form.way", ["way": .text(way)]))
    }
    let field = FormField(
      MessageRuleInput.name(topic),
      label: localizer.text(MessageKey("caregiver-messages.form.topic.\(topic.rawValue)")),
      kind: .radios(ways, isCompact: true), value: input.ways[topic] ?? "off",
      isRequired: false, localizer: localizer)
    switch topic {
    case .missedOften:
      return """
        \(field)<div class="field-row">\
        \(FormField(
          "number", label: localizer.text("caregiver-messages.form.number"), kind: .integer,
          value: input.number, isRequired: false, maximumLength: 2, localizer: localizer))\
        \(FormField(
          "days", label: localizer.text("caregiver-messages.form.days"), kind: .integer, value: input.days,
          isRequired: false, maximumLength: 2, localizer: localizer))</div>
        """
    case .notRecorded:
      return """
        \(field)\(FormField(
          "time", label: localizer.text("caregiver-messages.form.time"), kind: .time, value: input.time,
          isRequired: false, localizer: localizer))
        """
    default: return field.markup
    }
  }

  private func place(_ localizer: Localizer) -> Markup {
    let places = MessageRecipient.places.map { place in
      FieldChoice(
        String(place),
        localizer.text("caregiver-messages.form.place-choice", ["place": .number(place)]))
    }
    return FormField(
      "place", label: localizer.text("caregiver-messages.form.place"), kind: .select(places),
      value: input.place, hint: localizer.text("caregiver-messages.form.place-hint"),
      localizer: localizer
    ).markup
  }
}
