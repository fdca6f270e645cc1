// SPDX-License-Identifier: Apache-2.0

import FHIR
import HealthData
import Testing

/// Every form in which values are sent, with its errors.
struct VitalPostTests {
  private static func read(_ text: String) throws -> VitalPost? {
    VitalPost.read(
      try JSONValue(parsing: Array(text.utf8)), now: ExportText.now, zone: { _ in 3_600 })
  }

  private static func values(_ text: String) throws -> [String] {
    try (read(text)?.items ?? []).map { item in
      switch item.result {
      case .success(let reading):
        "\(reading.kind.rawValue) \(reading.thousandths) \(CivilDays.text(reading.start.dayNumber)) "
          + reading.source
      case .failure(let problem): problem.rawValue
      }
    }
  }

  @Test(arguments: [
    #"{"readings":[{"type":"resting-heart-rate","at":"2026-10-01T07:00:00+02:00","value":61,"source":"Watch"}]}"#,
    #"{"type":"resting_heart_rate","samples":[{"date":"2026-10-01 07:00:00 +0200","value":61,"source":"Watch"}]}"#,
    #"{"type":"Resting Heart Rate","source":"Watch","dates":"2026-10-01 07:00:00 +0200","values":"61"}"#,
    #"{"type":"resting_heart_rate","source":"Watch","dates":["2026-10-01T07:00:00Z"],"values":["61 count/min"]}"#,
    #"{"data":{"metrics":[{"name":"resting_heart_rate","units":"count/min","data":[{"date":"2026-10-01 00:00:00 +0200","qty":61,"source":"Watch"}]}]}}"#,
    #"{"timestamp":"2026-10-01T20:00:00Z","resting_heart_rate":[{"bpm":61,"time":"2026-09-30T23:30:00Z","metadata":{"device":{"model":"Watch"}}}]}"#,
    #"{"resourceType":"Observation","status":"final","code":{"coding":[{"system":"http://loinc.org","code":"8867-4"},{"system":"http://loinc.org","code":"40443-4"}]},"subject":{"reference":"Patient/p"},"effectiveDateTime":"2026-10-01","valueQuantity":{"value":61.0,"unit":"beats/minute","system":"http://unitsofmeasure.org","code":"/min"},"device":{"display":"Watch"}}"#,
  ])
  func `One value in every form is the same value`(_ body: String) throws {
    #expect(try Self.values(body) == ["resting-heart-rate 61000 2026-10-01 Watch"])
  }

  @Test func `Formats without a source have a default name for it`() throws {
    #expect(
      try Self.values(
        #"{"activities-heart":[{"dateTime":"2026-10-01","value":{"restingHeartRate":68,"heartRateZones":[]}},{"dateTime":"2026-10-02","value":{}}]}"#
      ) == ["resting-heart-rate 68000 2026-10-01 Fitbit"])
    #expect(
      try Self.values(
        #"{"formatVersion":"ai-preset-v1","sections":{"resting_heart_rate":{"summary":{},"days":[{"date":"2026-10-01","value":58}]},"sleep":{}}}"#
      ) == ["resting-heart-rate 58000 2026-10-01 Health Data Export", "kind"])
  }

  @Test func `Each invalid value is reported, and the others are kept`() throws {
    let values = [
      #"{"type":"resting-heart-rate","at":"2026-10-01T07:00:00Z","value":6000,"source":"W"}"#,
      #"{"type":"resting-heart-rate","at":"2036-10-01T07:00:00Z","value":60,"source":"W"}"#,
      #"{"type":"resting-heart-rate","at":"yesterday","value":60,"source":"W"}"#,
      #"{"type":"blood","at":"2026-10-01T07:00:00Z","value":60,"source":"W"}"#,
      #"{"type":"weight","at":"2026-10-01T07:00:00Z","value":60,"unit":"furlong","source":"W"}"#,
      #"{"type":"weight","at":"2026-10-01T07:00:00Z","value":"much","source":"W"}"#,
      #"{"type":"weight","at":"2026-10-01T07:00:00Z","value":60}"#,
      #"7"#,
      #"{"type":"weight","at":"2026-10-01T07:00:00Z","value":60.5,"source":"W"}"#,
    ]
    #expect(
      try Self.values("{\"readings\":[\(values.joined(separator: ","))]}") == [
        "value", "future", "date", "kind", "unit", "value", "source", "structure",
        "weight 60500 2026-10-01 W",
      ])
  }

  @Test func `The bridge of Android gives its averages, steps and weight`() throws {
    #expect(
      try Self.values(
        #"{"timestamp":"2026-10-01T20:00:00Z","app_version":"1","heart_rate":[{"bpm":70,"time":"2026-10-01T10:00:00Z"},{"time":"2026-10-01T10:01:00Z","avg":71,"min":60,"max":80}],"steps":[{"count":120,"start_time":"2026-10-01T10:00:00Z","end_time":"2026-10-01T10:10:00Z"}],"weight":[{"kilograms":74.5,"time":"2026-10-01T06:00:00Z"}],"sleep":[{}]}"#
      ) == [
        "heart-rate 70000 2026-10-01 Health Connect", "heart-rate 71000 2026-10-01 Health Connect",
        "steps 120000 2026-10-01 Health Connect", "weight 74500 2026-10-01 Health Connect", "kind",
      ])
  }

  @Test func `The documented statuses of medicines are understood`() throws {
    let post = try #require(
      try Self.read(
        #"{"data":{"medications":[{"displayText":"Bisoprolol","start":"2026-10-01 08:00:00 AM +0200","status":"Taken"},{"displayText":"Bisoprolol","scheduledDate":"2026-10-02 08:00:00 +0200","status":"Skipped"},{"nickname":"B","start":"2026-10-03 08:00:00 +0200","status":"Pris"}]}}"#
      ))
    #expect(post.medications.map(\.taken) == [true, false, nil])
    #expect(post.medications.map(\.name) == ["Bisoprolol", "Bisoprolol", "B"])
    #expect(post.medications.allSatisfy { $0.at != nil })
  }

  @Test(arguments: ["{}", "7", "\"x\"", #"{"data":{}}"#, #"{"reading":[]}"#, "null"])
  func `A body of unknown format is refused`(_ body: String) throws {
    #expect(try Self.read(body) == nil)
  }

  @Test func `Lists of different lengths are refused as a whole`() throws {
    #expect(
      try Self.values(#"{"type":"heart_rate","dates":"2026-10-01\n2026-10-02","values":"61"}"#)
        == ["structure"])
  }
}
