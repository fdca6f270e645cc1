// SPDX-License-Identifier: Apache-2.0

/// The rules of topics and their filters.
package enum MQTTTopic {
  /// Returns true if a text can be the beginning of topics: levels of letters, digits, hyphens and underscores.
  package static func isPrefix(_ text: String) -> Bool {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= 100
      && levels.allSatisfy { level in !level.isEmpty && level.utf8.allSatisfy { isPlain($0) } }
  }

  /// Returns true if a filter, with `+` for one level and `#` for the rest, matches a topic.
  package static func matches(_ topic: String, filter: String) -> Bool {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    let wanted = filter.split(separator: "/", omittingEmptySubsequences: false)
    // Topics of the broker itself are only matched by name.
    if topic.hasPrefix("$"), wanted.first == "+" || wanted.first == "#" { return false }
    for (place, level) in wanted.enumerated() {
      if level == "#" { return true }
      guard place < levels.count, level == "+" || level == levels[place] else { return false }
    }
    return levels.count == wanted.count
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
