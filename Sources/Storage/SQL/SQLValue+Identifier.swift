// SPDX-License-Identifier: Apache-2.0
import Identifiers

extension SQLValue {
  /// Creates a text from an identifier.
  @inlinable package init(_ id: some Identifier) {
    self = .text(id.text)
  }

  /// Creates a text from an identifier, or null from nil.
  @inlinable package init(_ id: (some Identifier)?) {
    self = id.map { .text($0.text) } ?? .null
  }

  /// Returns an identifier as a text to bind.
  @inlinable package static func text(_ id: some Identifier) -> SQLValue {
    .text(id.text)
  }
}

extension SQLRow {
  /// Returns the identifier in a column.
  ///
  /// Throws if the value is not a text.
  @inlinable package func id<ID: Identifier>(_ column: Int) throws(StorageError) -> ID {
    ID(try text(column))
  }

  /// Returns the identifier in a column, or nil for null.
  @inlinable package func optionalID<ID: Identifier>(_ column: Int) throws(StorageError) -> ID? {
    try optionalText(column).map(ID.init)
  }
}
