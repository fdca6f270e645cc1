// SPDX-License-Identifier: Apache-2.0

/// Splits separated values into rows, chunk by chunk and in constant memory, with quoted fields, doubled
/// quotes and any line ends.
struct TableRows {
  struct Row {
    /// The line on which the row begins, from 1.
    let line: Int
    let fields: [String]
  }

  /// The maximum length of a line, more than any watch writes; an unclosed quote ends here.
  static let longest = 64 << 10
  static let mostFields = 200

  private enum State { case field, quoted, quoteInQuoted, lost }

  let separator: UInt8
  private var state = State.field
  private var field: [UInt8] = []
  private var fields: [String] = []
  private var length = 0
  private var line = 1
  private var begin = 1
  private var isAfterReturn = false
  /// The lines that could not be read.
  private(set) var broken: [Int] = []

  init(separator: UInt8) { self.separator = separator }

  /// Appends bytes and passes on the rows that end in them.
  mutating func read(
    _ bytes: some Sequence<UInt8>, _ take: (Row) throws -> Void
  ) rethrows {
    for byte in bytes {
      if byte == 0x0A, isAfterReturn {
        isAfterReturn = false
        continue
      }
      isAfterReturn = byte == 0x0D
      let isEnd = byte == 0x0A || byte == 0x0D
      if isEnd { line += 1 }
      length += 1
      if length > Self.longest, state != .lost { lose() }
      switch state {
      case .lost:
        if isEnd { restart() }
      case .quoted:
        if byte == 0x22 { state = .quoteInQuoted } else { field.append(byte) }
      case .quoteInQuoted where byte == 0x22:
        field.append(byte)
        state = .quoted
      case .field, .quoteInQuoted:
        if isEnd {
          try end(take)
        } else if byte == separator {
          endField()
        } else if byte == 0x22, field.isEmpty, state == .field {
          state = .quoted
        } else {
          field.append(byte)
        }
      }
    }
  }

  /// Passes on the last row, which may have no line end.
  mutating func finish(_ take: (Row) throws -> Void) rethrows {
    if state == .quoted {
      broken.append(begin)
    } else if state != .lost, !fields.isEmpty || !field.isEmpty {
      try end(take)
    }
    restart()
  }

  private mutating func lose() {
    broken.append(begin)
    state = .lost
  }

  private mutating func endField() {
    fields.append(Self.text(field))
    field.removeAll(keepingCapacity: true)
    state = .field
    if fields.count >= Self.mostFields { lose() }
  }

  private mutating func end(_ take: (Row) throws -> Void) rethrows {
    endField()
    if state == .lost { return restart() }
    // An empty line is not a row.
    if fields.count > 1 || fields.first?.isEmpty == false {
      try take(Row(line: begin, fields: fields))
    }
    restart()
  }

  private mutating func restart() {
    state = .field
    field.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    length = 0
    begin = line
  }

  private static func text(_ bytes: [UInt8]) -> String {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let trimmed = bytes.drop(while: isBlank)
    let last = trimmed.lastIndex { !isBlank($0) }
    return last.map { String(decoding: trimmed[...$0], as: UTF8.self) } ?? ""
  }
}
