// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An item found in an export.
package enum ExportItem: Sendable {
  case reading(VitalReading)
  /// The removal of the day's value.
  case removal(VitalReading)
  /// A medicine taken or skipped, as the phone recorded it.
  case medication(PostedMedication)
  /// A file of the archive with a FHIR resource, by its path in the export's folder.
  case clinicalRecord(path: String)
}

/// Reads an export's XML once from start to end, in constant memory.
///
/// It is not a general XML parser: it knows how Apple writes, and continues after an error, where libexpat
/// would stop. It is also faster: a dry run of 100 MB takes a third of the processor time that libexpat needs
/// to find the same attributes (ARCHITECTURE.md, "Deliberately so"; `Benchmarks/run heart-reader`).
final class ExportReader {
  typealias Take = (ExportItem) throws -> Void

  /// The size of the buffer in bytes: many times the longest tag, so that little is read twice.
  private static let capacity = 1 << 20

  private let source: any ByteSource
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ExportReader.capacity, alignment: 64)
  private var elements: ExportElements
  /// The number of bytes examined, including repeated reads; tests use it to check that the work stays
  /// proportional to the length of the text.
  var work: Int64 { elements.work }

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970; later values are rejected.
  ///   - take: called with each item; an error ends the reading.
  init(_ source: any ByteSource, now: Int64, take: @escaping Take) {
    self.source = source
    elements = ExportElements(now: now, take: take)
  }

  deinit { buffer.deallocate() }

  /// Returns true if a text begins like an export.
  static func isExport(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head.prefix(4_096), as: UTF8.self)
    return text.contains("<!DOCTYPE HealthData") || text.contains("<HealthData")
  }

  /// Reads the whole export.
  ///
  /// - Parameter progress: called for each buffer with the number of bytes read so far, many times a second.
  func run(progress: (Int64) throws -> Void) throws -> ExportReport {
    guard let start = buffer.baseAddress else { throw HealthFileError.unreadable }
    let base = UnsafePointer(start.assumingMemoryBound(to: UInt8.self))
    var end = 0
    var isAtEnd = false
    while !isAtEnd {
      // Fill the buffer whatever the size of the chunks: otherwise each small chunk would cause the rest to
      // be examined again.
      while end < Self.capacity {
        let got = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
        if got == 0 {
          isAtEnd = true
          break
        }
        end += got
        elements.report.bytes += Int64(got)
      }
      let done = try elements.read(base, end)
      if done > 0, done < end { memmove(start, start + done, end - done) }
      end -= done
      try progress(elements.report.bytes)
    }
    try elements.finish()
    try progress(elements.report.bytes)
    return elements.report
  }
}
