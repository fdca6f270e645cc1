// SPDX-License-Identifier: Apache-2.0

/// How soon a device should be woken (RFC 8030 section 5.3).
package enum PushUrgency: String, Sendable, Hashable {
  case veryLow = "very-low"
  case low
  case normal
  case high
}

/// One message to one device, before encryption.
package struct PushMessage: Sendable {
  package var payload: [UInt8]
  /// Sent once instead, where the service finds the payload too large.
  package var smallPayload: [UInt8]
  /// How long the service keeps the message for a device that is away.
  package var ttlSeconds: Int
  package var urgency: PushUrgency
  /// A later message of the same topic replaces this one while it waits.
  ///
  /// At most 32 characters of base64url; anything else is left out.
  package var topic: String?

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
