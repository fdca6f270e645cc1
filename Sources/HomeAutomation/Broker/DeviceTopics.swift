// SPDX-License-Identifier: Apache-2.0

/// The topics at which a device in the home reports, and reads what became of its reports.
package struct DeviceTopics: Sendable, Hashable {
  /// The beginning of all topics of this server.
  let prefix: String
  /// The device's part of the topics.
  package let address: String

  /// Creates the topics of a device.
  package init(prefix: String, address: String) {
    self.prefix = prefix
    self.address = address
  }

  /// Creates the topics from the one of a report; nil if it is another.
  package init?(ofEvents topic: String, prefix: String) {
    let levels = topic.dropFirst(prefix.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard topic.hasPrefix(prefix), levels.count == 4, levels[0].isEmpty, levels[1] == "device",
      !levels[2].isEmpty, levels[3] == "events"
    else { return nil }
    self.init(prefix: prefix, address: String(levels[2]))
  }

  /// The reports of the device.
  package var events: String { "\(prefix)/device/\(address)/events" }
  /// The answers of the server, not retained.
  package var answers: String { "\(prefix)/device/\(address)/answers" }

  /// Returns the filter of all reports.
  package static func allEvents(_ prefix: String) -> String { "\(prefix)/device/+/events" }
}
