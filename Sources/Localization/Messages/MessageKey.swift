// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Names a message: the feature, a dot, and the text's place there, `today.title`.
public struct MessageKey: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The key as it stands in the catalogues.
  public let text: String

  /// A key made while running, `MessageKey("units.\(unit.rawValue)")`.
  public init(_ text: String) {
    self.text = text
  }

  /// A key written in the source; a test looks for each in the catalogues.
  public init(stringLiteral text: String) {
    self.text = text
  }

  /// The key as it stands in the catalogues.
  public var description: String { text }
}

/// A value put into a message.
public enum MessageArgument: Sendable, Hashable, ExpressibleByStringInterpolation,
  ExpressibleByIntegerLiteral
{
  /// Text that is put in as it is.
  case text(String)
  /// A whole number, written in the language's way and used to choose a plural form.
  case number(Int)
  /// A decimal number, written in the language's way and used to choose a plural form.
  case decimal(Decimal)
  /// An exact number of a dosage, written in the language's way and used to choose a plural form.
  case exact(PlainNumber)

  /// Text written in the source, with or without interpolations.
  public init(stringLiteral text: String) {
    self = .text(text)
  }

  /// A whole number written in the source.
  public init(integerLiteral number: Int) {
    self = .number(number)
  }
}

/// The values put into a message, by name.
///
/// Written as a dictionary. A message has few arguments, so they are looked for one after the other,
/// which is quicker than hashing.
public struct MessageArguments: Sendable, ExpressibleByDictionaryLiteral {
  private var pairs: [(String, MessageArgument)]

  /// Arguments written in the source.
  public init(dictionaryLiteral elements: (String, MessageArgument)...) {
    pairs = elements
  }

  /// The value by name; setting one replaces it.
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

  /// The same with one more.
  public func with(_ name: String, _ value: MessageArgument) -> MessageArguments {
    var result = self
    result[name] = value
    return result
  }
}
