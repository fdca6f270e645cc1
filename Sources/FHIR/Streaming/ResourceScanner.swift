// SPDX-License-Identifier: Apache-2.0

/// Splits a stream of bytes into documents and the entries of Bundles, by brackets and strings only.
///
/// It leaves all other checks to the strict parser of each piece.
struct ResourceScanner: Sendable {
  /// A piece of the stream.
  enum Piece: Sendable, Hashable {
    /// An element of a document's `entry` list.
    case entry([UInt8])
    /// A whole document; the elements of its `entry` list are left out.
    case document([UInt8], hadEntries: Bool)
    case problem(StreamedEntryProblem)
  }

  private enum Place {
    case between, skippedLine, document, beforeEntries, entries, entry
  }

  private let maximumBytes: Int
  private var isLines: Bool
  private var place = Place.between
  private var document = PieceBuffer()
  private var entry = PieceBuffer()
  /// The number of open brackets of the document and of the entry.
  private var depth = 0
  private var entryDepth = 0
  private var isInString = false
  private var isEscaped = false
  /// The last string at the document's top level, which may be a name.
  private var name = PieceBuffer()
  private var isName = false
  private var hadEntries = false
  private var needsComma = false
  private var hasNewline = false
  private var isFirstByte = true
  private var byteOrderMark = 0

  private static let entryName = Array("\"entry\"".utf8)

  init(maximumBytes: Int, isLines: Bool) {
    self.maximumBytes = maximumBytes
    self.isLines = isLines
  }

  mutating func scan(_ bytes: ArraySlice<UInt8>, into pieces: inout [Piece]) {
    for byte in bytes { step(byte, &pieces) }
  }

  /// Returns the remaining piece at the end of the file.
  mutating func finish() -> Piece? {
    defer { reset() }
    switch place {
    case .between, .skippedLine: return nil
    default: return .problem(.endsEarly)
    }
  }

  private mutating func step(_ byte: UInt8, _ pieces: inout [Piece]) {
    switch place {
    case .between: begin(byte, &pieces)
    case .skippedLine: if byte == UInt8(ascii: "\n") { place = .between }
    case .document: readDocument(byte, &pieces)
    case .beforeEntries: readBeforeEntries(byte, &pieces)
    case .entries: readEntries(byte, &pieces)
    case .entry: readEntry(byte, &pieces)
    }
  }

  private mutating func begin(_ byte: UInt8, _ pieces: inout [Piece]) {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): return
    case 0x1E: return  // The separator of RFC 7464.
    case 0xEF where byteOrderMark == 0, 0xBB where byteOrderMark == 1,
      0xBF where byteOrderMark == 2:
      byteOrderMark += 1
    case UInt8(ascii: "{"):
      byteOrderMark = 3
      document.append(byte, limit: maximumBytes)
      depth = 1
      isName = true
      place = .document
    default:
      byteOrderMark = 3
      pieces.append(.problem(.notJSON))
      place = .skippedLine
    }
  }

  /// Returns true at the end of a line if each line is a document, so that its rest is missing.
  private mutating func isCutOff(_ byte: UInt8, _ pieces: inout [Piece]) -> Bool {
    guard byte == UInt8(ascii: "\n") else { return false }
    hasNewline = true
    guard isLines else { return false }
    pieces.append(.problem(.endsEarly))
    reset()
    return true
  }

  private mutating func readDocument(_ byte: UInt8, _ pieces: inout [Piece]) {
    if isCutOff(byte, &pieces) { return }
    document.append(byte, limit: maximumBytes)
    if isInString {
      if depth == 1, isName { name.append(byte, limit: 16) }
      passString(byte)
      return
    }
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      if depth == 1, isName {
        name.clear()
        name.append(byte, limit: 16)
      }
    case UInt8(ascii: ":") where depth == 1:
      isName = false
      if name.bytes == Self.entryName { place = .beforeEntries }
      name.clear()
    case UInt8(ascii: ",") where depth == 1: isName = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      if depth == 0 { endDocument(&pieces) }
    default: break
    }
  }

  private mutating func endDocument(_ pieces: inout [Piece]) {
    pieces.append(
      document.isTooLarge
        ? .problem(.tooLarge(limit: maximumBytes))
        : .document(document.bytes, hadEntries: hadEntries))
    // A second document on a new line after one on a single line: each line is a document.
    if !hasNewline { isLines = true }
    reset()
  }

  private mutating func readBeforeEntries(_ byte: UInt8, _ pieces: inout [Piece]) {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\t"): return
    case UInt8(ascii: "\n"): _ = isCutOff(byte, &pieces)
    case UInt8(ascii: "["):
      document.append(byte, limit: maximumBytes)
      hadEntries = true
      needsComma = false
      place = .entries
    default:
      place = .document
      readDocument(byte, &pieces)
    }
  }

  private mutating func readEntries(_ byte: UInt8, _ pieces: inout [Piece]) {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\t"): return
    case UInt8(ascii: "\n"): _ = isCutOff(byte, &pieces)
    case UInt8(ascii: ","): needsComma = false
    case UInt8(ascii: "]"):
      document.append(byte, limit: maximumBytes)
      place = .document
    default:
      if needsComma { pieces.append(.problem(.missingComma)) }
      needsComma = true
      entryDepth = 0
      entry.clear()
      place = .entry
      readEntry(byte, &pieces)
    }
  }

  private mutating func readEntry(_ byte: UInt8, _ pieces: inout [Piece]) {
    if isInString {
      if isCutOff(byte, &pieces) { return }
      entry.append(byte, limit: maximumBytes)
      passString(byte)
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): entryDepth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if entryDepth == 0 {
        endEntry(&pieces)
        readEntries(byte == UInt8(ascii: "}") ? UInt8(ascii: "]") : byte, &pieces)
        return
      }
      entryDepth -= 1
      if entryDepth == 0 {
        entry.append(byte, limit: maximumBytes)
        endEntry(&pieces)
        return
      }
    case UInt8(ascii: ",") where entryDepth == 0:
      endEntry(&pieces)
      needsComma = false
      return
    case UInt8(ascii: "\n"): if isCutOff(byte, &pieces) { return }
    default: break
    }
    entry.append(byte, limit: maximumBytes)
  }

  private mutating func endEntry(_ pieces: inout [Piece]) {
    pieces.append(
      entry.isTooLarge ? .problem(.tooLarge(limit: maximumBytes)) : .entry(entry.bytes))
    entry.clear()
    place = .entries
  }

  private mutating func passString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private mutating func reset() {
    document.clear()
    entry.clear()
    name.clear()
    place = .between
    depth = 0
    isInString = false
    isEscaped = false
    hadEntries = false
    hasNewline = false
  }
}

/// The bytes of one piece up to a limit; any further bytes are only counted.
private struct PieceBuffer: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var isTooLarge = false

  mutating func append(_ byte: UInt8, limit: Int) {
    if bytes.count < limit {
      bytes.append(byte)
    } else {
      isTooLarge = true
    }
  }

  mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
    isTooLarge = false
  }
}
