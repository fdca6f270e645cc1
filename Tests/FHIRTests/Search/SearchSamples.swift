// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Resources and searches of the tests.
enum SearchSamples {
  static let base = "https://example.org/fhir"

  static let observation = """
    {"resourceType":"Observation","id":"o1","meta":{"profile":["http://example.org/p|2"],"source":"http://example.org/s/1",\
    "tag":[{"system":"http://example.org/t","code":"a"}],"security":[{"code":"R"}]},\
    "identifier":[{"type":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v2-0203","code":"MR"}]},\
    "system":"urn:oid:1.2","value":"77"}],"status":"final",\
    "category":[{"coding":[{"system":"http://example.org/categories","code":"laboratory","display":"Laboratory"}]}],\
    "code":{"coding":[{"system":"http://loinc.org","code":"2339-0","display":"Glucose in blood"}],"text":"Blóðsykur test"},\
    "subject":{"reference":"Patient/p-1"},\
    "focus":[{"reference":"Device/d1"},{"reference":"https://elsewhere.org/fhir/Device/9"},{"reference":"#inside"}],\
    "performer":[{"reference":"Practitioner/x/_history/3"},{"identifier":{"system":"urn:oid:9","value":"hpr"}}],\
    "effectivePeriod":{"start":"2026-03-01","end":"2026-03-05"},\
    "valueQuantity":{"value":5.40,"unit":"mmol","system":"http://unitsofmeasure.org","code":"mmol/L"},\
    "component":[{"code":{"coding":[{"system":"http://loinc.org","code":"c1"}]},"valueQuantity":{"value":120,"unit":"beats"}}]}
    """

  /// A record of the sample resources, changed on 2026-03-01 at 00:00 UTC.
  static func record(id: String, status: String?) -> SearchedRecord {
    SearchedRecord(id: id, patient: "p-1", status: status, lastUpdated: 1_772_323_200_000)
  }

  static func parse(
    _ query: String, _ type: ResourceType, isLenient: Bool = false
  ) throws(SearchProblem) -> SearchRequest {
    try SearchRequestParser.parse(
      SearchQueryParser.pairs(query: query), type: type, base: base, isLenient: isLenient)
  }

  /// Returns true if a resource meets all conditions of a search.
  static func finds(_ query: String, _ type: ResourceType, _ resource: String) throws -> Bool {
    let json = try JSONValue(parsing: resource)
    let index = SearchIndex(of: json, type: type)
    let facts = Self.record(id: json["id"]?.string ?? "", status: json["status"]?.string)
    return try parse(query, type).criteria.allSatisfy { index.matches($0, record: facts) ?? false }
  }

  /// Returns the values of one parameter of a resource.
  static func values(
    _ parameter: String, _ type: ResourceType, _ resource: String
  ) throws -> [SearchIndexValue] {
    SearchIndex(of: try JSONValue(parsing: resource), type: type).entries
      .filter { $0.parameter == parameter }.map(\.value)
  }
}
