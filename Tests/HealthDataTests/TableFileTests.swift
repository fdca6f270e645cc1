// SPDX-License-Identifier: Apache-2.0

import HealthData
import Identifiers
import Testing
import TestSupport

/// Tables of separated values, with and without a mapping.
struct TableFileTests {
  private static func values(_ text: String, _ answers: [TableMapping.Question: String] = [:])
    throws -> [String]
  {
    try HealthFiles.within(Array(text.utf8)) { path in
      let file = try TableFile(try HealthFile(path: path))
      let mapping =
        answers.isEmpty ? nil : try TableMapping(answers: answers, header: file.header)
      return try HealthFiles.read(path: path, mapping: mapping).values
    }
  }

  @Test(arguments: [
    "Date,Resting Heart Rate (count/min)\n2026-10-01 07:00:00,61\n",
    "Datum;Resting heart rate\r\n01.10.2026 07:00;61\r\n",
    "type\tstartDate\tvalue\tunit\nHKQuantityTypeIdentifierRestingHeartRate\t2026-10-01T07:00:00+01:00\t61\tcount/min",
    "\u{FEFF}Date,Time,\"Resting Heart Rate\",Note\n2026-10-01,07:00,\"61,0\",\"said \"\"fine\"\", then\nwent out\"\n",
    "timestamp,metric,value\n1790834400,resting-heart-rate,61\n",
    "timestamp,metric,value,zone\n2026-10-01T13:00:00,resting-heart-rate,61,Asia/Bangkok\n",
  ])
  func `Columns of many tables are recognized by their names`(_ text: String) throws {
    let found = try Self.values(text)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.hasPrefix("resting-heart-rate 61000 2026-10-01") == true, "\(found)")
  }

  @Test func `Columns can be chosen by name, by number or for all rows`() throws {
    let text = "when,a,b\n2026-10-01 07:00,x,61\n2026-10-02 07:00,x,62.5\n"
    #expect(
      try Self.values(
        text, [.time: "when", .value: "3", .metric: "=weight", .unit: "=lb", .source: "=Scale"])
        == [
          "weight 27669 2026-10-01 7 Scale", "weight 28350 2026-10-02 7 Scale",
        ])
    #expect(throws: HealthFileError.unknownColumns) { try Self.values(text) }
    #expect(throws: TableMapping.Question.value) {
      _ = try TableMapping(answers: [.value: "nowhere"], header: ["when", "a"])
    }
    var half = TableMapping()
    half[.time] = .column(0)
    #expect(half.mistake(columns: 2) == .value)
    half[.value] = .column(1)
    half[.metric] = .fixed("mood")
    #expect(half.mistake(columns: 2) == .metric)
    half[.metric] = .fixed("steps")
    #expect(half.mistake(columns: 2) == nil)
    #expect(half.mistake(columns: 1) == .value)
  }

  @Test func `A table without names of its columns is read by their numbers`() throws {
    #expect(
      try Self.values(
        "2026-10-01,4210\n2026-10-02,5000\n", [.time: "1", .value: "2", .metric: "=steps"])
        == ["steps 4210000 2026-10-01 0 CSV day", "steps 5000000 2026-10-02 0 CSV day"])
  }

  @Test func `Invalid rows are reported with line and error, the others count`() throws {
    let text = """
      time,metric,value,unit,zone
      2026-10-01 07:00,resting-heart-rate,61,,
      2026-10-02 07:00,resting-heart-rate,6000,,
      2036-10-02 07:00,resting-heart-rate,61,,
      03/04/2026,resting-heart-rate,61,,
      2026-10-02 07:00,resting-heart-rate,much,,
      2026-10-02 07:00,resting-heart-rate,61,furlong,
      2026-10-02 07:00,resting-heart-rate,61,,Nowhere/Land
      2026-10-02 07:00,resting-heart-rate,,,
      2026-10-02 07:00,mood,3,,
      2026-10-03 07:00,resting-heart-rate,60,bpm,+02:00

      """
    let read = try HealthFiles.read(text)
    #expect(
      read.values == [
        "resting-heart-rate 61000 2026-10-01 7 CSV", "resting-heart-rate 60000 2026-10-03 7 CSV",
      ])
    #expect(
      read.report.leftOut.map { "\($0.place) \($0.fault.rawValue)" } == [
        "line 3 value", "line 4 future", "line 5 date", "line 6 value", "line 7 unit",
        "line 8 zone", "line 9 missing",
      ])
    #expect(read.report.otherKinds == 1)
    #expect(read.report.records == 10)
  }

  @Test func `An unclosed quote loses only what it contains`() throws {
    let rows = (1...9).map { "2026-10-0\($0) 07:00,6\($0)" }
    let long = String(repeating: "x", count: 70_000)
    let text =
      "Date,Resting Heart Rate\n" + rows[..<4].joined(separator: "\n")
      + "\n2026-10-11,\"\(long)\n" + rows[4...].joined(separator: "\n")
    let read = try HealthFiles.read(text)
    #expect(read.values.count == 9)
    #expect(read.report.faults[.broken] == 1)
  }

  @Test(arguments: ["", "just a sentence", "a,b\u{0}c\n1,2", "one\ntwo\nthree\n"])
  func `Anything but a table is refused`(_ text: String) throws {
    #expect(throws: HealthFileError.self) { try HealthFiles.read(text) }
  }

  @Test func `Broken tables don't stop the reader or invent values`() throws {
    let rows = (1...9).map { "2026-10-0\($0) 07:00:00,6\($0),\"Watch, \"\"left\"\"\"" }
    let document = Array(
      ("Date,Resting Heart Rate,Source\r\n" + rows.joined(separator: "\r\n")).utf8)
    let mutator = Mutator(
      fragments: ["\"", "\"\"", ",", ";", "\t", "\r\n", "\n\n", "-", "=", "1e9"],
      marks: ",;\"\n-")
    var random = SeededGenerator(seed: 2_026)
    var read = 0
    for _ in 0..<2_000 {
      let broken = mutator.mutate(document, with: &random)
      do {
        let result = try HealthFiles.read(broken)
        read += 1
        #expect(result.report.values.values.reduce(0, +) == result.values.count)
        #expect(
          result.values.count + result.report.faults.values.reduce(0, +)
            + result.report.otherKinds <= result.report.records + 12)
      } catch is HealthFileError {
        // A heading that means nothing.
      }
    }
    #expect(read > 1_000)
  }
}
