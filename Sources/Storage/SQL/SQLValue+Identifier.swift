// SPDX-License-Identifier: Apache-2.0
import Identifiers

extension SQLValue {
  @inlinable package init(_ id: some Identifier) {
    self = .text(id.text)
  }

  @inlinable package init(_ id: (some Identifier)?) {
    self = id.map { .text($0.text) } ?? .null
  }

  /// The identifier as a bound text.
  @inlinable package static func text(_ id: some Identifier) -> SQLValue {
    .text(id.text)
  }
}

extension SQLRow {
  @inlinable package func id<ID: Identifier>(_ column: Int) throws(StorageError) -> ID {
    ID(try text(column))
  }

  @inlinable package func optionalID<ID: Identifier>(_ column: Int) throws(StorageError) -> ID? {
    try optionalText(column).map(ID.init)
  }
}
