// SPDX-License-Identifier: Apache-2.0

/// The urgency of a message (RFC 8030 section 5.3).
package enum PushUrgency: String, Sendable, Hashable {
  case veryLow = "very-low"
  case low
  case normal
  case high
}

/// One message to one device, before encryption.
package struct PushMessage: Sendable {
  /// The unencrypted payload, which is encrypted for each device.
  package var payload: [UInt8]
  /// The payload that is sent once more if the service finds the first one too large.
  package var smallPayload: [UInt8]
  /// The seconds for which the service keeps the message for a device that is offline.
  package var ttlSeconds: Int
  /// The urgency, which lets a device with a low battery wait.
  package var urgency: PushUrgency
  /// The topic.
  ///
  /// A later message of the same topic replaces this one while it waits. At most 32 characters of base64url;
  /// any other text is ignored.
  package var topic: String?

  /// Creates a message, which replaces an earlier one only if it has a topic.
  package init(
    payload: [UInt8], smallPayload: [UInt8], ttlSeconds: Int, urgency: PushUrgency,
    topic: String? = nil
  ) {
    self.payload = payload
    self.smallPayload = smallPayload
    self.ttlSeconds = ttlSeconds
    self.urgency = urgency
    self.topic = topic
  }
}
