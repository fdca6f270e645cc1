// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of separated values (CSV).
package struct TableFile: Sendable {
  /// The maximum size of a file: 256 MiB, more than a watch writes in many years.
  package static let maximumBytes: Int64 = 256 << 20
  private static let headBytes = 64 << 10

  private let file: HealthFile
  private let separator: UInt8
  /// The names of the columns, or their numbers from 1 if the file has no heading.
  package let header: [String]
  /// The first five rows after the heading, or fewer.
  package let sample: [[String]]
  private let hasHeader: Bool

  /// The length of the file in bytes.
  package var size: Int64 { file.count }

  /// Creates a table from a file.
  ///
  /// Throws if it is too large or has fewer than two columns.
  package init(_ file: HealthFile) throws(HealthFileError) {
    guard file.count > 0 else { throw .empty }
    guard file.count <= Self.maximumBytes else { throw .tooLarge }
    let head = try file.bytes(at: 0, count: Int(min(file.count, Int64(Self.headBytes)))) ?? []
    guard !head.contains(0) else { throw .noExport }
    let text = head.starts(with: Self.mark) ? head.dropFirst(3) : head[...]
    guard let separator = Self.separator(of: text) else { throw .noExport }
    var rows = TableRows(separator: separator)
    var first: [TableRows.Row] = []
    rows.read(text) { row in if first.count < 6 { first.append(row) } }
    if first.isEmpty { rows.finish { first.append($0) } }
    guard let names = first.first?.fields, names.count > 1 else { throw .noExport }
    // A row that contains a time is not a heading.
    hasHeader = !names.contains { TableMoment.read($0, in: { _ in 0 }) != nil }
    header = hasHeader ? names : names.indices.map { String($0 + 1) }
    sample = first.dropFirst(hasHeader ? 1 : 0).prefix(5).map(\.fields)
    self.file = file
    self.separator = separator
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the separator that occurs most often on the first line.
  static func separator(of text: ArraySlice<UInt8>) -> UInt8? {
    let line = text.drop { $0 == 0x0A || $0 == 0x0D }.prefix { $0 != 0x0A && $0 != 0x0D }
    let counts = [0x2C, 0x3B, 0x09].map { mark in (UInt8(mark), line.count { $0 == mark }) }
    return counts.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil }
  }

  /// Reads all rows by a mapping.
  ///
  /// Throws ``HealthFileError/unknownColumns`` if the mapping has a mistake.
  ///
  /// - Parameters:
  ///   - zone: the offset of the person's zone at seconds since 1970.
  ///   - zoneNamed: the offset of a named zone, for tables that contain one; nil if there is no such zone.
  ///   - progress: called now and then with the bytes read so far.
  package func read(
    _ mapping: TableMapping, now: Int64, zone: @escaping (Int64) -> Int32,
    zoneNamed: (String) -> ((Int64) -> Int32)?, progress: (Int64) throws -> Void,
    take: (ExportItem) throws -> Void
  ) throws -> ExportReport {
    guard mapping.mistake(columns: header.count) == nil else {
      throw HealthFileError.unknownColumns
    }
    var report = ExportReport()
    var reading = ImportedTable(mapping: mapping, now: now, zone: zone)
    var isHeader = hasHeader
    var rows = TableRows(separator: separator)
    func row(_ row: TableRows.Row) throws {
      if isHeader {
        isHeader = false
        return
      }
      report.records += 1
      switch reading.read(row.fields, zoneNamed) {
      case .success(let value):
        report.values[value.kind, default: 0] += 1
        try take(.reading(value))
      case .failure(.otherKind): report.otherKinds += 1
      case .failure(.fault(let fault)):
        report.leaveOut(fault, place: "line \(row.line)", line: row.line)
      }
    }
    let source = FileStretch(file)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let got = try source.read(into: buffer)
      if got == 0 { break }
      let isFirst = report.bytes == 0
      report.bytes += Int64(got)
      var piece = buffer[..<got]
      if isFirst, piece.starts(with: Self.mark) { piece = piece.dropFirst(3) }
      try rows.read(piece, row)
      try progress(report.bytes)
    }
    try rows.finish(row)
    for line in rows.broken { report.leaveOut(.broken, place: "line \(line)", line: line) }
    return report
  }
}
