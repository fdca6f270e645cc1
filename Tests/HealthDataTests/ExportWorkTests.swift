// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TestSupport

@testable import HealthData

/// The work of reading an export stays proportional to its length, whatever its content.
struct ExportWorkTests {
  /// Supplies a text in chunks of a given size.
  private final class Pieces: ByteSource {
    private let bytes: [UInt8]
    private let size: Int
    private var place = 0

    init(_ bytes: [UInt8], size: Int) {
      self.bytes = bytes
      self.size = size
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthFileError) -> Int {
      let count = min(size, buffer.count, bytes.count - place)
      buffer.copyBytes(from: bytes[place..<(place + count)])
      place += count
      return count
    }
  }

  /// Reads a text and returns the report, the values, and the number of bytes examined per byte of text.
  private static func read(
    _ bytes: [UInt8], pieces: Int = 1 << 20
  ) throws -> (report: ExportReport, values: [Int64], work: Double) {
    var values: [Int64] = []
    let reader = ExportReader(Pieces(bytes, size: pieces), now: ExportText.now) { item in
      if case .reading(let reading) = item { values.append(Int64(reading.thousandths)) }
    }
    let report = try reader.run { _ in }
    return (report, values, Double(reader.work) / Double(max(1, bytes.count)))
  }

  /// Texts as a head and a repeated unit, each of which made an earlier reader rescan its buffer
  /// for every unit.
  static let hostile: [(head: String, unit: String)] = [
    ("<Record type=\"", "<1\"a"), ("<Record type=\"", "<A\"a"), ("<Record type='", "<1'a "),
    ("<Record ", "<b c=\"x "), ("", " <b c=\"x"), ("", " <b c='x \""), ("", "<!-- "),
    ("<!--", " <a> "), ("", "<?x "), ("", "<!D "), ("<a ", "b"), ("<", "a"), ("<a ", "b c "),
    ("<a b=", "\""), ("<a b=\"", "\"="), ("<a b=\"", " <A=\"x"), ("", "</"), ("", "</R "),
    ("<Record type=\"", " <A b"), ("<a b=\"", "&"), ("", "<"), ("<a ", "/"), ("<a ", "\" "),
  ]

  @Test(arguments: hostile)
  func `no repetition is read more than a few times`(head: String, unit: String) throws {
    for length in [300_000, 3_000_000] {
      let start = "\(ExportText.head)\(head)"
      let text = start + String(repeating: unit, count: length / unit.utf8.count)
      let (_, _, work) = try Self.read(Array(text.utf8))
      #expect(work < 4, "\(length): \(work)")
    }
  }

  @Test func `a text that arrives byte by byte is not read more often`() throws {
    let text = ExportText.whole((1...9).map { ExportText.record(day: $0) })
    let (report, values, work) = try Self.read(text, pieces: 1)
    #expect(values.count == 9 && report.faults.isEmpty && work < 4, "\(work)")
  }

  @Test func `an unclosed tag is lost, and the rest is read`() throws {
    let long = "<Record type=\"" + String(repeating: "x", count: 200_000) + "\n"
    let text = ExportText.whole([
      ExportText.record(value: "61"), long, ExportText.record(value: "62", day: 2),
    ])
    let (report, values, _) = try Self.read(text)
    #expect(values == [61_000, 62_000])
    #expect(report.faults == [.broken: 1])
  }

  @Test func `reading stops in the buffer where it was cancelled`() throws {
    let text = ExportText.head + String(repeating: "<a b=\"c\"/>\n", count: 1_000_000)
    var told: [Int64] = []
    let reader = ExportReader(
      Pieces(Array(text.utf8), size: 1 << 20), now: ExportText.now, take: { _ in })
    #expect(throws: HealthFileError.cancelled) {
      try reader.run { bytes in
        told.append(bytes)
        if told.count == 2 { throw HealthFileError.cancelled }
      }
    }
    #expect(told.count == 2 && (told.last ?? 0) <= 2 << 20)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `mutated exports give a report with the same work however split`(seed: UInt64) throws {
    var sound = 0
    try CorpusFile.run(
      "exports",
      fragments: [
        "<Record ", "\"", "'", "<!--", "-->", "<1\"a", "</", "/>", "=\"", "&#x0;", "<![CDATA[",
        "]]>",
      ], marks: "<>\"'=/ &", seed: seed, count: 1_000
    ) { bytes in
      do {
        let whole = try Self.read(bytes)
        let parts = try Self.read(bytes, pieces: 7)
        #expect(whole.report == parts.report && whole.values == parts.values)
        #expect(whole.work < 4, "\(whole.work): \(String(decoding: bytes, as: UTF8.self))")
        sound += 1
      } catch let error as HealthFileError {
        #expect(error == .noExport)
      }
    }
    #expect(sound > 500)
  }
}
