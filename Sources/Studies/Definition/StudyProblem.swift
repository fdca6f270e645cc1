// SPDX-License-Identifier: Apache-2.0

/// A rule that study files must follow.
package enum StudyRule: String, Sendable, Hashable, CaseIterable {
  /// The text is JSON.
  case json
  /// A member that must be there is missing or empty.
  case required
  /// A member has the wrong type.
  case type
  /// A member is not known, so that it would have no effect.
  case unknown
  /// A value is outside its limits.
  case value
  /// An id is used twice.
  case duplicate
  /// A text is missing in one of the study's languages.
  case language
  /// No one may be enrolled without a consent that was read, understood and signed.
  case consent
  /// Everyone must be able to withdraw.
  case withdrawal
  /// An arm may add to a person's settings, never take anything away.
  case safety
  /// Blocks must hold each arm in the ratio of the weights.
  case blocks
  /// An outcome or a questionnaire needs data that the study shares.
  case share
}

/// A fault in a study file: the place, the rule and an explanation for the author.
package struct StudyProblem: Sendable, Hashable {
  /// The place, such as `arms[1].changes`; empty for the file as a whole.
  package let path: String
  /// The line, counted from 1.
  package let line: Int
  /// The rule that is broken.
  package let rule: StudyRule
  /// The fault and its remedy in English.
  package let text: String

  /// The fault on one line.
  package var description: String {
    "line \(line), \(path.isEmpty ? "the file" : path): \(rule.rawValue): \(text)"
  }
}

/// A place in a JSON document.
struct JSONPlace: Sendable, Hashable {
  /// A step from a value to one of its parts.
  enum Step: Sendable, Hashable {
    case member(String)
    case item(Int)
  }

  /// The steps from the whole document.
  private(set) var steps: [Step] = []

  /// Returns the place of a member.
  func member(_ name: String) -> JSONPlace { adding(.member(name)) }

  /// Returns the place of an item of a list.
  func item(_ index: Int) -> JSONPlace { adding(.item(index)) }

  private func adding(_ step: Step) -> JSONPlace {
    var place = self
    place.steps.append(step)
    return place
  }

  /// The place as authors read it, such as `arms[1].changes`.
  var text: String {
    var text = ""
    for step in steps {
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .item(let index): text += "[\(index)]"
      }
    }
    return text
  }
}

/// Finds the lines of places in a JSON document that a strict reader has accepted.
struct JSONLines {
  private let bytes: [UInt8]
  private var position = 0

  /// Returns the line of a place; of a member that is missing, the line on which its object begins.
  static func line(of place: JSONPlace, in bytes: [UInt8]) -> Int {
    var lines = JSONLines(bytes)
    let offset = lines.find(place.steps[...])
    return 1 + bytes[..<min(offset, bytes.count)].count(where: { $0 == UInt8(ascii: "\n") })
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
  }

  /// Returns the offset of the value to which the steps lead.
  private mutating func find(_ steps: ArraySlice<JSONPlace.Step>) -> Int {
    skipSpace()
    let start = position
    guard let step = steps.first else { return start }
    let isObject = byte == UInt8(ascii: "{")
    guard isObject || byte == UInt8(ascii: "[") else { return start }
    position += 1
    var index = 0
    while true {
      skipSpace()
      guard position < bytes.count, byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") else {
        return start
      }
      var isFound = step == .item(index)
      if isObject {
        let from = position + 1
        skipString()
        isFound = step == .member(String(decoding: bytes[from..<(position - 1)], as: UTF8.self))
        skipSpace()
        position += 1  // The colon.
      }
      if isFound { return find(steps.dropFirst()) }
      skipValue()
      skipSpace()
      if byte == UInt8(ascii: ",") { position += 1 }
      index += 1
    }
  }

  /// Moves behind a string, which begins here.
  private mutating func skipString() {
    position += 1
    while position < bytes.count, byte != UInt8(ascii: "\"") {
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.count)
  }

  private mutating func skipValue() {
    skipSpace()
    var depth = 0
    while position < bytes.count {
      switch byte {
      case UInt8(ascii: "\""):
        skipString()
        if depth == 0 { return }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
        if depth == 0 {
          position += 1
          return
        }
      case UInt8(ascii: ","):
        if depth == 0 { return }
      default: break
      }
      position += 1
    }
  }
}
