// SPDX-License-Identifier: Apache-2.0

/// An error in the text of a message, with its position.
struct MessageSyntaxError: Error, Hashable, CustomStringConvertible {
  enum Reason: String, Hashable {
    case unexpectedEnd = "the message ends inside braces"
    case unmatchedBrace = "a closing brace without an opening one"
    case emptyName = "an argument without a name"
    case unknownFormat = "only plural and select are known"
    case unknownSelector = "a plural branch must be one, many, other or =number"
    case missingOther = "a plural or select needs a branch named other"
    case duplicateBranch = "a branch appears twice"
    case expectedBrace = "a branch must be followed by text in braces"
  }
  let reason: Reason
  /// The position in bytes from the start of the message.
  let offset: Int

  var description: String { "\(reason.rawValue), at byte \(offset)" }
}

/// Parses the subset of ICU MessageFormat that catalogues use: `{name}`, `{n, plural, ...}` and `{x, select,
/// ...}`, `#` for the number, and apostrophes that quote braces.
struct MessageParser {
  private let bytes: [UInt8]
  private var index = 0

  private init(_ text: String) {
    bytes = Array(text.utf8)
  }

  static func parse(_ text: String) throws(MessageSyntaxError) -> Message {
    var parser = MessageParser(text)
    let parts = try parser.parts(number: nil, isNested: false)
    return Message(parts: parts)
  }

  private func failure(_ reason: MessageSyntaxError.Reason) -> MessageSyntaxError {
    MessageSyntaxError(reason: reason, offset: index)
  }

  /// Reads parts up to the end of the message, or through the closing brace of a branch.
  private mutating func parts(
    number: String?, isNested: Bool
  ) throws(MessageSyntaxError) -> [Message.Part] {
    var result: [Message.Part] = []
    var text: [UInt8] = []
    func flush() {
      if !text.isEmpty { result.append(.text(String(decoding: text, as: UTF8.self))) }
      text.removeAll(keepingCapacity: true)
    }
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "'"):
        quoted(into: &text, inPlural: number != nil)
      case UInt8(ascii: "{"):
        flush()
        index += 1
        result.append(try argument(enclosing: number))
      case UInt8(ascii: "}"):
        guard isNested else { throw failure(.unmatchedBrace) }
        index += 1
        flush()
        return result
      case UInt8(ascii: "#"):
        if let number {
          flush()
          result.append(.argument(number))
        } else {
          text.append(byte)
        }
        index += 1
      default:
        text.append(byte)
        index += 1
      }
    }
    if isNested { throw failure(.unexpectedEnd) }
    flush()
    return result
  }

  /// Reads an apostrophe: a doubled one is literal, one before a brace quotes up to the next one, and any
  /// other is text.
  private mutating func quoted(into text: inout [UInt8], inPlural: Bool) {
    let apostrophe = UInt8(ascii: "'")
    index += 1
    guard index < bytes.count else {
      text.append(apostrophe)
      return
    }
    let next = bytes[index]
    if next == apostrophe {
      text.append(apostrophe)
      index += 1
      return
    }
    let startsQuote =
      next == UInt8(ascii: "{") || next == UInt8(ascii: "}")
      || (inPlural && next == UInt8(ascii: "#"))
    guard startsQuote else {
      text.append(apostrophe)
      return
    }
    while index < bytes.count {
      if bytes[index] == apostrophe {
        index += 1
        guard index < bytes.count, bytes[index] == apostrophe else { return }
      }
      text.append(bytes[index])
      index += 1
    }
  }

  /// Reads the content after an opening brace, through the closing one.
  private mutating func argument(
    enclosing: String?
  ) throws(MessageSyntaxError) -> Message.Part {
    let name = word()
    guard !name.isEmpty else { throw failure(.emptyName) }
    if take(UInt8(ascii: "}")) { return .argument(name) }
    guard take(UInt8(ascii: ",")) else { throw failure(.unexpectedEnd) }
    let format = word()
    guard take(UInt8(ascii: ",")) else { throw failure(.unknownFormat) }
    switch format {
    case "plural":
      var cases: [Message.PluralCase] = []
      for branch in try branches(number: name) {
        let selector = try selector(branch.name)
        cases.append(Message.PluralCase(selector: selector, parts: branch.parts))
      }
      return .plural(argument: name, cases: cases)
    case "select":
      let cases = try branches(number: enclosing).map { branch in
        Message.SelectCase(value: branch.name, parts: branch.parts)
      }
      return .select(argument: name, cases: cases)
    default: throw failure(.unknownFormat)
    }
  }

  private mutating func branches(
    number: String?
  ) throws(MessageSyntaxError) -> [(name: String, parts: [Message.Part])] {
    var result: [(name: String, parts: [Message.Part])] = []
    while !take(UInt8(ascii: "}")) {
      let name = word()
      guard !name.isEmpty else {
        throw failure(index < bytes.count ? .emptyName : .unexpectedEnd)
      }
      guard take(UInt8(ascii: "{")) else { throw failure(.expectedBrace) }
      guard !result.contains(where: { $0.name == name }) else { throw failure(.duplicateBranch) }
      result.append((name, try parts(number: number, isNested: true)))
    }
    guard result.contains(where: { $0.name == "other" }) else { throw failure(.missingOther) }
    return result
  }

  private func selector(
    _ name: String
  ) throws(MessageSyntaxError) -> Message.PluralCase.Selector {
    if name.hasPrefix("="), let value = PlainNumber(text: String(name.dropFirst())) {
      return .exactly(value)
    }
    guard let category = PluralCategory(rawValue: name) else { throw failure(.unknownSelector) }
    return .category(category)
  }

  /// Reads letters up to white space, a comma or a brace, and skips the white space around them.
  private mutating func word() -> String {
    skipSpace()
    let start = index
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "{")
        || byte == UInt8(ascii: "}")
      {
        break
      }
      index += 1
    }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    skipSpace()
    return word
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while index < bytes.count, bytes[index] == 0x20 { index += 1 }
  }
}
