// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite
import HealthData

/// Temporary files of measurements for tests.
enum HealthFiles {
  struct Read {
    var values: [String] = []
    var medications = 0
    var report = ExportReport()
  }

  /// Returns a value as one line.
  static func line(_ reading: VitalReading) -> String {
    let hour = reading.start.secondOfDay / 3_600
    return "\(reading.kind.rawValue) \(reading.thousandths) "
      + "\(CivilDays.text(reading.start.dayNumber)) \(hour) \(reading.source)"
      + (reading.isDayTotal ? " day" : "")
  }

  /// Reads bytes as a file, for a person one hour ahead of UTC.
  static func read(_ bytes: [UInt8], mapping: TableMapping? = nil) throws -> Read {
    try within(bytes) { try read(path: $0, mapping: mapping) }
  }

  static func read(_ text: String, mapping: TableMapping? = nil) throws -> Read {
    try read(Array(text.utf8), mapping: mapping)
  }

  static func read(path: String, mapping: TableMapping? = nil) throws -> Read {
    var read = Read()
    let conditions = HealthFileSource.Conditions(
      now: ExportText.now, zone: { _ in 3_600 },
      zoneNamed: bangkok, mapping: mapping)
    read.report = try HealthFileSource(try HealthFile(path: path)).read(conditions) { item in
      switch item {
      case .reading(let reading): read.values.append(line(reading))
      case .removal(let reading): read.values.append("- \(line(reading))")
      case .medication: read.medications += 1
      case .clinicalRecord: break
      }
    }
    return read
  }

  private static func bangkok(_ name: String) -> (@Sendable (Int64) -> Int32)? {
    guard name == "Asia/Bangkok" else { return nil }
    return { _ in 25_200 }
  }

  /// Runs a block with a temporary file.
  static func within<T>(_ bytes: [UInt8], _ look: (String) throws -> T) throws -> T {
    let path = FileManager.default.temporaryDirectory.path + "/health-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    return try look(path)
  }

  /// Runs a block with a database created by statements.
  @discardableResult
  static func database<T>(_ sql: String, _ look: (String) throws -> T) throws -> T {
    let path = FileManager.default.temporaryDirectory.path + "/health-\(UUID().uuidString)"
    defer { unlink(path) }
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK,
      sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
    else {
      let message = String(cString: sqlite3_errmsg(handle))
      sqlite3_close(handle)
      throw NotMade(message: message)
    }
    sqlite3_close(handle)
    return try look(path)
  }

  struct NotMade: Error { let message: String }
}
