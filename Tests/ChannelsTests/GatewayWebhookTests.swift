// SPDX-License-Identifier: Apache-2.0

import Crypto
import Encodings
import Foundation
import Identifiers
import Localization
import Secrecy
import Testing

@testable import Channels

/// What gateways send here, as in their documentation: the signature and the fields.
@Suite struct GatewayWebhookTests {
  private static let address = "https://regimen.example/api/v1/gateways/replies?delivery=d1"
  private static let now: Int64 = 1_772_348_400

  private static func gateway(
    _ kind: PhoneGateway.Kind, key: String? = "signing-key"
  ) -> PhoneGateway {
    PhoneGateway(
      kind: kind, address: kind.address, account: "AC0123", secret: Concealed("s3cret"),
      sender: "+15005550006", signingKey: key.map { Concealed($0) })
  }

  private static func form(_ fields: [(String, String)]) -> [UInt8] {
    Array(FormEncoding.encode(fields).utf8)
  }

  /// Returns a form with Twilio's signature, computed from the fields as they were before encoding.
  private static func twilio(
    _ fields: [(String, String)], key: String = "signing-key", address: String = Self.address
  ) -> GatewayWebhook {
    let text = address + fields.sorted { $0.0 < $1.0 }.map { $0.0 + $0.1 }.joined()
    let code = HMAC<Insecure.SHA1>.authenticationCode(
      for: Data(text.utf8), using: SymmetricKey(data: Data(key.utf8)))
    return GatewayWebhook(
      address: address, headers: ["x-twilio-signature": Data(code).base64EncodedString()],
      body: form(fields))
  }

  private static func seven(
    _ body: String, key: String = "signing-key", time: Int64 = Self.now, signedBody: String? = nil
  ) -> GatewayWebhook {
    let digest = Insecure.MD5.hash(data: Data((signedBody ?? body).utf8))
      .map { String(format: "%02x", $0) }.joined()
    let text = "\(time)\nnonce\nPOST\n\(address)\n\(digest)"
    let code = HMAC<SHA256>.authenticationCode(
      for: Data(text.utf8), using: SymmetricKey(data: Data(key.utf8)))
    return GatewayWebhook(
      address: address,
      headers: [
        "x-signature": code.map { String(format: "%02x", $0) }.joined(), "x-nonce": "nonce",
        "x-timestamp": "\(time)",
      ], body: Array(body.utf8))
  }

  private static let text = [
    ("MessageSid", "SM1"), ("AccountSid", "AC0123"), ("From", "+4740000012"),
    ("To", "+15005550006"), ("Body", "Tatt & ferdig é +1"),
  ]

