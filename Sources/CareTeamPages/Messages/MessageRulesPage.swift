// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTML
import Hummingbird
import Identifiers
import Localization
import People
import Scheduling
import SiteMap
import Storage
import Web

/// The typed preferences of an account for its messages.
struct MessagePreferencesInput: Sendable {
  var digest: String
  var mute: String
  var phone: String

  init(_ preferences: MessagePreferences, zone: Zone) {
    digest = ClockText.text(minuteOfDay: preferences.digestMinute)
    mute =
      preferences.mutedUntil.map { zone.date(at: Instant(milliseconds: $0.milliseconds)).text }
      ?? ""
    phone = preferences.phone
  }

  init(_ form: FormBody) {
    digest = form.text("digest") ?? ""
    mute = form.text("mute") ?? ""
    phone = form.text("phone") ?? ""
  }

  /// Returns the preferences; nil if something is invalid.
  func preferences(zone: Zone) -> MessagePreferences? {
    guard let minute = EscalationRoutes.minutes(digest), phone.count <= 40,
      phone.isEmpty
        || (phone.contains(where: \.isNumber)
          && phone.allSatisfy { $0.isNumber || " +-()/.".contains($0) })
    else { return nil }
    var choice = MessagePreferences()
    choice.digestMinute = minute
    choice.phone = phone
    if !mute.isEmpty {
      guard let day = CivilDate(text: mute) else { return nil }
      choice.mutedUntil = Timestamp(milliseconds: zone.startOfDay(day).milliseconds)
    }
    return choice
  }
}

/// The page of the rules for messages about the chosen person, past messages, and the account's own
/// preferences.
struct MessageRulesPage: Sendable {
  /// The recipients; empty if the account may only look.
  var recipients: [MessageRecipient] = []
  var phones: [AccountID: String] = [:]
  var sent: [ShownCaregiverMessage] = []
  let zone: Zone
  let offers: [MessageOffer]
  var input: MessagePreferencesInput
  var isMistaken = false
  let mayAct: Bool
  let now: Timestamp

