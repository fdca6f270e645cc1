// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

@Suite struct SearchExtractionTests {
  private func values(
    _ parameter: String, _ type: ResourceType, _ json: String
  ) throws -> [SearchIndexValue] {
    try SearchSamples.values(parameter, type, json)
  }

  @Test func codesCarryTheirTexts() throws {
    let json = SearchSamples.observation
    #expect(
      try values("code", .observation, json) == [
        .token(system: "http://loinc.org", code: "2339-0")
      ])
    #expect(
      try values("code:text", .observation, json) == [
        .string("Glucose in blood"), .string("Blóðsykur test"),
      ])
    #expect(
      try values("identifier:of-type", .observation, json) == [
        .token(system: "http://terminology.hl7.org/CodeSystem/v2-0203", code: "MR|77")
      ])
    #expect(
      try values("performer:identifier", .observation, json) == [
        .token(system: "urn:oid:9", code: "hpr")
      ])
    #expect(try values("status", .observation, json).isEmpty)
  }

  @Test func theOwnerHasNoEntryButOtherReferencesHave() throws {
    let json = SearchSamples.observation
    #expect(try values("subject", .observation, json).isEmpty)
    #expect(try values("patient", .observation, json).isEmpty)
    #expect(
      try values("focus", .observation, json) == [
        .reference(type: "Device", id: "d1"),
        .reference(type: "", id: "https://elsewhere.org/fhir/Device/9"),
      ])
    let elsewhere = """
      {"subject":{"reference":"https://elsewhere.org/fhir/Patient/7","identifier":{"value":"i"}}}
      """
    let stated: [SearchIndexValue] = [
      .reference(type: "", id: "https://elsewhere.org/fhir/Patient/7")
    ]
    #expect(try values("patient", .condition, elsewhere) == stated)
    #expect(
      try values("patient:identifier", .condition, elsewhere) == [.token(system: "", code: "i")])
    let group = #"{"subject":{"reference":"Group/g"}}"#
    #expect(
      try values("subject", .condition, group) == [.reference(type: "Group", id: "g")])
    #expect(try values("patient", .condition, group).isEmpty)
    let target = #"{"target":[{"reference":"Patient/p"},{"reference":"Condition/c/_history/2"}]}"#
    #expect(
      try values("target", .provenance, target) == [
        .reference(type: "Patient", id: "p"), .reference(type: "Condition", id: "c"),
      ])
    #expect(try values("patient", .provenance, target) == [.reference(type: "Patient", id: "p")])
  }

  @Test(
    arguments: [
      (#"{"effectiveDateTime":"1970-01-01"}"#, 0, 86_400_000),
      (#"{"effectiveInstant":"1970-01-01T00:00:01Z"}"#, 1_000, 2_000),
      (#"{"effectivePeriod":{"start":"1970-01-01"}}"#, 0, .max),
      (#"{"effectivePeriod":{"end":"1970-01-01"}}"#, .min, 86_400_000),
      (#"{"effectiveTiming":{"event":["1970-01-03","1970-01-01"]}}"#, 0, 259_200_000),
      (
        #"{"effectiveTiming":{"repeat":{"boundsPeriod":{"start":"1970-01-01","end":"1970-01-01"}}}}"#,
        0, 86_400_000
      ),
    ] as [(String, Int64, Int64)])
  func datesAreRanges(_ json: String, _ lower: Int64, _ upper: Int64) throws {
    #expect(try values("date", .observation, json) == [.date(lower: lower, upper: upper)])
  }

  @Test(arguments: [
    #"{"effectiveDateTime":"2026-02-30"}"#, #"{"effectiveDateTime":5}"#,
    #"{"effectivePeriod":{}}"#, #"{"effectivePeriod":{"start":"x","end":"2026"}}"#,
    #"{"effectivePeriod":{"start":"2027","end":"2026"}}"#, #"{"effectiveTiming":{"event":["x"]}}"#,
    #"{"effectiveTiming":{"repeat":{"frequency":1}}}"#, #"{"effectiveDateTime":[["2026-99"]]}"#,
  ])
  func unreadableDatesHaveNoEntry(_ json: String) throws {
    #expect(try values("date", .observation, json).isEmpty)
  }

  @Test(
    arguments: [
      ("5.40", 5.395, 5.405), ("100", 99.5, 100.5), ("1e2", 50, 150), ("-5.4", -5.45, -5.35),
      ("0", -0.5, 0.5), ("0.50", 0.495, 0.505), ("1.2E+2", 115, 125),
    ] as [(String, Double, Double)])
  func decimalsCoverTheirDigits(_ text: String, _ lower: Double, _ upper: Double) throws {
    let range = try #require(DecimalRange(text))
    #expect(range.lower == lower)
    #expect(range.upper == upper)
    let centered = range.centered
    #expect((centered.lower + centered.upper) / 2 == range.value)
  }

  @Test func centersAreExactForManyDecimals() throws {
    for number in stride(from: 1, to: 20_000, by: 7) {
      for text in ["\(number)", "\(number / 100).\(number % 100 + 100)", "0.00\(number)"] {
        let range = try #require(DecimalRange(text))
        let centered = range.centered
        #expect((centered.lower + centered.upper) / 2 == range.value, "\(text)")
        #expect(range.lower < range.value && range.value < range.upper, "\(text)")
      }
    }
  }

  @Test(arguments: ["", "x", "1e999", "-1e999", "01", "1.", "NaN", "inf", "0x10", " 1"])
  func otherTextsAreNoDecimals(_ text: String) { #expect(DecimalRange(text) == nil) }

  @Test func longDecimalsKeepTheirValue() throws {
    let range = try #require(DecimalRange("0.12345678901234567890123"))
    #expect(range.lower < range.value && range.value < range.upper)
  }

  @Test func quantitiesKeepUnitsAndOpenEnds() throws {
    let below = #"{"valueQuantity":{"value":5,"comparator":"<","unit":"mg"}}"#
    #expect(
      try values("value-quantity", .observation, below) == [
        .quantity(
          lower: -.greatestFiniteMagnitude, upper: 5, system: "", code: "", unit: "mg")
      ])
    let ages = #"{"onsetRange":{"low":{"value":40,"code":"a"},"high":{"value":50,"code":"a"}}}"#
    #expect(try values("onset-age", .condition, ages).count == 2)
    #expect(try SearchSamples.finds("onset-age=ge45", .condition, ages))
    #expect(try SearchSamples.finds("onset-age=lt45", .condition, ages))
    #expect(try !SearchSamples.finds("onset-age=gt51", .condition, ages))
    #expect(
      try values("value-quantity", .observation, #"{"valueQuantity":{"unit":"mg"}}"#).isEmpty)
  }

  @Test func deathIsATokenAndADate() throws {
    let json = #"{"deceasedDateTime":"2026"}"#
    #expect(try values("deceased", .patient, json) == [.token(system: "", code: "true")])
    #expect(try values("death-date", .patient, json).count == 1)
    #expect(try values("deceased", .patient, "{}") == [.token(system: "", code: "false")])
  }

  @Test func canonicalsAreFoundWithAndWithoutVersion() throws {
    let json = #"{"questionnaire":"http://example.org/q|1"}"#
    #expect(
      try values("questionnaire", .questionnaireResponse, json) == [
        .reference(type: "", id: "http://example.org/q"),
        .reference(type: "", id: "http://example.org/q|1"),
      ])
    let local = #"{"questionnaire":"Questionnaire/q"}"#
    #expect(
      try values("questionnaire", .questionnaireResponse, local) == [
        .reference(type: "Questionnaire", id: "q")
      ])
  }

  @Test func aDocumentIsFoundByItsComposition() throws {
    let json = """
      {"entry":[{"resource":{"resourceType":"Composition","id":"c"}},\
      {"resource":{"resourceType":"Patient","id":"p"}},{"resource":{"resourceType":"Composition"}}]}
      """
    #expect(
      try values("composition", .bundle, json) == [.reference(type: "Composition", id: "c")])
    #expect(try values("message", .bundle, json).isEmpty)
  }

  @Test func namesAndAddressesGiveEachText() throws {
    let json = """
      {"name":[{"text":"K B","family":"B","given":["K","L"],"use":"official"}],\
      "address":[{"line":["Road 1"],"city":"Oslo","postalCode":"0150","use":"home"}]}
      """
    #expect(
      try values("name", .patient, json) == [
        .string("K B"), .string("B"), .string("K"), .string("L"),
      ])
    #expect(
      try values("address", .patient, json) == [
        .string("Road 1"), .string("Oslo"), .string("0150"),
      ])
    #expect(
      try values("address-use", .patient, json) == [
        .token(system: "http://hl7.org/fhir/address-use", code: "home")
      ])
  }

  @Test func hugeResourcesAndTextsAreCut() throws {
    let names = (0..<2_000).map { #"{"family":"\#($0)"}"# }.joined(separator: ",")
    let index = SearchIndex(
      of: try JSONValue(parsing: #"{"name":[\#(names)]}"#), type: .patient)
    #expect(index.entries.count == SearchIndex.mostEntries)
    let long = String(repeating: "å", count: 700)
    #expect(
      try values("family", .patient, #"{"name":[{"family":"\#(long)"}]}"#) == [
        .string(String(repeating: "å", count: 500))
      ])
  }

  @Test(arguments: [
    "null", "[]", "5", #""x""#, "{}", #"{"code":5,"subject":"x","identifier":{"value":7}}"#,
    #"{"subject":{"reference":"Patient/"},"code":{"coding":{}},"focus":[[{}],null]}"#,
    #"{"subject":{"reference":"Patient/a b"},"meta":{"tag":[null,{"code":""}]}}"#,
  ])
  func otherShapesHaveNoEntries(_ text: String) throws {
    let json = try JSONValue(parsing: text)
    #expect(SearchIndex(of: json, type: .observation).entries.isEmpty)
    #expect(SearchIndex(of: json, type: .subscription).entries.isEmpty)
  }

  @Test func sortKeysTakeTheEndOfTheList() throws {
    let index = SearchIndex(of: try JSONValue(parsing: Fixtures.patient), type: .patient)
    #expect(index.sortKey("family", descending: false) == .text("berg"))
    #expect(index.sortKey("family", descending: true) == .text("odegard"))
    #expect(index.sortKey("death-date", descending: false) == nil)
    let record = SearchSamples.record(id: "p-1", status: nil)
    func key(_ parameter: String) -> SearchSortKey {
      index.sortKey(SearchSort(parameter: parameter, isDescending: false), record: record)
    }
    #expect(key("_id") == .text("p-1"))
    #expect(key("_lastUpdated") == .integer(1_772_323_200_000))
    #expect(key("death-date") == SearchSortKey.none)
    let observation = SearchIndex(
      of: try JSONValue(parsing: SearchSamples.observation), type: .observation)
    #expect(observation.sortKey("value-quantity", descending: true) == .real(5.4))
    let final = SearchSamples.record(id: "o1", status: "final")
    let status = SearchSort(parameter: "status", isDescending: true)
    let patient = SearchSort(parameter: "patient", isDescending: false)
    #expect(observation.sortKey(status, record: final) == .text("final"))
    #expect(observation.sortKey(patient, record: final) == .text("Patient/p-1"))
  }

  @Test func itemsAreFoundAtEveryDepth() throws {
    let form = """
      {"item":[{"linkId":"1","definition":"http://a#1","code":[{"system":"urn:s","code":"one"}],"item":[\
      {"linkId":"2","code":[{"code":"two"}],"item":[{"linkId":"3","definition":"http://a#3",\
      "code":[{"code":"three"}]}]},{"linkId":"4","code":[{"code":"four"}]}]},{"linkId":"5"}]}
      """
    #expect(
      try SearchSamples.values("code", .questionnaire, form) == [
        .token(system: "urn:s", code: "one"), .token(system: "", code: "two"),
        .token(system: "", code: "three"), .token(system: "", code: "four"),
      ])
    #expect(
      try SearchSamples.values("definition", .questionnaire, form)
        == [.uri("http://a#1"), .uri("http://a#3")])
  }
}
