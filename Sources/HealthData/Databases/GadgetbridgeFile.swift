// SPDX-License-Identifier: Apache-2.0

/// The database that Gadgetbridge exports, in its own schema: heart rate and steps by the minute, and the
/// resting values that some watches compute.
package struct GadgetbridgeFile: Sendable {
  /// The maximum size of a file: 2 GiB, more than many years of several watches need.
  package static let maximumBytes: Int64 = 2 << 30
  private static let mostRows = 50_000_000

  private let file: HealthFile
  /// The length of the file in bytes.
  package var size: Int64 { file.count }

  /// The first bytes of a SQLite database file.
  static let head = Array("SQLite format 3\0".utf8)

  /// Creates a source from a file.
  ///
  /// Throws if it is too large or not such a database.
  package init(_ file: HealthFile) throws(HealthFileError) {
    guard file.count <= Self.maximumBytes else { throw .tooLarge }
    let database = try ForeignDatabase(path: file.path)
    guard try !Self.samples(of: database.tables()).isEmpty else { throw .brokenDatabase }
    self.file = file
  }

  /// A table with values.
  private struct Samples {
    let table: String
    /// The kinds of value, with the column of each.
    let columns: [(kind: VitalKind, column: String, isDayTotal: Bool)]
  }

  private static func samples(of tables: [String: Set<String>]) -> [Samples] {
    tables.sorted { $0.key < $1.key }.compactMap { table, columns in
      guard columns.isSuperset(of: ["TIMESTAMP", "DEVICE_ID"]) else { return nil }
      let wanted: [(VitalKind, String, Bool)] =
        if table.hasSuffix("_HEART_RATE_RESTING_SAMPLE") {
          [(.restingHeartRate, "HEART_RATE", false)]
        } else if table.hasSuffix("_DAILY_SUMMARY_SAMPLE") {
          [(.restingHeartRate, "HR_RESTING", false)]
        } else if table.hasSuffix("_ACTIVITY_SAMPLE") {
          [(.heartRate, "HEART_RATE", false), (.steps, "STEPS", false)]
        } else {
          []
        }
      let found = wanted.filter { columns.contains($0.1) }
      return found.isEmpty ? nil : Samples(table: table, columns: found)
    }
  }

  /// Reads all values, one row at a time, in the order of the tables' names.
  ///
  /// - Parameters:
  ///   - zone: the offset of the person's zone at seconds since 1970, because the database has no zone.
  ///   - progress: called now and then with the bytes read so far, as far as that is known.
  package func read(
    now: Int64, zone: (Int64) -> Int32, progress: (Int64) throws -> Void,
    take: (ExportItem) throws -> Void
  ) throws -> ExportReport {
    let database = try ForeignDatabase(path: file.path)
    let tables = try database.tables()
    let devices = try Self.devices(database, tables["DEVICE"] ?? [])
    let samples = Self.samples(of: tables)
    var report = ExportReport()
    for (index, part) in samples.enumerated() {
      let columns = part.columns.map { "\"\($0.column)\"" }.joined(separator: ", ")
      let sql = "SELECT TIMESTAMP, DEVICE_ID, \(columns) FROM \"\(part.table)\""
      var failure: (any Error)?
      do throws(HealthFileError) {
        try database.rows(sql, most: Self.mostRows) { row throws(HealthFileError) in
          do {
            try Self.take(
              row, part, devices, now: now, zone: zone, report: &report, take)
            if report.records.isMultiple(of: 50_000) {
              try progress(file.count * Int64(index) / Int64(samples.count))
            }
          } catch {
            failure = error
            throw .cancelled
          }
        }
      } catch {
        if let failure { throw failure }
        // Damage in one table does not affect rows before it and other tables.
        guard error == .brokenDatabase else { throw error }
        report.leaveOut(.cutOff, place: part.table)
      }
    }
    report.bytes = file.count
    try progress(file.count)
    return report
  }

  private static func take(
    _ row: ForeignDatabase.Row, _ part: Samples, _ devices: [Int64: String], now: Int64,
    zone: (Int64) -> Int32, report: inout ExportReport, _ take: (ExportItem) throws -> Void
  ) throws {
    report.records += 1
    guard let stamp = row.integer(0), let device = row.integer(1) else {
      report.leaveOut(.missing, place: part.table)
      return
    }
    // Older tables count seconds, newer ones milliseconds.
    let seconds = stamp.magnitude > 100_000_000_000 ? stamp / 1_000 : stamp
    for (place, column) in part.columns.enumerated() {
      guard let value = row.integer(Int32(place) + 2), !isNone(value, column.kind) else { continue }
      guard (0...4_102_444_800).contains(seconds) else {
        report.leaveOut(.date, place: part.table)
        continue
      }
      let start = Moment(seconds: seconds, offset: zone(seconds))
      let made = VitalReading.made(
        of: column.kind, Double(value), unit: nil, start: start,
        source: devices[device] ?? "Gadgetbridge", isDayTotal: column.isDayTotal, now: now)
      switch made {
      case .success(let reading):
        report.values[reading.kind, default: 0] += 1
        try take(.reading(reading))
      case .failure(let problem): report.leaveOut(ExportFault(problem), place: part.table)
      }
    }
  }

  /// Returns true for the value that means that nothing was measured.
  private static func isNone(_ value: Int64, _ kind: VitalKind) -> Bool {
    kind == .steps ? value <= 0 : value <= 0 || value == 255
  }

  /// Returns the names of the watches, as their owner calls them.
  private static func devices(_ database: ForeignDatabase, _ columns: Set<String>)
    throws(HealthFileError) -> [Int64: String]
  {
    guard columns.isSuperset(of: ["_ID", "NAME"]) else { return [:] }
    let alias = columns.contains("ALIAS") ? "ALIAS" : "NAME"
    var devices: [Int64: String] = [:]
    try database.rows("SELECT _id, NAME, \(alias) FROM DEVICE", most: 10_000) { row in
      guard let id = row.integer(0) else { return }
      let names = [row.text(2), row.text(1)].compactMap(\.self)
      devices[id] = names.first { !$0.isEmpty }.map { String($0.prefix(100)) }
    }
    return devices
  }
}
