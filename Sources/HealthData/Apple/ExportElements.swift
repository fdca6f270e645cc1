// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Finds the elements in an export's text, chunk by chunk.
struct ExportElements {
  private let take: ExportReader.Take
  private var records: ExportRecords
  var report = ExportReport()
  /// The number of bytes examined.
  private(set) var work: Int64 = 0

  /// The length limit for tags and comments, beyond any that a phone writes; a longer one is broken and
  /// skipped up to here.
  static let longestTag = 64 << 10
  private var hasBegun = false
  private var hasEnded = false
  private var isInCorrelation = false
  /// The brackets of the document type: iOS 16 wrote one that is never closed.
  private var brackets = 0

  init(now: Int64, take: @escaping ExportReader.Take) {
    self.take = take
    records = ExportRecords(now: now)
  }

  /// Reads the complete elements of a chunk.
  ///
  /// - Returns: the start of the first incomplete one.
  mutating func read(_ base: UnsafePointer<UInt8>, _ end: Int) throws -> Int {
    var p = 0
    if !hasBegun {
      p = preamble(base, end)
      guard hasBegun else { return p }
    }
    while p < end {
      guard let found = memchr(base + p, 0x3C, end - p) else { return end }
      p = base.distance(to: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
      guard let next = try element(base, p, end) else { return p }
      p = next
    }
    return p
  }

  /// Processes the end of the text.
  mutating func finish() throws {
    guard hasBegun else { throw HealthFileError.noExport }
    try records.finish(&report, take)
    if !hasEnded { report.note(.cutOff) }
  }

  /// Skips everything before the first element, including the document type.
  private mutating func preamble(_ base: UnsafePointer<UInt8>, _ end: Int) -> Int {
    let word: StaticString = "<HealthData"
    var p = 0
    while p < end {
      if base[p] == 0x3C {
        guard p + word.utf8CodeUnitCount < end else { return p }
        let after = base[p + word.utf8CodeUnitCount]
        if memcmp(base + p, word.utf8Start, word.utf8CodeUnitCount) == 0,
          after <= 0x20 || after == 0x3E
        {
          hasBegun = true
          if brackets != 0 { report.note(.documentType) }
          return p
        }
        brackets += 1
      } else if base[p] == 0x3E {
        brackets -= 1
      }
      p += 1
    }
    return p
  }

  private enum Name {
    case record, metadata, correlation, clinicalRecord, other
  }

  /// Reads one element's tag; nil if it is incomplete.
  private mutating func element(_ base: UnsafePointer<UInt8>, _ p: Int, _ end: Int) throws -> Int? {
    guard p + 2 < end else { return nil }
    switch base[p + 1] {
    case 0x2F: return try closing(base, p, end)
    case 0x21, 0x3F:
      let limit = min(end, p + Self.longestTag)
      let next = remark(base, p, limit)
      work += Int64((next ?? limit) - p)
      return try next ?? tooLong(limit, end)
    case let byte where (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A: break
    default:
      // Not a tag but a bracket in text.
      report.note(.bareBracket)
      return p + 1
    }
    let limit = min(end, p + Self.longestTag)
    var nameEnd = p + 1
    while nameEnd < limit, base[nameEnd] > 0x20, base[nameEnd] != 0x2F, base[nameEnd] != 0x3E {
      nameEnd += 1
    }
    guard nameEnd < limit else {
      work += Int64(nameEnd - p)
      return try tooLong(limit, end)
    }
    var reader = TagReader(base: base, end: limit)
    let result = reader.read(from: nameEnd)
    work += Int64(nameEnd - p + reader.work)
    switch result {
    case .needsMore: return try tooLong(limit, end)
    case .broken(let resume):
      report.note(.broken)
      try records.close(&report, take)
      return resume
    case .complete(let next, let isEmpty):
      let check = TagCheck.of(base, (p + 1)..<next)
      if !check.isEmpty { note(check) }
      if reader.hasSpacedName { report.note(.spacedName) }
      if reader.hasStrayQuote { report.note(.strayQuote) }
      if reader.hasDoubled { report.note(.doubledAttribute) }
      switch Self.name(base + p + 1, nameEnd - p - 1) {
      case .record:
        try records.close(&report, take)
        report.records += 1
        if isInCorrelation {
          report.correlated += 1
        } else {
          records.open(reader, &report)
          if isEmpty { try records.close(&report, take) }
        }
      case .metadata: records.metadata(reader)
      case .correlation: isInCorrelation = !isEmpty
      case .clinicalRecord: try records.clinical(reader, &report, take)
      case .other: break
      }
      return next
    }
  }

  /// Returns the limit at which to skip a tag or comment that is too long, or nil if more input is needed.
  private mutating func tooLong(_ limit: Int, _ end: Int) throws -> Int? {
    guard limit < end else { return nil }
    report.note(.broken)
    try records.close(&report, take)
    return limit
  }

  private mutating func closing(_ base: UnsafePointer<UInt8>, _ p: Int, _ end: Int) throws -> Int? {
    guard let found = memchr(base + p, 0x3E, min(end - p, 64)) else {
      return end - p > 64 ? p + 2 : nil
    }
    let close = base.distance(to: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
    func isNamed(_ name: StaticString) -> Bool {
      close - p - 2 >= name.utf8CodeUnitCount
        && memcmp(base + p + 2, name.utf8Start, name.utf8CodeUnitCount) == 0
    }
    if isNamed("Record") {
      try records.close(&report, take)
    } else if isNamed("Correlation") {
      isInCorrelation = false
    } else if isNamed("HealthData") {
      hasEnded = true
    }
    return close + 1
  }

  /// Skips a comment or an instruction.
  private func remark(_ base: UnsafePointer<UInt8>, _ p: Int, _ end: Int) -> Int? {
    guard p + 4 < end else { return nil }
    let isComment = base[p + 1] == 0x21 && base[p + 2] == 0x2D && base[p + 3] == 0x2D
    var at = p + (isComment ? 4 : 2)
    while at < end {
      guard let found = memchr(base + at, 0x3E, end - at) else { return nil }
      let close = base.distance(to: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
      if !isComment || (base[close - 1] == 0x2D && base[close - 2] == 0x2D) { return close + 1 }
      at = close + 1
    }
    return nil
  }

  private mutating func note(_ check: TagCheck) {
    if check.contains(.controlCharacter) { report.note(.controlCharacter) }
    if check.contains(.invalidUTF8) { report.note(.invalidUTF8) }
    if check.contains(.bareAmpersand) { report.note(.bareAmpersand) }
    if check.contains(.bareBracket) { report.note(.bareBracket) }
  }

  @inline(__always)
  private static func name(_ start: UnsafePointer<UInt8>, _ count: Int) -> Name {
    func equals(_ word: StaticString) -> Bool {
      count == word.utf8CodeUnitCount && memcmp(start, word.utf8Start, count) == 0
    }
    switch count {
    case 6: return equals("Record") ? .record : .other
    case 13: return equals("MetadataEntry") ? .metadata : .other
    case 11: return equals("Correlation") ? .correlation : .other
    case 14: return equals("ClinicalRecord") ? .clinicalRecord : .other
    default: return .other
    }
  }
}
