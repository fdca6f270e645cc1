// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A reminder as a program takes it: what it says, where it leads, and what tells it apart.
package struct WebhookMessage: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case reminder, summary, test, notice
  }

  /// The same for every attempt.
  package let id: String
  package let kind: Kind
  package let title: String
  package let body: String
  /// Where a person answers.
  package let address: String
  /// The word for a button that leads there.
  package let button: String
  /// The earliest due time, as FHIR writes an instant.
  package let due: String
  /// Messages of one reminder have the same.
  package let tag: String
  package let language: String

  package init(
    id: String, kind: Kind, title: String, body: String, address: String, button: String,
    due: String, tag: String, language: String
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.body = body
    self.address = address
    self.button = button
    self.due = due
    self.tag = tag
    self.language = language
  }

  private struct Wire: Encodable {
    struct Content: Encodable {
      let delivery: String
      let title: String
      let body: String
      let url: String
      let due: String
      let tag: String
      let language: String
    }

    let type: String
    let timestamp: String
    let data: Content
  }

  /// The JSON of the message; `due` stands for the moment of the event.
  var json: [UInt8] {
    SortedJSON.bytes(
      Wire(
        type: "\(kind.rawValue).due", timestamp: due,
        data: .init(
          delivery: id, title: title, body: body, url: address, due: due, tag: tag,
          language: language)))
  }

  /// The request to a webhook, signed after the convention of Standard Webhooks.
  package func request(to address: String, secret: WebhookSecret, nowSeconds: Int64)
    -> ChannelRequest
  {
    let body = json
    return ChannelRequest(
      address: address,
      headers: [
        SortedJSON.contentType, ("webhook-id", id), ("webhook-timestamp", String(nowSeconds)),
        ("webhook-signature", secret.signature(id: id, seconds: nowSeconds, body: body)),
      ], body: body)
  }
}
