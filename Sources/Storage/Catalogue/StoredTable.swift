// SPDX-License-Identifier: Apache-2.0

/// A table of the database, as the engine's catalogue and a backup describe it.
struct StoredTable: Codable, Sendable, Equatable {
  let name: String
  let columns: [String]
  /// The columns of its primary key, in order.
  let key: [String]
}
