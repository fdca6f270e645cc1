// SPDX-License-Identifier: Apache-2.0

/// A value as the database stores it.
@usableFromInline
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLValue {
  /// Creates an integer.
  package init(_ value: Int64) {
    self = .integer(value)
  }

  /// Creates an integer.
  package init(_ value: Int) {
    self = .integer(Int64(value))
  }

  /// Creates the integer 1 for true or 0 for false.
  package init(_ value: Bool) {
    self = .integer(value ? 1 : 0)
  }

  /// Creates a text.
  package init(_ value: String) {
    self = .text(value)
  }

  /// Creates an integer of milliseconds since 1970.
  package init(_ value: Timestamp) {
    self = .integer(value.milliseconds)
  }

  /// Creates bytes.
  package init(_ value: [UInt8]) {
    self = .blob(value)
  }

  /// Creates an integer, or null from nil.
  package init(_ value: Int64?) {
    self = value.map { .integer($0) } ?? .null
  }

  /// Creates an integer, or null from nil.
  package init(_ value: Int?) {
    self = value.map { .integer(Int64($0)) } ?? .null
  }

  /// Creates the integer 1 or 0, or null from nil.
  package init(_ value: Bool?) {
    self = value.map { .integer($0 ? 1 : 0) } ?? .null
  }

  /// Creates a text, or null from nil.
  package init(_ value: String?) {
    self = value.map { .text($0) } ?? .null
  }

  /// Creates an integer of milliseconds since 1970, or null from nil.
  package init(_ value: Timestamp?) {
    self = value.map { .integer($0.milliseconds) } ?? .null
  }

  /// Creates bytes, or null from nil.
  package init(_ value: [UInt8]?) {
    self = value.map { .blob($0) } ?? .null
  }
}

extension SQLValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
  /// Creates null.
  @usableFromInline package init(nilLiteral: ()) {
    self = .null
  }

  /// Creates an integer from a literal.
  @usableFromInline package init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  /// Creates a number from a literal.
  @usableFromInline package init(floatLiteral value: Double) {
    self = .real(value)
  }

  /// Creates a text from a literal.
  @usableFromInline package init(stringLiteral value: String) {
    self = .text(value)
  }

  /// Creates the integer 1 or 0 from a literal.
  @usableFromInline package init(booleanLiteral value: Bool) {
    self.init(value)
  }
}
