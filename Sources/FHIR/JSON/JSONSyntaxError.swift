// SPDX-License-Identifier: Apache-2.0

/// The limits beyond which a JSON document is rejected.
public struct JSONLimits: Sendable, Hashable {
  /// The maximum depth of arrays and objects; at most 512, which fits the stack of any thread.
  public let maximumDepth: Int
  /// The maximum size of a document in bytes.
  public let maximumBytes: Int

  /// Creates limits; a depth outside 1...512 is clamped.
  public init(maximumDepth: Int = 64, maximumBytes: Int = 2 * 1024 * 1024) {
    self.maximumDepth = min(max(maximumDepth, 1), 512)
    self.maximumBytes = maximumBytes
  }

  /// 64 levels, 2 MiB.
  public static let standard = JSONLimits()
}

/// A reason why bytes are not an acceptable JSON document, with the position.
public struct JSONSyntaxError: Error, Sendable, Hashable {
  /// The kind of error.
  public enum Reason: Sendable, Hashable {
    /// An object names the same property twice.
    case duplicateKey(String)
    /// Bytes in a string are not UTF-8.
    case invalidUTF8
    /// Arrays and objects are nested beyond the limit given here.
    case tooDeep(limit: Int)
    /// The document is larger than the limit in bytes given here.
    case tooLarge(limit: Int)
    /// The document ends inside a value.
    case unexpectedEnd
    /// There is a byte that is not allowed here.
    case unexpectedByte
    /// There is an unescaped control character in a string.
    case controlCharacter
    /// There is a backslash followed by a character that JSON does not define.
    case invalidEscape
    /// There is a `\u` escape that is one half of a surrogate pair.
    case loneSurrogate
    /// There is a number outside the JSON grammar.
    case invalidNumber
    /// There is content after the end of the value.
    case trailingContent
  }

  /// The kind of error.
  public let reason: Reason
  /// The position in bytes, counted from 0.
  public let offset: Int
  /// The line, counted from 1.
  public let line: Int
  /// The byte within the line, counted from 1.
  public let column: Int
}

extension JSONSyntaxError: CustomStringConvertible {
  /// The problem and its position; at most a property name of the content is quoted.
  public var description: String { "\(explanation) (line \(line), column \(column))" }

  private var explanation: String {
    switch reason {
    case .duplicateKey(let key):
      "The property \"\(key.prefix(64))\" appears twice in one object. Remove one."
    case .invalidUTF8: "The text is not valid UTF-8."
    case .tooDeep(let limit): "Arrays and objects are nested deeper than \(limit) levels."
    case .tooLarge(let limit): "The document is larger than \(limit) bytes."
    case .unexpectedEnd: "The document is incomplete."
    case .unexpectedByte: "A character is not allowed here."
    case .controlCharacter: "A control character in a string must be escaped."
    case .invalidEscape: "The escape sequence is not valid JSON."
    case .loneSurrogate: "A \\u escape is half of a surrogate pair."
    case .invalidNumber: "The number is not valid JSON."
    case .trailingContent: "Remove what follows the end of the document."
    }
  }
}
