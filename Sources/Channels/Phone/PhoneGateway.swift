// SPDX-License-Identifier: Apache-2.0

import Encodings
import Identifiers
import Localization
import Secrecy

/// A company that sends texts and makes calls for this server, as configured by the operator.
package struct PhoneGateway: Sendable {
  /// The company that provides the gateway.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case twilio, vonage, seven

    /// The base address of the company's API.
    package var address: String {
      switch self {
      case .twilio: "https://api.twilio.com"
      case .vonage: "https://rest.nexmo.com"
      case .seven: "https://gateway.seven.io"
      }
    }

    /// True if the company needs an account name in addition to the secret.
    package var needsAccount: Bool { self != .seven }
    /// True if the company makes calls that read a text out.
    package var makesCalls: Bool { self != .vonage }
    /// True if this server understands the replies that the company forwards.
    package var forwardsReplies: Bool { self != .vonage }
  }

  /// The company that provides the gateway.
  package let kind: Kind
  private let address: String
  let account: String
  private let secret: Concealed<String>
  /// The number or name that texts come from.
  private let sender: String
  /// The number that calls come from; nil if no calls are made.
  private let caller: String?
  /// The key with which the company signs what it sends here; nil if replies are not taken.
  let signingKey: Concealed<String>?

  /// Creates a gateway from the operator's settings.
  ///
  /// - Parameters:
  package init(
    kind: Kind, address: String, account: String, secret: Concealed<String>, sender: String,
    caller: String? = nil, signingKey: Concealed<String>? = nil
  ) {
    self.kind = kind
    self.address = address
    self.account = account
    self.secret = secret
    self.sender = sender
    self.caller = caller ?? PhoneNumber(sender)?.text
    self.signingKey = signingKey
  }

  /// True if the company makes calls and a caller number is set.
  package var makesCalls: Bool { kind.makesCalls && caller != nil }

  private var basic: (String, String) {
    ("Authorization", "Basic " + Base64.encode("\(account):\(secret.revealed)".utf8))
  }

  /// Returns the request that sends a text message.
  ///
  /// - Parameter id: the same for every attempt; gateways that support it use it to detect repetitions.
  package func text(_ text: String, to number: PhoneNumber, id: String) -> ChannelRequest {
    switch kind {
    case .twilio:
      // The id of a messaging service replaces the number.
      let from = sender.hasPrefix("MG") ? "MessagingServiceSid" : "From"
      return post(
        "/2010-04-01/Accounts/\(account)/Messages.json", [basic],
        [("To", number.text), (from, sender), ("Body", text)], .status)
    case .vonage:
      var fields = [
        ("from", PhoneNumber(sender)?.digits ?? sender), ("to", number.digits), ("text", text),
        ("client-ref", id),
      ]
      if !text.utf8.allSatisfy({ $0 < 0x80 }) { fields.append(("type", "unicode")) }
      return post("/sms/json", [basic], fields, .vonage)
    case .seven:
      return post(
        "/api/sms", sevenHeaders,
        [("to", number.text), ("text", text)] + (sender.isEmpty ? [] : [("from", sender)]), .seven)
    }
  }

  /// True if a key pressed in a call reaches this server.
  package var takesKeys: Bool { takesReplies && kind == .twilio }

  /// Returns the request for a call that reads a text out; nil if ``makesCalls`` is false.
  ///
  /// - Parameter keypad: the address to which a pressed key is sent; nil to take none.
  package func call(
    _ text: String, to number: PhoneNumber, language: Language, id: String, keypad: String? = nil
  ) -> ChannelRequest? {
    guard makesCalls, let caller else { return nil }
    switch kind {
    case .twilio:
      let spoken =
        keypad.map { Twiml.ask(text, language: language, at: $0) }
        ?? Twiml.say(text, language: language)
      return post(
        "/2010-04-01/Accounts/\(account)/Calls.json", [basic],
        [("To", number.text), ("From", caller), ("Twiml", spoken)], .status)
    case .seven:
      return post(
        "/api/voice", sevenHeaders,
        [("to", number.text), ("text", text), ("from", caller), ("foreign_id", id)], .seven)
    case .vonage: return nil
    }
  }

  private var sevenHeaders: [(String, String)] {
    [("X-Api-Key", secret.revealed), ("Accept", "application/json")]
  }

  private func post(
    _ path: String, _ headers: [(String, String)], _ fields: [(String, String)],
    _ receipt: ChannelRequest.Receipt
  ) -> ChannelRequest {
    ChannelRequest(
      address: address + path, headers: [("Content-Type", FormEncoding.mediaType)] + headers,
      body: Array(FormEncoding.encode(fields).utf8), receipt: receipt)
  }
}

/// The markup that tells Twilio what to say in a call.
enum Twiml {
  static let mediaType = "text/xml; charset=utf-8"
  /// The answer that does nothing.
  static let nothing = "\(head)<Response/>"
  private static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

  /// Returns markup that says a text three times, because people miss the beginning of a call.
  static func say(_ text: String, language: Language, times: Int = 3) -> String {
    "\(head)<Response>\(spoken(text, language, times))</Response>"
  }

  /// Returns markup that says a text and waits for one key, which is sent to an address.
  static func ask(
    _ text: String, language: Language, at address: String, times: Int = 3
  ) -> String {
    """
    \(head)<Response><Gather numDigits="1" timeout="10" method="POST" action="\(quoted(address))">\
    \(spoken(text, language, times))</Gather></Response>
    """
  }

  private static func spoken(_ text: String, _ language: Language, _ times: Int) -> String {
    "<Say language=\"\(locale(language))\" loop=\"\(times)\">\(escaped(text))</Say>"
  }

  /// Returns a text for an attribute.
  private static func quoted(_ text: String) -> String {
    escaped(text).replacing("\"", with: "&quot;")
  }

  private static func locale(_ language: Language) -> String {
    switch language {
    case .en: "en-US"
    case .de: "de-DE"
    case .nb: "nb-NO"
    case .th: "th-TH"
    case .tr: "tr-TR"
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // XML 1.0 allows no other control characters.
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}": continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
