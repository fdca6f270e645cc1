// SPDX-License-Identifier: Apache-2.0
import CLibPQ

/// Reads the result of a statement.
enum PostgresResult {
  static func rows(of result: OpaquePointer) -> [SQLRow] {
    let (rows, columns) = (PQntuples(result), PQnfields(result))
    let readers = (0..<columns).map { PostgresColumn(type: PQftype(result, $0)) }
    var values: [SQLValue] = []
    values.reserveCapacity(Int(rows) * Int(columns))
    for row in 0..<rows {
      for column in 0..<columns {
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column)
        else {
          values.append(.null)
          continue
        }
        let count = Int(PQgetlength(result, row, column))
        let value = start.withMemoryRebound(to: UInt8.self, capacity: count) {
          readers[Int(column)].value(UnsafeBufferPointer(start: $0, count: count))
        }
        values.append(value)
      }
    }
    return (0..<Int(rows)).map {
      SQLRow(values: values, start: $0 * Int(columns), count: Int(columns))
    }
  }

  /// Returns the number of changed rows and frees the result.
  static func changes(of result: OpaquePointer) -> Int {
    defer { PQclear(result) }
    return PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
  }
}
