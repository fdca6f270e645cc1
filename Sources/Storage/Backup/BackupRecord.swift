// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An entry in a backup: the manifest, the files, each table with its rows, the end.
enum BackupRecord {
  case manifest(BackupManifest)
  case file(name: String, content: [UInt8])
  case table(StoredTable)
  case row([SQLValue])
  /// The end, with the number of rows before it over all tables.
  case end(rows: Int64)

  enum Kind: UInt8 {
    case manifest = 1
    case file = 2
    case table = 3
    case row = 4
    case end = 5
  }

  private enum Tag: UInt8 {
    case null = 0
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
  }
}

extension BackupRecord {
  static func encode(_ manifest: BackupManifest, to bytes: inout [UInt8]) throws {
    bytes.append(Kind.manifest.rawValue)
    append(try JSONEncoder().encode(manifest), to: &bytes)
  }

  static func encode(file name: String, _ content: [UInt8], to bytes: inout [UInt8]) {
    bytes.append(Kind.file.rawValue)
    append(name.utf8, to: &bytes)
    append(content, to: &bytes)
  }

  static func encode(_ table: StoredTable, to bytes: inout [UInt8]) throws {
    bytes.append(Kind.table.rawValue)
    append(try JSONEncoder().encode(table), to: &bytes)
  }

  static func encode(_ row: SQLRow, to bytes: inout [UInt8]) {
    bytes.append(Kind.row.rawValue)
    for column in 0..<row.count {
      switch row[column] {
      case .null: bytes.append(Tag.null.rawValue)
      case .integer(let number):
        bytes.append(Tag.integer.rawValue)
        bytes.append(bigEndian: number)
      case .real(let number):
        bytes.append(Tag.real.rawValue)
        bytes.append(bigEndian: number.bitPattern)
      case .text(let text):
        bytes.append(Tag.text.rawValue)
        append(text.utf8, to: &bytes)
      case .blob(let content):
        bytes.append(Tag.blob.rawValue)
        append(content, to: &bytes)
      }
    }
  }

  static func encodeEnd(rows: Int64, to bytes: inout [UInt8]) {
    bytes.append(Kind.end.rawValue)
    bytes.append(bigEndian: rows)
  }

  private static func append(_ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(bigEndian: UInt32(clamping: content.count))
    bytes.append(contentsOf: content)
  }
}

extension BackupRecord {
  /// Reads the next entry; rows have the columns of the table before them.
  static func read(from input: BackupInput, columns: Int) throws -> BackupRecord {
    guard let kind = Kind(rawValue: try byte(input)) else { throw BackupError.malformed }
    switch kind {
    case .manifest:
      return .manifest(try decoded(input))
    case .file:
      return .file(name: try text(input), content: Array(try content(input)))
    case .table:
      return .table(try decoded(input))
    case .row:
      var values: [SQLValue] = []
      values.reserveCapacity(columns)
      for _ in 0..<columns { values.append(try value(input)) }
      return .row(values)
    case .end:
      return .end(rows: Int64(bitPattern: try number(input)))
    }
  }

  private static func value(_ input: BackupInput) throws -> SQLValue {
    switch Tag(rawValue: try byte(input)) {
    case .null: return .null
    case .integer: return .integer(Int64(bitPattern: try number(input)))
    case .real: return .real(Double(bitPattern: try number(input)))
    case .text: return .text(try text(input))
    case .blob: return .blob(Array(try content(input)))
    case nil: throw BackupError.malformed
    }
  }

  private static func byte(_ input: BackupInput) throws -> UInt8 {
    let bytes = try input.next(1)
    return bytes[bytes.startIndex]
  }

  private static func number(_ input: BackupInput) throws -> UInt64 {
    try input.next(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func content(_ input: BackupInput) throws -> ArraySlice<UInt8> {
    let count = try input.next(4).reduce(0) { $0 << 8 | Int($1) }
    return try input.next(count)
  }

  private static func text(_ input: BackupInput) throws -> String {
    guard let text = String(validating: try content(input), as: UTF8.self) else {
      throw BackupError.malformed
    }
    return text
  }

  private static func decoded<Value: Decodable>(_ input: BackupInput) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(try content(input)))
    } catch is DecodingError {
      throw BackupError.malformed
    }
  }
}
