// SPDX-License-Identifier: Apache-2.0

import FHIR
import HealthData
import Testing

/// App posts saved as files, and the recognition of formats.
struct PostedFileTests {
  @Test func `A file of Health Auto Export gives its values and medicines`() throws {
    let read = try HealthFiles.read(
      #"""
      {"data":{"metrics":[
        {"name":"resting_heart_rate","units":"count/min","data":[
          {"date":"2026-10-01 00:00:00 +0200","qty":58,"source":"Watch"},{"date":"soon","qty":1}]},
        {"name":"sleep_analysis","units":"hr","data":[{}]}],
       "medications":[{"displayText":"A","start":"2026-10-01 08:00:00 +0200","status":"Taken"}]}}
      """#)
    #expect(read.values == ["resting-heart-rate 58000 2026-10-01 0 Watch"])
    #expect(read.medications == 1)
    #expect(
      read.report.leftOut.map { "\($0.place) \($0.fault.rawValue)" }
        == ["data.metrics[0].data[1] date"])
    #expect(read.report.otherKinds == 1)
  }

  @Test func `A value withdrawn in a file is withdrawn`() throws {
    #expect(
      try HealthFiles.read(
        #"[{"type":"weight","at":"2026-10-01T07:00:00+01:00","source":"Scale","deleted":true}]"#
      ).values == ["- weight 60000 2026-10-01 7 Scale"])
  }

  @Test(
    arguments: [
      ("{\"a\":1}", HealthFileFormat.posted), ("  [1]", .posted), ("<?xml", .appleHealth),
      ("PK\u{3}\u{4}", .appleHealth), ("SQLite format 3\u{0}...", .gadgetbridge), ("a,b\n", .table),
      ("\u{FEFF}{", .posted), ("", nil), (" \n", nil), ("x\u{0}", nil),
    ] as [(String, HealthFileFormat?)])
  func `A file is recognized by its first bytes`(_ text: String, _ format: HealthFileFormat?) {
    #expect(HealthFileFormat.of(head: Array(text.utf8)) == format)
  }

  @Test(arguments: ["{}", "{", "[7", "{\"resourceType\":\"Bundle\"", "nonsense"])
  func `Unknown formats are refused`(_ text: String) {
    #expect(throws: HealthFileError.self) { try HealthFiles.read(text) }
  }

  @Test func `Prescriptions are not mistaken for measurements`() throws {
    #expect(!PostedFile.isMeasurements(["resourceType": "Bundle"]))
    #expect(!PostedFile.isMeasurements(["x": 1]))
    #expect(PostedFile.isMeasurements(["readings": []]))
    #expect(PostedFile.isMeasurements(["activities-heart": []]))
  }
}
