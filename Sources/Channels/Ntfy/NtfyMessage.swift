// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A message to a topic of an ntfy server, in the JSON that it takes at its root.
package struct NtfyMessage: Sendable, Hashable {
  package let topic: String
  package let title: String
  package let body: String
  /// Where a tap on the message leads, and its one button.
  package let address: String
  package let button: String
  /// Messages of one sequence replace each other, on servers that know it; others take no notice.
  package let sequence: String

  package init(
    topic: String, title: String, body: String, address: String, button: String, sequence: String
  ) {
    self.topic = topic
    self.title = title
    self.body = body
    self.address = address
    self.button = button
    self.sequence = sequence
  }

  /// Whether a topic is one that ntfy takes: letters, digits, `-` and `_`, at most 64.
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

  /// The most urgent of ntfy's five: the one that can be set to ring through silence.
  private static let priority = 5

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
    // A button that answers by itself would leave the alarm ringing, so there is one that opens.
    let actions: [Action]
    let sequenceID: String

    enum CodingKeys: String, CodingKey {
      case topic, title, message, priority, click, actions
      case sequenceID = "sequence_id"
    }
  }

  /// The body of the request.
  var json: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let wire = Wire(
      topic: topic, title: title, message: body, priority: Self.priority, click: address,
      actions: [Wire.Action(label: button, url: address)], sequenceID: sequence)
    return (try? encoder.encode(wire)).map { Array($0) } ?? []
  }
}
