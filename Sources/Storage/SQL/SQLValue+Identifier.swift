// SPDX-License-Identifier: Apache-2.0
import Identifiers

extension SQLValue {
  package init(_ id: some Identifier) {
    self = .text(id.text)
  }

  package init(_ id: (some Identifier)?) {
    self = id.map { .text($0.text) } ?? .null
  }

  /// The identifier as a bound text.
  package static func text(_ id: some Identifier) -> SQLValue {
    .text(id.text)
  }
}

extension SQLRow {
  package func id<ID: Identifier>(_ column: Int) throws(StorageError) -> ID {
    ID(try text(column))
  }

  package func optionalID<ID: Identifier>(_ column: Int) throws(StorageError) -> ID? {
    try optionalText(column).map(ID.init)
  }
}
