// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Localization
import Outbound
import Secrecy
import Testing

@testable import Channels

/// Each gateway's request as in its documentation: method, path, authentication and fields.
@Suite struct PhoneGatewayTests {

  static func gateway(
    _ kind: PhoneGateway.Kind, account: String = "AC0123", sender: String = "+15005550006"
  ) -> PhoneGateway {
    PhoneGateway(
      kind: kind, address: kind.address, account: account, secret: Concealed("s3cret"),
      sender: sender)
  }

  /// Returns the fields of a form, decoded by another parser.
  static func fields(_ request: ChannelRequest) -> [String: String] {
    var components = URLComponents()
    components.percentEncodedQuery = String(decoding: request.body, as: UTF8.self)
    return Dictionary(
      (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    ) { first, _ in first }
  }

  private static func has(_ request: ChannelRequest, _ name: String, _ value: String) -> Bool {
    request.headers.contains { $0 == (name, value) }
  }

  private static let basic = "Basic " + Data("AC0123:s3cret".utf8).base64EncodedString()

  @Test func `Twilio sends a text`() throws {
    let number = try #require(PhoneNumber("+4740000000"))
    let request = Self.gateway(.twilio).text("Zeit für 08:00 & mehr", to: number, id: "d")
    #expect(
      request.address == "https://api.twilio.com/2010-04-01/Accounts/AC0123/Messages.json")
    #expect(Self.has(request, "Authorization", Self.basic))
    #expect(Self.has(request, "Content-Type", "application/x-www-form-urlencoded"))
    #expect(
      Self.fields(request) == [
        "To": "+4740000000", "From": "+15005550006", "Body": "Zeit für 08:00 & mehr",
      ])
    let service = Self.gateway(.twilio, sender: "MG77").text("x", to: number, id: "d")
    #expect(Self.fields(service)["MessagingServiceSid"] == "MG77")
    #expect(Self.fields(service)["From"] == nil)
  }

  @Test func `Twilio makes a call that reads a text`() throws {
    let number = try #require(PhoneNumber("+4740000000"))
    let gateway = Self.gateway(.twilio)
    let request = try #require(
      gateway.call("Take <now> & \u{1}then", to: number, language: .de, id: "d"))
    #expect(request.address == "https://api.twilio.com/2010-04-01/Accounts/AC0123/Calls.json")
    #expect(Self.has(request, "Authorization", Self.basic))
    let fields = Self.fields(request)
    #expect(fields["To"] == "+4740000000" && fields["From"] == "+15005550006")
    #expect(
      fields["Twiml"]
        == """
        <?xml version="1.0" encoding="UTF-8"?><Response><Say language="de-DE" loop="3">\
        Take &lt;now&gt; &amp; then</Say></Response>
        """)
    // A name cannot make calls.
    #expect(!Self.gateway(.twilio, sender: "Regimen").makesCalls)
  }

  @Test func `Vonage sends texts but makes no calls`() throws {
    let number = try #require(PhoneNumber("+4740000000"))
    let gateway = Self.gateway(.vonage, sender: "Regimen")
    let request = gateway.text("Time for 08:00", to: number, id: "d1")
    #expect(request.address == "https://rest.nexmo.com/sms/json")
    #expect(Self.has(request, "Authorization", Self.basic))
    #expect(
      Self.fields(request) == [
        "from": "Regimen", "to": "4740000000", "text": "Time for 08:00", "client-ref": "d1",
      ])
    let thai = gateway.text("ถึงเวลา", to: number, id: "d1")
    #expect(Self.fields(thai)["type"] == "unicode" && Self.fields(thai)["text"] == "ถึงเวลา")
    #expect(gateway.call("x", to: number, language: .en, id: "d") == nil)
  }

  @Test func `seven sends a text and makes a call`() throws {
    let number = try #require(PhoneNumber("+4740000000"))
    let gateway = Self.gateway(.seven, account: "")
    let request = gateway.text("Time", to: number, id: "d1")
    #expect(request.address == "https://gateway.seven.io/api/sms")
    #expect(Self.has(request, "X-Api-Key", "s3cret"))
    #expect(Self.has(request, "Accept", "application/json"))
    #expect(
      Self.fields(request) == ["to": "+4740000000", "text": "Time", "from": "+15005550006"])
    let call = try #require(gateway.call("Time", to: number, language: .en, id: "d1"))
    #expect(call.address == "https://gateway.seven.io/api/voice")
    #expect(Self.has(call, "X-Api-Key", "s3cret"))
    #expect(
      Self.fields(call) == [
        "to": "+4740000000", "text": "Time", "from": "+15005550006", "foreign_id": "d1",
      ])
  }

  @Test(arguments: [
    (PhoneGateway.Kind.twilio, 201, #"{"sid":"SM1","status":"queued"}"#, ChannelOutcome.accepted),
    (.twilio, 401, #"{"code":20003}"#, .misconfigured(status: 401)),
    (.twilio, 429, "", .retry(afterSeconds: nil, .rateLimited)),
    (.twilio, 503, "", .retry(afterSeconds: nil, .service(status: 503))),
    (.vonage, 200, #"{"message-count":"1","messages":[{"status":"0"}]}"#, .accepted),
    (
      .vonage, 200, #"{"messages":[{"status":"1","error-text":"Throttled"}]}"#,
      .retry(afterSeconds: nil, .rateLimited)
    ),
    (.vonage, 200, #"{"messages":[{"status":"0"},{"status":"4"}]}"#, .misconfigured(status: 4)),
    (.vonage, 200, "", .misconfigured(status: 200)),
    (.vonage, 200, #"{"messages":[]}"#, .misconfigured(status: 200)),
    (.seven, 200, #"{"success":"100","messages":[]}"#, .accepted),
    (.seven, 200, #"{"success":900}"#, .misconfigured(status: 900)),
    (.seven, 200, "900", .misconfigured(status: 200)),
  ])
  func `responses of gateways`(
    kind: PhoneGateway.Kind, status: Int, body: String, expected: ChannelOutcome
  ) async throws {
    let number = try #require(PhoneNumber("+4740000000"))
    let request = Self.gateway(kind).text("x", to: number, id: "d")
    #expect(await WebhookTests.send(request, WebhookTests.answer(status, body)).0 == expected)
  }
}
