// SPDX-License-Identifier: Apache-2.0

/// A message that is published, or was received.
package struct MQTTMessage: Sendable, Hashable {
  /// The topic.
  package let topic: String
  /// The payload; empty to remove what the broker retains.
  package let payload: [UInt8]
  /// For a message to publish, true if the broker keeps it for later subscribers; for a received one, true if
  /// the broker had kept it from before the subscription.
  package let isRetained: Bool

  /// Creates a message.
  package init(topic: String, payload: [UInt8], isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }

  /// Creates a message whose payload is a text.
  package init(topic: String, text: String, isRetained: Bool) {
    self.init(topic: topic, payload: Array(text.utf8), isRetained: isRetained)
  }
}
