// SPDX-License-Identifier: Apache-2.0

import HealthData
import Identifiers
import Testing
import TestSupport

/// Invalid XML that phones have written, case by case.
struct ExportFaultTests {
  struct Broken: Sendable, CustomTestStringConvertible {
    let fault: ExportFault
    /// A record of 5 October, in its broken form.
    let record: String
    /// True if its value counts anyway.
    let counts: Bool
    var testDescription: String { fault.rawValue }
  }

  static let cases: [Broken] = {
    let sound = ExportText.record(value: "55", day: 5)
    func changed(_ fault: ExportFault, _ from: String, _ to: String, counts: Bool = true) -> Broken
    {
      Broken(fault: fault, record: sound.replacing(from, with: to), counts: counts)
    }
    return [
      changed(.controlCharacter, "sourceName=\"Watch\"", "sourceName=\"Wa\u{0B}tch\""),
      changed(.controlCharacter, "value=\"55\"", "value=\"5\u{0B}5\""),
      changed(.bareAmpersand, "name:Apple Watch", "name:Ann & Bo"),
      changed(.bareAmpersand, "name:Apple Watch", "name:AT&amp T"),
      changed(.bareBracket, "name:Apple Watch", "name: < 3"),
      changed(.bareBracket, "name:Apple Watch", "name:<Watch>"),
      changed(.spacedName, "sourceName=", "source Name="),
      changed(.doubledAttribute, "endDate=", "startDate="),
      changed(.strayQuote, "name:Apple Watch", "name:Ann\"s Watch"),
      changed(.missing, "value=\"55\"", "", counts: false),
      changed(.missing, "startDate=\"2026-10-05 06:00:00 +0100\"", "", counts: false),
      changed(.unit, "count/min", "furlongs", counts: false),
      changed(.unit, "count/min", "count", counts: false),
      changed(.value, "\"55\"", "\"6000\"", counts: false),
      changed(.value, "\"55\"", "\"many\"", counts: false),
      changed(.value, "\"55\"", "\"-55\"", counts: false),
      changed(.date, "2026-10-05 06", "2026-13-05 06", counts: false),
      changed(.date, "2026-10-05 06", "1904-01-01 06", counts: false),
      changed(.future, "2026-10-05", "2036-10-05", counts: false),
      changed(.source, "sourceName=\"Watch\"", "sourceName=\"\"", counts: false),
      changed(.broken, "+0100\" value=\"55\"/>\n", "+01", counts: false),
      changed(.broken, "value=\"55\"/>\n", "value=\"5\n", counts: false),
    ]
  }()

  @Test(arguments: cases)
  func `A broken record is repaired or skipped and counted`(_ broken: Broken) throws {
    let text = ExportText.whole([
      ExportText.record(value: "61", day: 4), broken.record, ExportText.record(value: "63", day: 6),
    ])
    let (readings, _, report) = try ExportText.read(text)
    #expect(
      readings.map(\.thousandths) == (broken.counts ? [61_000, 55_000, 63_000] : [61_000, 63_000]))
    #expect(report.faults == [broken.fault: 1])
  }

  @Test func `Invalid UTF-8 is counted, and the value is kept`() throws {
    var text = ExportText.whole([
      ExportText.record(value: "61"), ExportText.record(day: 2, source: "W@tch"),
    ])
    let place = try #require(text.firstIndex(of: UInt8(ascii: "@")))
    text[place] = 0xFF
    let (readings, _, report) = try ExportText.read(text)
    #expect(readings.count == 2)
    #expect(readings.last?.source == "W\u{FFFD}tch")
    #expect(report.faults == [.invalidUTF8: 1])
  }

  @Test func `The document type of iOS 16 is skipped`() throws {
    let head = ExportText.head.replacing(
      "locale CDATA #REQUIRED\n>", with: "locale CDATA #REQUIRED\n")
    #expect(head != ExportText.head)
    let (readings, _, report) = try ExportText.read(
      Array((head + ExportText.record() + ExportText.tail).utf8))
    #expect(readings.count == 1)
    #expect(report.faults == [.documentType: 1])
  }

  @Test func `A truncated file keeps all complete records`() throws {
    let records = (1...5).map { ExportText.record(value: "6\($0)", day: $0) }
    let text = ExportText.whole(records)
    let begin = ExportText.head.utf8.count
    for end in stride(from: begin, to: text.count - ExportText.tail.utf8.count, by: 7) {
      let (readings, _, report) = try ExportText.read(Array(text[..<end]))
      // The spaces before the next record, and the line's end, may be missing.
      let whole = records.indices.count {
        records[...$0].joined().trimmingSuffix(while: \.isWhitespace).utf8.count <= end - begin
      }
      #expect(readings.count == whole)
      #expect(report.faults[.cutOff] == 1)
    }
  }

  @Test func `An unclosed tag doesn't lose the rest`() throws {
    let endless = " <Record type=\"" + String(repeating: "x", count: 3 << 20) + "\n"
    let (readings, _, report) = try ExportText.read(
      ExportText.whole([ExportText.record(), endless, ExportText.record(day: 2)]))
    #expect(readings.count == 2)
    #expect((report.faults[.broken] ?? 0) >= 1)
  }

  @Test func `No input makes it hang or crash`() throws {
    var random = SeededGenerator(seed: 11)
    let sound = ExportText.whole((1...9).map { ExportText.record(day: $0) })
    let odd = Array("<>\"'=/&!? \n\u{0B}".utf8) + [0xFF, 0xC3, 0x00]
    for _ in 0..<400 {
      var text = sound
      for _ in 0..<(1 + random.next() % 12) {
        let place = Int(random.next() % UInt64(text.count))
        switch random.next() % 3 {
        case 0: text[place] = odd[Int(random.next() % UInt64(odd.count))]
        case 1: text.remove(at: place)
        default: text.insert(odd[Int(random.next() % UInt64(odd.count))], at: place)
        }
      }
      do {
        let (readings, _, _) = try ExportText.read(text)
        #expect(readings.count <= 9)
      } catch let error as HealthFileError {
        #expect(error == .noExport)
      }
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, condition(last) { rest.removeLast() }
    return rest
  }
}
