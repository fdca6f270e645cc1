// SPDX-License-Identifier: Apache-2.0

/// A value as the database holds it.
@usableFromInline
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLValue {
  package init(_ value: Int64) {
    self = .integer(value)
  }

  package init(_ value: Int) {
    self = .integer(Int64(value))
  }

  package init(_ value: Bool) {
    self = .integer(value ? 1 : 0)
  }

  package init(_ value: String) {
    self = .text(value)
  }

  package init(_ value: Timestamp) {
    self = .integer(value.milliseconds)
  }

  package init(_ value: [UInt8]) {
    self = .blob(value)
  }

  package init(_ value: Int64?) {
    self = value.map { .integer($0) } ?? .null
  }

  package init(_ value: Int?) {
    self = value.map { .integer(Int64($0)) } ?? .null
  }

  package init(_ value: Bool?) {
    self = value.map { .integer($0 ? 1 : 0) } ?? .null
  }

  package init(_ value: String?) {
    self = value.map { .text($0) } ?? .null
  }

  package init(_ value: Timestamp?) {
    self = value.map { .integer($0.milliseconds) } ?? .null
  }

  package init(_ value: [UInt8]?) {
    self = value.map { .blob($0) } ?? .null
  }
}

extension SQLValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
  @usableFromInline package init(nilLiteral: ()) {
    self = .null
  }

  @usableFromInline package init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  @usableFromInline package init(floatLiteral value: Double) {
    self = .real(value)
  }

  @usableFromInline package init(stringLiteral value: String) {
    self = .text(value)
  }

  @usableFromInline package init(booleanLiteral value: Bool) {
    self.init(value)
  }
}
