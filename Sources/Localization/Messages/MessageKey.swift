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

  /// Text written in the source, with or without interpolations.
  public init(stringLiteral text: String) {
    self = .text(text)
  }

  /// A whole number written in the source.
  public init(integerLiteral number: Int) {
    self = .number(number)
  }
}
