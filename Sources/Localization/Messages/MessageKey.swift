// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The name of a message: the feature, a dot, and the place of the text, such as `today.title`.
public struct MessageKey: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The key as in the catalogues.
  public let text: String

  /// Creates a key at run time, such as `MessageKey("units.\(unit.rawValue)")`.
  public init(_ text: String) {
    self.text = text
  }

  /// Creates a key from the source; a test checks that each is in the catalogues.
  public init(stringLiteral text: String) {
    self.text = text
  }

  /// The key as in the catalogues.
  public var description: String { text }
}

/// A value inserted into a message.
public enum MessageArgument: Sendable, Hashable, ExpressibleByStringInterpolation,
  ExpressibleByIntegerLiteral
{
  /// Text that is inserted unchanged.
  case text(String)
  /// A whole number, formatted for the language and used to select a plural form.
  case number(Int)
  /// A decimal number, formatted for the language and used to select a plural form.
  case decimal(Decimal)
  /// An exact number of a dosage, formatted for the language and used to select a plural form.
  case exact(PlainNumber)

  /// Creates text from a literal, with or without interpolations.
  public init(stringLiteral text: String) {
    self = .text(text)
  }

  /// Creates a whole number from a literal.
  public init(integerLiteral number: Int) {
    self = .number(number)
  }
}

/// The values to insert into a message, by name.
///
/// Written as a dictionary. A message has few arguments, so a linear search is faster than hashing.
public struct MessageArguments: Sendable, ExpressibleByDictionaryLiteral {
  private var pairs: [(String, MessageArgument)]

  /// Creates arguments from a literal.
  public init(dictionaryLiteral elements: (String, MessageArgument)...) {
    pairs = elements
  }

  /// The value of a name; setting one replaces it.
  public subscript(name: String) -> MessageArgument? {
    get {
      for (known, value) in pairs where known == name { return value }
      return nil
    }
    set {
      pairs.removeAll { $0.0 == name }
      if let newValue { pairs.append((name, newValue)) }
    }
  }

  /// Returns the arguments with one more.
  public func with(_ name: String, _ value: MessageArgument) -> MessageArguments {
    var result = self
    result[name] = value
    return result
  }
}
