// SPDX-License-Identifier: Apache-2.0

extension WebhookMessage {
  /// Returns the request that starts the automations of a webhook of Home Assistant; its id is the
  /// secret.
  package func homeAssistantWebhook(server: String, id: String) -> ChannelRequest {
    ChannelRequest(
      address: "\(server)/api/webhook/\(id)", headers: [SortedJSON.contentType], body: json)
  }

  /// Returns the request that calls a notify service of Home Assistant, such as the one of a phone
  /// with its app.
  package func homeAssistantNotify(server: String, service: String, token: String)
    -> ChannelRequest
  {
    ChannelRequest(
      address: "\(server)/api/services/notify/\(service)",
      headers: [SortedJSON.contentType, ("Authorization", "Bearer \(token)")],
      body: SortedJSON.bytes(
        Notification(
          title: title, message: body,
          data: .init(
            tag: tag, url: address, clickAction: address,
            actions: [.init(title: button, uri: address)]))))
  }

  private struct Notification: Encodable {
    struct Details: Encodable {
      struct Action: Encodable {
        let action = "URI"
        let title: String
        let uri: String
      }

      let tag: String
      // The address that a tap opens; iPhone reads one key, Android the other.
      let url: String
      let clickAction: String
      // Without these, Android may delay a message to save power.
      let ttl = 0
      let priority = "high"
      let actions: [Action]
    }

    let title: String
    let message: String
    let data: Details
  }
}

/// The names that Home Assistant accepts.
package enum HomeAssistantName {
  /// Returns true for the id of a webhook: 1 to 128 ASCII letters, digits, `-` and `_`.
  package static func isWebhook(_ text: String) -> Bool {
    isName(text) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  /// Returns true for a notify service without `notify.`, such as `mobile_app_phone`: 1 to 128
  /// ASCII letters, digits and `_`.
  package static func isService(_ text: String) -> Bool {
    isName(text) { $0 == UInt8(ascii: "_") }
  }

  private static func isName(_ text: String, _ isMark: (UInt8) -> Bool) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: isMark(byte)
        }
      }
  }
}
