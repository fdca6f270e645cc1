// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Presentation
import Reminders
import Web

/// The page that sets up an ntfy topic as a reminder channel.
package struct NtfyPage: Sendable {
  static let path = "/device/ntfy"

  var input: NtfyInput
  var mistakes: [NtfyInput.Mistake] = []

  static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    // A topic is a password: it must not be guessable.
    let topic = "regimen-\(Base64URL.encode(call.environment.random(15)))"
    let input = NtfyInput(
      server: call.environment.channels.named.ntfyServer, topic: topic)
    return NtfyPage(input: input).response(call)
  }

  static func submit(_ form: PostedForm) async throws -> Response {
    let (call, input) = (form.call, NtfyInput(form.fields))
    let environment = call.environment
    switch input.settings(environment.channels.named.policy) {
    case .failure(let mistakes):
      return NtfyPage(input: input, mistakes: mistakes.all).response(call)
    case .success(let (settings, host)):
      let account = form.signedIn.account
      let context = environment.reminderContext(at: call.now)
      let isAdded = try await form.run { _, writer in
        guard
          let address = try ChannelAddresses.add(
            settings, form: .ntfy, host: host, account: account.id, context, in: writer)
        else { return false }
        return try ChannelAddresses.test(
          address, account: account.id, patient: account.patient, context, in: writer)
      }
      guard isAdded else { return NtfyPage(input: input, mistakes: [.tooMany]).response(call) }
      environment.live.reminders.ring()
      return form.redirect(to: DeviceNote.tested.address + "#channels")
    }
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("channels.ntfy.title")
    frame.lead = localizer.text("channels.ntfy.lead")
    frame.place = .me
    frame.back = .init(localizer.text("device.title"), address: "/device")
    frame.hasErrors = !mistakes.isEmpty
    let errors = mistakes.map { FieldError(field: $0.field, message: $0.message(localizer)) }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      <ol>\(each: ["app", "topic", "loud", "test"], { name in
        "<li>\(localizer.text("channels.ntfy.step", ["step": .text(name)]))</li>"
      })</ol>\
      \(Form(
        action: Self.path, token: call.accountToken,
        fields: fields(localizer),
        buttons: Button(localizer.text("channels.ntfy.submit"), icon: .bell).markup))</div>
      """, status: mistakes.isEmpty ? .ok : .unprocessableContent)
  }

  private func fields(_ localizer: Localizer) -> Markup {
    let fields = [
      FormField(
        "server", label: localizer.text("channels.ntfy.server"), value: input.server,
        hint: localizer.text("channels.ntfy.server-hint"), error: message("server", localizer),
        maximumLength: 300, localizer: localizer),
      FormField(
        "topic", label: localizer.text("channels.ntfy.topic"), value: input.topic,
        hint: localizer.text("channels.ntfy.topic-hint"), error: message("topic", localizer),
        maximumLength: 64, localizer: localizer),
      FormField(
        "token", label: localizer.text("channels.ntfy.token"), kind: .password,
        hint: localizer.text("channels.ntfy.token-hint"), error: message("token", localizer),
        isRequired: false, autocomplete: "off", maximumLength: 200, localizer: localizer),
    ]
    return Markup.joined(fields.map(\.markup))
  }

  private func message(_ field: String, _ localizer: Localizer) -> String? {
    mistakes.first { $0.field == field }?.message(localizer)
  }
}
