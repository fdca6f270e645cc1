// SPDX-License-Identifier: Apache-2.0

import Encodings
import Storage

/// The topics of one person on the broker, below an id that no one can guess.
package struct HomeTopics: Sendable, Hashable {
  /// The word for a connection that is there, for availability and Home Assistant's birth message.
  package static let online = "online"
  /// The word for a connection that is gone.
  package static let offline = "offline"

  /// The beginning of all topics of this server.
  let prefix: String
  /// The beginning of the topics at which Home Assistant looks for devices.
  let discoveryPrefix: String
  /// The person's part of the topics.
  package let id: String

  /// Creates the topics of an id.
  package init(prefix: String, discoveryPrefix: String, id: String) {
    self.prefix = prefix
    self.discoveryPrefix = discoveryPrefix
    self.id = id
  }

  /// The state of the person's day, retained.
  package var state: String { "\(prefix)/\(id)/state" }
  /// The events of the person's day, not retained.
  package var event: String { "\(prefix)/\(id)/event" }
  /// The presses of the person's buttons.
  package var command: String { "\(prefix)/\(id)/command" }
  /// The description of the person's entities, retained.
  package var discovery: String { "\(discoveryPrefix)/device/regimen-\(id)/config" }
  /// The state of the server's connection, retained.
  package var availability: String { Self.availability(prefix) }

  /// Returns the topic of the server's connection.
  package static func availability(_ prefix: String) -> String { "\(prefix)/status" }

  /// Returns the filter of all presses.
  package static func commands(_ prefix: String) -> String { "\(prefix)/+/command" }

  /// Returns the topic at which Home Assistant says that it has started.
  package static func birth(_ discoveryPrefix: String) -> String { "\(discoveryPrefix)/status" }

  /// Returns the id in the topic of a press; nil for any other topic.
  package static func id(ofCommand topic: String, prefix: String) -> String? {
    let (head, tail) = ("\(prefix)/", "/command")
    guard topic.hasPrefix(head), topic.hasSuffix(tail),
      topic.utf8.count > head.utf8.count + tail.utf8.count
    else { return nil }
    let id = topic.dropFirst(head.count).dropLast(tail.count)
    return id.contains("/") ? nil : String(id)
  }

  /// Returns the id of a place: derived with a key outside the database, so that a copy of the database does not
  /// tell the topics.
  package static func id(of place: String, cipher: FieldCipher) -> String {
    Base64URL.encode(Array(cipher.blindIndex(place, context: "home_places:place").prefix(18)))
  }
}
