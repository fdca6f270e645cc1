// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// Counts the rows that queries return.
struct RowCounter: SQLReader {
  let reader: any SQLReader
  let rows = Count()

  final class Count: Sendable {
    private let state = Mutex(0)

    var total: Int { state.withLock { $0 } }

    func add(_ rows: Int) { state.withLock { $0 += rows } }
  }

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    let found = try reader.query(sql, arguments)
    rows.add(found.count)
    return found
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    let found = try reader.query(dynamic: sql, arguments)
    rows.add(found.count)
    return found
  }
}