  @Test func `Twilio's text is read and its signature checked`() {
    let gateway = Self.gateway(.twilio)
    let webhook = Self.twilio(Self.text)
    #expect(gateway.signed(webhook, nowSeconds: Self.now))
    #expect(
      gateway.reply(in: webhook)
        == PhoneNumber("+4740000012").map {
          GatewayReply(id: "SM1", number: $0, text: "Tatt & ferdig é +1")
        })
    #expect(!gateway.signed(Self.twilio(Self.text, key: "other"), nowSeconds: Self.now))
    #expect(!Self.gateway(.twilio, key: nil).signed(webhook, nowSeconds: Self.now))
    #expect(!Self.gateway(.twilio, key: nil).takesReplies && gateway.takesReplies)
    let moved = GatewayWebhook(
      address: "https://other.example/", headers: webhook.headers, body: webhook.body)
    #expect(!gateway.signed(moved, nowSeconds: Self.now))
    var changed = Self.text
    changed[4].1 = "1"
    let altered = GatewayWebhook(
      address: Self.address, headers: webhook.headers, body: Self.form(changed))
    #expect(!gateway.signed(altered, nowSeconds: Self.now))
  }

  @Test func `Twilio's keys belong to the number that was called`() {
    let gateway = Self.gateway(.twilio)
    let reply = gateway.reply(
      in: Self.twilio([
        ("CallSid", "CA1"), ("AccountSid", "AC0123"), ("From", "+15005550006"),
        ("To", "+4740000012"), ("Digits", "1"),
      ]))
    #expect(reply?.number.text == "+4740000012" && reply?.isCall == true)
    #expect(reply?.text == "1" && reply?.id == "CA1:1")
  }

  @Test(arguments: [
    [("AccountSid", "AC0123")], [("MessageSid", "SM1"), ("AccountSid", "AC9")],
    [("MessageSid", "SM1"), ("AccountSid", "AC0123"), ("From", "whatsapp:+4740000012")],
    [("CallSid", "CA1"), ("AccountSid", "AC0123"), ("To", "+4740000012")], [],
  ])
  func `other requests of Twilio are no replies`(fields: [(String, String)]) {
    #expect(Self.gateway(.twilio).reply(in: Self.twilio(fields)) == nil)
  }

  private static let event = """
    {"webhook_event":"sms_mo","webhook_timestamp":"2026-03-01 08:00:00",
     "data":{"id":"77","sender":"4740000012","system":"491771783130","text":"2","time":"1"}}
    """

  @Test func `an event of seven is read and its signature checked`() {
    let gateway = Self.gateway(.seven)
    let webhook = Self.seven(Self.event)
    #expect(gateway.signed(webhook, nowSeconds: Self.now + 20))
    let reply = gateway.reply(in: webhook)
    #expect(reply?.id == "77" && reply?.number.text == "+4740000012" && reply?.text == "2")
    #expect(!gateway.signed(webhook, nowSeconds: Self.now + 301), "a late replay")
    #expect(!gateway.signed(Self.seven(Self.event, key: "x"), nowSeconds: Self.now))
    #expect(!gateway.signed(Self.seven(Self.event, signedBody: "{}"), nowSeconds: Self.now))
    #expect(!gateway.signed(Self.seven(Self.event, time: .min), nowSeconds: Self.now))
  }

  @Test(arguments: [
    "", "{", "[]", #"{"webhook_event":"dlr","data":{"id":"1","sender":"1","text":"1"}}"#,
    #"{"webhook_event":"sms_mo","data":{"id":"1","sender":"Bank","text":"1"}}"#,
    #"{"webhook_event":"sms_mo","data":{"id":"","sender":"4740000012","text":"1"}}"#,
  ])
  func `other events of seven are no replies`(body: String) {
    #expect(Self.gateway(.seven).reply(in: Self.seven(body)) == nil)
  }

  @Test(arguments: PhoneGateway.Kind.allCases)
  func `nothing is signed without its headers`(kind: PhoneGateway.Kind) {
    let bodies: [[UInt8]] = [[], [0xFF, 0xFE], Array("a=%zz&&=".utf8)]
    for body in bodies {
      let webhook = GatewayWebhook(address: Self.address, headers: [:], body: body)
      #expect(!Self.gateway(kind).signed(webhook, nowSeconds: Self.now))
      #expect(Self.gateway(kind).reply(in: webhook) == nil)
    }
    #expect(Self.gateway(kind).takesReplies == (kind != .vonage))
  }

  @Test func `a call says the answer, and listens if it asks`() throws {
    let gateway = Self.gateway(.twilio)
    let number = try #require(PhoneNumber("+4740000012"))
    let reply = GatewayReply(id: "CA1:1", number: number, text: "1", isCall: true)
    let done = gateway.answer(to: reply, saying: "A & B", language: .de, keypad: nil)
    #expect(done.type.hasPrefix("text/xml"))
    #expect(done.body.contains("<Say language=\"de-DE\" loop=\"1\">A &amp; B</Say>"))
    #expect(!done.body.contains("Gather"))
    let asks = gateway.answer(
      to: reply, saying: "A", language: .en, keypad: "https://x.example/?a=1&b=\"")
    #expect(asks.body.contains("action=\"https://x.example/?a=1&amp;b=&quot;\""))
    let text = GatewayReply(id: "SM1", number: number, text: "1")
    #expect(
      gateway.answer(to: text, saying: "A", language: .en, keypad: nil).body
        .hasSuffix("<Response/>"))
    let call = try #require(
      gateway.call("Hi", to: number, language: .en, id: "d", keypad: "https://x.example/k"))
    #expect(PhoneGatewayTests.fields(call)["Twiml"]?.contains("<Gather numDigits=\"1\"") == true)
  }
}
