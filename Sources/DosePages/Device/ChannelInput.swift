// SPDX-License-Identifier: Apache-2.0

import Channels
import Identifiers
import Localization
import Outbound
import Reminders
import Web

/// The typed settings of a webhook, Home Assistant or a phone number.
struct ChannelInput: Sendable {
  enum Mistake: String, Error, Sendable, Hashable {
    case server, name, secret, number, tooMany, tooManyTests

    /// Returns the field that a mistake belongs to.
    func field(of form: ChannelForm) -> String {
      switch self {
      case .server: "server"
      case .name: "name"
      case .secret: "secret"
      case .number: "number"
      case .tooMany, .tooManyTests: form.channel.isPhone ? "number" : "server"
      }
    }

    func message(_ form: ChannelForm, _ localizer: Localizer) -> String {
      switch self {
      case .tooMany:
        localizer.text(
          "channels.ntfy.too-many", ["maximum": .number(ChannelAddresses.largestCount)])
      case .tooManyTests:
        localizer.text(
          "gateways.too-many-tests", ["maximum": .number(ChannelAddresses.mostPhoneTests)])
      case .server, .name, .secret, .number:
        localizer.text(
          "gateways.wrong", ["field": .text(rawValue), "form": .text(form.rawValue)])
      }
    }
  }

  let form: ChannelForm
  /// The address for messages; for Home Assistant its base address.
  var server = ""
  /// The id of a webhook, or a notify service.
  var name = ""
  /// The signing key, or the access token.
  var secret = ""
  var number = ""

  init(_ form: ChannelForm) {
    self.form = form
  }

  init(_ form: ChannelForm, _ typed: FormBody) {
    self.form = form
    server = typed.text("server") ?? ""
    name = typed.text("name") ?? ""
    secret = typed.text("secret") ?? ""
    number = typed.text("number") ?? ""
  }

  /// The fields of the form, in order.
  var fields: [String] {
    switch form {
    case .ntfy: []
    case .webhook: ["server", "secret"]
    case .homeAssistantWebhook: ["server", "name"]
    case .homeAssistantNotify: ["server", "name", "secret"]
    case .sms, .call: ["number"]
    }
  }

  /// Returns the settings with their host.
  func settings(_ policy: OutboundPolicy) throws(Mistake) -> (ChannelSettings, host: String) {
    if form.channel.isPhone {
      guard let number = PhoneNumber(number) else { throw .number }
      return (ChannelSettings(server: "", topic: number.text), number.masked)
    }
    let isWhole = form == .webhook
    let address = !isWhole && server.hasSuffix("/") ? String(server.dropLast()) : server
    guard let url = try? policy.check(address), isWhole || !address.contains("?") else {
      throw .server
    }
    switch form {
    case .webhook:
      guard let key = WebhookSecret(secret) else { throw .secret }
      return (ChannelSettings(server: address, token: key.text), url.hostText)
    case .homeAssistantWebhook:
      guard HomeAssistantName.isWebhook(name) else { throw .name }
      return (ChannelSettings(server: address, topic: name), url.hostText)
    case .homeAssistantNotify:
      let service = name.hasPrefix("notify.") ? String(name.dropFirst(7)) : name
      guard HomeAssistantName.isService(service) else { throw .name }
      guard (1...500).contains(secret.utf8.count),
        secret.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { throw .secret }
      return (ChannelSettings(server: address, topic: service, token: secret), url.hostText)
    case .ntfy, .sms, .call: throw .server
    }
  }
}