  static func read(_ call: Call, _ signedIn: SignedIn) async throws -> MessageRulesPage {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "Patient", of: patient)
    let environment = call.environment
    let mayAct = (try? call.authorize(.read, MessageCommands.resource, of: patient)) != nil
    let (account, now) = (signedIn.account, call.now)
    let page = try await environment.database.read { reader in
      let (accounts, zones) = (environment.accounts, environment.zones)
      let own = try PeopleQueries.zone(account.patient, zones: zones, in: reader)
      var page = MessageRulesPage(
        zone: try PeopleQueries.zone(patient, zones: zones, in: reader),
        offers: try MessageCommands.offers(
          to: account.id, rights: signedIn.actor.rights, in: reader),
        input: MessagePreferencesInput(
          try MessageCommands.preferences(of: account.id, accounts: accounts, in: reader),
          zone: own),
        mayAct: mayAct, now: now)
      guard mayAct else { return page }
      page.recipients = try MessageCommands.recipients(
        of: patient, accounts: accounts, zones: zones, at: now, in: reader
      ).filter { $0.account != account.id }
      page.phones = try MessageCommands.phones(
        of: page.recipients.filter(\.isAgreed).map(\.account), accounts: accounts, in: reader)
      page.sent = try CaregiverMessageQueries.sent(about: patient, in: reader)
      return page
    }
    try await environment.audit(authorization, count: page.sent.count, at: now)
    return page
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("caregiver-messages.rules.title")
    frame.lead = localizer.text("caregiver-messages.rules.lead")
    frame.place = .people
    frame.back = .init(
      localizer.text("caregiver-messages.title"), address: Address.caregiverMessages)
    frame.hasErrors = isMistaken
    if call.queryValue("done") == "saved" {
      frame.flash = FlashBar(localizer.text("caregiver-messages.saved"))
    }
    let errors =
      isMistaken
      ? [FieldError(field: "digest", message: localizer.text("caregiver-messages.own.error"))] : []
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(errors, localizer: localizer))\
      \(if: mayAct, told(call))\(own(call))\(if: mayAct, list(localizer))</div>
      """, status: isMistaken ? .unprocessableContent : .ok)
  }

  private func told(_ call: Call) -> Markup {
    let localizer = call.localizer
    let name = MessageArgument.text(call.person?.calledName ?? "")
    let none: Markup = "<p>\(localizer.text("caregiver-messages.rules.nobody"))</p>"
    return Section(
      localizer.text("caregiver-messages.rules.who", ["name": name]), id: "told",
      """
      <div class="stack"><p>\(localizer.text("caregiver-messages.rules.help"))</p>\
      \(if: recipients.isEmpty, none)\(each: recipients, { card($0, localizer) })</div>
      """
    ).markup
  }

  private func card(_ recipient: MessageRecipient, _ localizer: Localizer) -> Markup {
    let words = MessageRuleText(localizer: localizer)
    let state =
      recipient.rules.isEmpty && !recipient.mayNudge
      ? "off" : recipient.isAgreed ? (recipient.place > 0 ? "turn" : "on") : "waiting"
    let lines: [Markup] = recipient.rules.sorted { $0.topic.rawValue < $1.topic.rawValue }
      .map { "<li>\(words.line($0))</li>" }
    let phone = phones[recipient.account]
    return Card(
      title: recipient.name, level: .third,
      """
      <p>\(localizer.text(
        "caregiver-messages.rules.state",
        ["state": .text(state), "place": .number(recipient.place)]))</p>\
      \(if: !lines.isEmpty, "<ul>\(lines)</ul>")\
      \(ButtonRow("""
        \(LinkButton(
          localizer.text("caregiver-messages.rules.change"),
          address: "\(MessageRuleRoutes.path)/\(recipient.account)", icon: .pencil,
          object: recipient.name))\
        \(phone.map { CallLink(name: recipient.name, phone: $0, localizer: localizer) })
        """))
      """
    ).markup
  }

  // MARK: The account's own messages

  private func own(_ call: Call) -> Markup {
    let localizer = call.localizer
    let error = isMistaken ? localizer.text("caregiver-messages.own.error") : nil
    return Section(
      localizer.text("caregiver-messages.own.title"), id: "own",
      """
      <div class="stack">\(MessageOffersPart(offers: offers, call: call, showsAgreed: true))\
      \(Form(
        action: MessageRuleRoutes.preferencesPath, token: call.accountToken,
        fields: """
          \(FormField(
            "digest", label: localizer.text("caregiver-messages.own.digest"), kind: .time,
            value: input.digest, hint: localizer.text("caregiver-messages.own.digest-hint"), error: error,
            localizer: localizer))\
          \(FormField(
            "mute", label: localizer.text("caregiver-messages.own.mute"), kind: .date(), value: input.mute,
            hint: localizer.text("caregiver-messages.own.mute-hint"), isRequired: false,
            localizer: localizer))\
          \(FormField(
            "phone", label: localizer.text("caregiver-messages.own.phone"), kind: .telephone,
            value: input.phone, hint: localizer.text("caregiver-messages.own.phone-hint"),
            isRequired: false, autocomplete: "tel", maximumLength: 40, localizer: localizer))
          """,
        buttons: Button(localizer.text("caregiver-messages.save")).markup))</div>
      """
    ).markup
  }

  // MARK: Past messages

  private func list(_ localizer: Localizer) -> Markup {
    let words = CaregiverMessageText(localizer: localizer, zone: zone, now: now)
    let rows: [Markup] = sent.map { shown in
      let told = shown.notice.told ?? shown.notice.tellAt
      return """
        <li><p><strong>\(localizer.text(
          "caregiver-messages.sent.line",
          ["name": .text(shown.name), "when": .text(words.moment(told))]))</strong><br>\
        \(words.text(shown))</p>\(TakenLines(taken: shown.taken, words: words))</li>
        """
    }
    return Section(
      localizer.text("caregiver-messages.sent.title"), id: "sent",
      """
      \(if: rows.isEmpty, "<p>\(localizer.text("caregiver-messages.sent.none"))</p>")\
      \(if: !rows.isEmpty, "<ul class=\"people-list\" role=\"list\">\(rows)</ul>")
      """
    ).markup
  }
}

/// Formats a message rule.
struct MessageRuleText: Sendable {
  let localizer: Localizer

  func topic(_ rule: MessageRule) -> String {
    localizer.text(
      MessageKey("caregiver-messages.rule.\(rule.topic.rawValue)"),
      [
        "count": .number(rule.number), "days": .number(rule.days),
        "time": .text(localizer.time(hour: rule.minute / 60, minute: rule.minute % 60)),
      ])
  }

  func line(_ rule: MessageRule) -> String {
    localizer.text(
      "caregiver-messages.rules.line",
      ["topic": .text(topic(rule)), "way": .text(rule.way.rawValue)])
  }
}
