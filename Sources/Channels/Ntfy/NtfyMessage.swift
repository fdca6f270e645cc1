// SPDX-License-Identifier: Apache-2.0

/// A message to a topic of an ntfy server, in the JSON format for its root address.
package struct NtfyMessage: Sendable, Hashable {
  /// The topic, which on a public server is also the secret.
  package let topic: String
  /// The title of the message.
  package let title: String
  /// The text of the message.
  package let body: String
  /// The address that a tap on the message or its single button opens.
  package let address: String
  /// The label of the button.
  package let button: String
  /// The name of a sequence, whose messages replace each other on servers that support it.
  package let sequence: String
  /// True if the message has ntfy's highest priority, which people can set to ring in silent mode.
  package let isUrgent: Bool

  /// Creates a message, urgent by default.
  package init(
    topic: String, title: String, body: String, address: String, button: String, sequence: String,
    isUrgent: Bool = true
  ) {
    self.topic = topic
    self.title = title
    self.body = body
    self.address = address
    self.button = button
    self.sequence = sequence
    self.isUrgent = isUrgent
  }

  /// Returns true for a topic that ntfy accepts: 1 to 64 ASCII letters, digits, `-` and `_`.
  package static func isTopic(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// The priority: ntfy's highest of five, which can be set to ring in silent mode, or the normal one.
  private var priority: Int { isUrgent ? 5 : 3 }

  private struct Wire: Encodable {
    struct Action: Encodable {
      let action = "view"
      let label: String
      let url: String
      let clear = true
    }

    let topic: String
    let title: String
    let message: String
    let priority: Int
    let click: String
    // A button that answers directly would leave the alarm ringing, so this one opens the page.
    let actions: [Action]
    let sequenceID: String

    enum CodingKeys: String, CodingKey {
      case topic, title, message, priority, click, actions
      case sequenceID = "sequence_id"
    }
  }

  /// Returns the request that publishes the message at the root of a server.
  ///
  /// - Parameters:
  ///   - server: the base address.
  ///   - token: an access token; empty for a topic that is open.
  package func request(to server: String, token: String) -> ChannelRequest {
    let wire = Wire(
      topic: topic, title: title, message: body, priority: priority, click: address,
      actions: [Wire.Action(label: button, url: address)], sequenceID: sequence)
    return ChannelRequest(
      address: server,
      headers: [SortedJSON.contentType]
        + (token.isEmpty ? [] : [("Authorization", "Bearer \(token)")]),
      body: SortedJSON.bytes(wire))
  }
}
