// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A reminder for a program, with its texts, the address of the page for answers, and its identifiers.
package struct WebhookMessage: Sendable, Hashable {
  /// The kind of a message, the first word of its event type.
  package enum Kind: String, Sendable, Hashable {
    case reminder, summary, test, notice
  }

  /// The identifier of the delivery, the same for every attempt.
  package let id: String
  /// The kind, sent as the event type `<kind>.due`.
  package let kind: Kind
  /// The title of the reminder.
  package let title: String
  /// The text of the reminder.
  package let body: String
  /// The address of the page where a person answers.
  package let address: String
  /// The label for a button that opens ``address``.
  package let button: String
  /// The earliest due time, as FHIR writes an instant.
  package let due: String
  /// The tag that all messages of one reminder share.
  package let tag: String
  /// The language of title and body, as a BCP 47 tag.
  package let language: String

  /// Creates a message.
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

  /// The JSON of the message, with `due` as the time of the event.
  var json: [UInt8] {
    SortedJSON.bytes(
      Wire(
        type: "\(kind.rawValue).due", timestamp: due,
        data: .init(
          delivery: id, title: title, body: body, url: address, due: due, tag: tag,
          language: language)))
  }

  /// Returns the request to a webhook, signed as Standard Webhooks specifies; `nowSeconds` are
  /// seconds since 1970.
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
