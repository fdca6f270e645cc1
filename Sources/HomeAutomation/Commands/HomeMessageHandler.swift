// SPDX-License-Identifier: Apache-2.0

import MQTT

/// Something that takes the messages that others publish at some topics, such as presses and the events of devices.
package protocol HomeMessageHandler: Sendable {
  /// The filter of the topics; the broker's settings must subscribe to it.
  var filter: String { get }
  /// Takes a message; it may come twice, and its payload may be anything.
  ///
  /// - Parameter mayHaveWaited: True if the broker may have kept it while the server was away.
  func take(_ message: MQTTMessage, mayHaveWaited: Bool) async
}
