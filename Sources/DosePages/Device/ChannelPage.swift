// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Presentation
import Reminders
import Storage
import Web

/// The page that sets up a webhook, Home Assistant or a phone number as a reminder channel.
package struct ChannelPage: Sendable {
  static let pattern = "/device/add/:form"

  var input: ChannelInput
  var mistake: ChannelInput.Mistake?

  static func address(_ form: ChannelForm) -> String { "/device/add/\(form.rawValue)" }

  /// The kinds that this server can set up.
  static func offered(_ channels: ReminderChannels) -> [ChannelForm] {
    var forms: [ChannelForm] = []
    if let phones = channels.phones {
      forms.append(.sms)
      if phones.gateway.makesCalls { forms.append(.call) }
    }
    return forms + [.homeAssistantNotify, .homeAssistantWebhook, .webhook]
  }

  static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    var input = ChannelInput(try asked(call))
    if input.form == .webhook { input.secret = WebhookSecret(random: call.environment.random).text }
    return ChannelPage(input: input).response(call)
  }

  static func submit(_ posted: PostedForm) async throws -> Response {
    let (call, environment) = (posted.call, posted.call.environment)
    let form = try asked(call)
    let input = ChannelInput(form, posted.fields)
    do {
      let (settings, host) = try input.settings(environment.channels.named.policy)
      let account = posted.signedIn.account
      let context = environment.reminderContext(at: call.now)
      try await posted.run { _, writer in
        try add(settings, form: form, host: host, account: account, context, in: writer)
      }
    } catch let mistake as ChannelInput.Mistake {
      return ChannelPage(input: input, mistake: mistake).response(call)
    }
    environment.live.reminders.ring()
    return posted.redirect(
      to: (form.channel.isPhone ? DeviceNote.coded : .tested).address + "#channels")
  }

  /// Adds the address and sends its first test, or does neither.
  private static func add(
    _ settings: ChannelSettings, form: ChannelForm, host: String, account: Account,
    _ context: ReminderContext, in writer: any SQLWriter
  ) throws {
    if form.channel.isPhone {
      guard
        try ChannelAddresses.mayTestPhone(
          account: account.id, patient: account.patient, at: context.now, in: writer)
      else { throw ChannelInput.Mistake.tooManyTests }
    }
    guard
      let address = try ChannelAddresses.add(
        settings, form: form, host: host, account: account.id, context, in: writer)
    else { throw ChannelInput.Mistake.tooMany }
    _ = try ChannelAddresses.test(
      address, account: account.id, patient: account.patient, context, in: writer)
  }

  private static func asked(_ call: Call) throws -> ChannelForm {
    guard let form = ChannelForm(rawValue: try call.parameter("form")),
      offered(call.environment.channels).contains(form)
    else { throw Failure.notFound }
    return form
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let words: MessageArguments = ["form": .text(input.form.rawValue)]
    var frame = call.frame()
    frame.title = localizer.text("gateways.title", words)
    frame.lead = localizer.text("gateways.lead", words)
    frame.place = .me
    frame.back = .init(localizer.text("device.title"), address: "/device")
    frame.hasErrors = mistake != nil
    let errors = mistake.map {
      [
        FieldError(
          field: $0.field(of: input.form), message: $0.message(input.form, localizer))
      ]
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors ?? [], localizer: localizer))\
      \(Form(
        action: Self.address(input.form), token: call.accountToken,
        fields: Markup.joined(input.fields.map { field($0, localizer) }),
        buttons: Button(
          localizer.text(
            input.form.channel.isPhone ? "gateways.send-code" : "channels.ntfy.submit"),
          icon: .bell
        ).markup))</div>
      """, status: mistake == nil ? .ok : .unprocessableContent)
  }

  private func field(_ name: String, _ localizer: Localizer) -> Markup {
    let words: MessageArguments = [
      "field": .text(name), "form": .text(input.form.rawValue),
    ]
    let isWrong = mistake?.field(of: input.form) == name
    // The signing key can be copied here; an access token is shown to no one.
    let kind: FieldKind =
      switch name {
      case "number": .telephone
      case "secret" where input.form != .webhook: .password
      default: .text
      }
    let value: String? =
      switch name {
      case "server": input.server
      case "name": input.name
      case "number": input.number
      default: input.form == .webhook ? input.secret : nil
      }
    return FormField(
      name, label: localizer.text("gateways.label", words), kind: kind, value: value,
      hint: localizer.text("gateways.hint", words),
      error: isWrong ? mistake?.message(input.form, localizer) : nil,
      autocomplete: name == "number" ? "tel" : "off", maximumLength: name == "server" ? 1_000 : 500,
      localizer: localizer
    ).markup
  }
}
