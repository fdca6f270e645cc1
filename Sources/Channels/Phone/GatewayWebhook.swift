// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import Foundation
import Identifiers
import Localization
import Secrecy

/// A request that a gateway made to this server, as it arrived.
package struct GatewayWebhook: Sendable, Unprintable {
  /// The whole address, as the gateway called it.
  package let address: String
  /// The header fields by their name in lower case.
  package let headers: [String: String]
  /// The body: a form or JSON.
  package let body: [UInt8]

  /// Creates a request from its parts.
  package init(address: String, headers: [String: String], body: [UInt8]) {
    self.address = address
    self.headers = headers
    self.body = body
  }

  /// The names and values of a form; nil if the body is not UTF-8.
  var form: [(name: String, value: String)]? {
    guard let text = String(validating: body, as: UTF8.self) else { return nil }
    return text.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: Self.decode(sides[0]), value: sides.count > 1 ? Self.decode(sides[1]) : "")
    }
  }

  private static func decode(_ text: Substring) -> String {
    let spaced = text.replacingOccurrences(of: "+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }
}

/// A text that a person sent back, or a key that they pressed in a call.
package struct GatewayReply: Sendable, Hashable {
  /// The gateway's identifier of the message, the same when it is sent again.
  package let id: String
  /// The number of the person.
  package let number: PhoneNumber
  /// The text, or the digits.
  package let text: String
  /// True for a key pressed in a call.
  package let isCall: Bool

  /// Creates a reply.
  package init(id: String, number: PhoneNumber, text: String, isCall: Bool = false) {
    self.id = id
    self.number = number
    self.text = text
    self.isCall = isCall
  }
}

extension PhoneGateway {
  /// The seconds by which the time of a signed request may differ from this server's.
  private static let signedSeconds: Int64 = 300

  /// True if people can answer: the company forwards replies, and the key that signs them is known.
  package var takesReplies: Bool { signingKey != nil && kind.forwardsReplies }

  /// Returns true if the company signed the request with the key that only it and the operator know.
  package func signed(_ webhook: GatewayWebhook, nowSeconds: Int64) -> Bool {
    guard let signingKey else { return false }
    let key = SymmetricKey(data: Array(signingKey.revealed.utf8))
    switch kind {
    case .twilio:
      guard let signature = webhook.headers["x-twilio-signature"],
        let code = Data(base64Encoded: signature), let form = webhook.form
      else { return false }
      // The address, then each name and value of the form, sorted by name.
      let fields = form.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
      let text = webhook.address + fields.map { $0.name + $0.value }.joined()
      return HMAC<Insecure.SHA1>.isValidAuthenticationCode(
        code, authenticating: Array(text.utf8), using: key)
    case .seven:
      guard let signature = webhook.headers["x-signature"],
        let code = Hexadecimal.decode(signature.lowercased()),
        let nonce = webhook.headers["x-nonce"], let time = webhook.headers["x-timestamp"],
        let seconds = Int64(time),
        (nowSeconds - Self.signedSeconds...nowSeconds + Self.signedSeconds).contains(seconds)
      else { return false }
      let digest = Hexadecimal.encode(Array(Insecure.MD5.hash(data: webhook.body)))
      let text = [time, nonce, "POST", webhook.address, digest].joined(separator: "\n")
      return HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: Array(text.utf8), using: key)
    case .vonage: return false
    }
  }

  /// Returns the reply in a signed request; nil if it is something else, or malformed.
  package func reply(in webhook: GatewayWebhook) -> GatewayReply? {
    switch kind {
    case .twilio: twilioReply(webhook)
    case .seven: sevenReply(webhook)
    case .vonage: nil
    }
  }

  /// Twilio: `MessageSid`, `From` and `Body` of a text; `CallSid`, `To` and `Digits` of a call.
  private func twilioReply(_ webhook: GatewayWebhook) -> GatewayReply? {
    guard let form = webhook.form else { return nil }
    func field(_ name: String) -> String? {
      form.first { $0.name == name }?.value
    }
    guard field("AccountSid") == account else { return nil }
    if let id = field("MessageSid"), !id.isEmpty {
      guard let number = field("From").flatMap({ PhoneNumber($0) }) else { return nil }
      return GatewayReply(id: id, number: number, text: field("Body") ?? "")
    }
    guard let call = field("CallSid"), !call.isEmpty, let digits = field("Digits"),
      let number = field("To").flatMap({ PhoneNumber($0) })
    else { return nil }
    return GatewayReply(id: "\(call):\(digits)", number: number, text: digits, isCall: true)
  }

  /// seven.io: the event `sms_mo` with `id`, `sender` and `text`.
  private func sevenReply(_ webhook: GatewayWebhook) -> GatewayReply? {
    guard let event = try? JSONDecoder().decode(SevenEvent.self, from: Data(webhook.body)),
      event.name == "sms_mo", !event.data.id.isEmpty
    else { return nil }
    let sender = event.data.sender
    let isBare = !sender.hasPrefix("+") && !sender.hasPrefix("00")
    guard let number = PhoneNumber(isBare ? "+\(sender)" : sender) else { return nil }
    return GatewayReply(id: event.data.id, number: number, text: event.data.text)
  }

  /// Returns the answer to a webhook: for a call, the words to say and whether to wait for a key.
  ///
  /// - Parameter keypad: the address to which the next key is sent; nil to end the call.
  package func answer(
    to reply: GatewayReply?, saying words: String?, language: Language, keypad: String?
  ) -> (type: String, body: String) {
    guard kind == .twilio else { return ("application/json", "{}") }
    guard let reply, reply.isCall, let words else {
      return (Twiml.mediaType, Twiml.nothing)
    }
    return (
      Twiml.mediaType,
      keypad.map { Twiml.ask(words, language: language, at: $0, times: 1) }
        ?? Twiml.say(words, language: language, times: 1)
    )
  }
}

/// An event that seven.io sends.
private struct SevenEvent: Decodable {
  struct Message: Decodable {
    let id: String
    let sender: String
    let text: String
  }

  enum CodingKeys: String, CodingKey {
    case name = "webhook_event"
    case data
  }

  let name: String
  let data: Message
}
