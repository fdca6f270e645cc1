// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Presentation
import Reminders
import Storage
import Web

/// The address to which a gateway sends texts that people reply with, and keys pressed in calls.
package enum ReplyRoutes {
  /// The route of replies, which the gateway's signature protects.
  package static let all: [Route] = [
    .open(.post, Replies.path, as: .api, receive).servingPrograms()
  ]

  private static func receive(_ call: Call) async throws -> Response {
    try checkMediaType(call)
    let environment = call.environment
    guard let phones = environment.channels.phones, phones.gateway.takesReplies else {
      throw Failure.notFound
    }
    let (gateway, now) = (phones.gateway, call.now)
    let webhook = try await webhook(call)
    guard gateway.signed(webhook, nowSeconds: now.milliseconds / 1000) else {
      throw Failure(
        .forbidden, code: "forbidden", detail: "The request is not signed by the gateway.")
    }
    guard let reply = gateway.reply(in: webhook) else {
      // An event of another kind, which the gateway need not send again.
      return answer(gateway, nil, ReplyHandling.Outcome(), call, nil)
    }
    let delivery = reply.isCall ? call.queryValue("delivery").map { DeliveryID($0) } : nil
    let handling = ReplyHandling(
      environment: environment, id: reply.id, text: reply.text,
      way: reply.isCall ? .call : .text,
      sender: Replies.sender(reply.number.text, cipher: environment.accounts.cipher),
      place: reply.isCall
        ? nil : ReplyHandling.Place(service: "", name: reply.number.text),
      delivery: delivery, now: now)
    let outcome = try await handling.heard()
    return answer(gateway, reply, outcome, call, delivery)
  }

  private static func checkMediaType(_ call: Call) throws {
    let type = call.request.headers[.contentType]?.lowercased() ?? ""
    guard ["application/x-www-form-urlencoded", "application/json"].contains(where: type.hasPrefix)
    else {
      throw Failure(
        .unsupportedMediaType, code: "media-type", detail: "Send a form, or JSON.")
    }
  }

  private static func webhook(_ call: Call) async throws -> GatewayWebhook {
    var headers: [String: String] = [:]
    for field in call.request.headers {
      headers[field.name.canonicalName] = field.value
    }
    return GatewayWebhook(
      // The address that the operator gave to the gateway, whatever a proxy made of it.
      address: call.environment.baseURL + call.request.uri.string, headers: headers,
      body: try await BodyReader.bytes(of: call))
  }

  private static func answer(
    _ gateway: PhoneGateway, _ reply: GatewayReply?, _ outcome: ReplyHandling.Outcome,
    _ call: Call, _ delivery: DeliveryID?
  ) -> Response {
    let keypad =
      outcome.asksAgain
      ? call.environment.baseURL + Replies.path + (delivery.map { "?delivery=\($0)" } ?? "") : nil
    let (type, body) = gateway.answer(
      to: reply, saying: outcome.words, language: outcome.language, keypad: keypad)
    return TextResponse.make(body, type: type)
  }
}
