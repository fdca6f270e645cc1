// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@Suite struct SearchRequestTests {
  private func problem(
    _ query: String, _ type: ResourceType, isLenient: Bool = false
  ) -> SearchProblem? {
    do throws(SearchProblem) {
      _ = try SearchSamples.parse(query, type, isLenient: isLenient)
      return nil
    } catch {
      return error
    }
  }

  @Test func readsTheParametersOfTheResult() throws {
    let request = try SearchSamples.parse(
      "_count=20&_sort=-authoredon,status,_id&_total=none&_summary=data&_elements=status,intent"
        + "&_include=MedicationRequest:medication"
        + "&_include:iterate=Medication:manufacturer:Organization"
        + "&_revinclude=Provenance:target&_cursor=abc&_format=json&_pretty=true&status=active",
      .medicationRequest)
    #expect(request.count == 20)
    #expect(
      request.sort == [
        SearchSort(parameter: "authoredon", isDescending: true),
        SearchSort(parameter: "status", isDescending: false),
        SearchSort(parameter: "_id", isDescending: false),
      ])
    #expect(request.total == SearchTotal.none)
    #expect(request.summary == .data)
    #expect(request.elements == ["status", "intent"])
    #expect(
      request.includes == [
        SearchInclude(
          source: .medicationRequest, parameter: "medication", target: nil, isIterated: false),
        SearchInclude(
          source: .medication, parameter: "manufacturer", target: .organization, isIterated: true),
      ])
    #expect(
      request.revIncludes == [
        SearchInclude(source: .provenance, parameter: "target", target: nil, isIterated: false)
      ])
    #expect(request.cursor == "abc")
    #expect(request.criteria.count == 1)
    #expect(!request.used.contains { $0.0 == "_cursor" })
    #expect(request.used.count == 11)
    #expect(request.ignored.isEmpty)
  }

  @Test func anEmptySearchHasStandardValues() throws {
    let request = try SearchSamples.parse("", .patient)
    #expect(request.criteria.isEmpty && request.sort.isEmpty && request.used.isEmpty)
    #expect(request.count == nil && request.summary == nil && request.cursor == nil)
    #expect(request.total == .accurate)
  }

  @Test(arguments: [("0", 0), ("500", 500), ("501", 500), ("99999999999999999999", 500)])
  func cutsTheSizeOfAPage(_ text: String, _ count: Int) throws {
    #expect(try SearchSamples.parse("_count=\(text)", .patient).count == count)
  }

  @Test func anIncludeOfEverythingStartsAtTheType() throws {
    let request = try SearchSamples.parse("_include=*&_revinclude=Provenance:*", .patient)
    #expect(request.includes.first?.source == .patient)
    #expect(request.includes.first?.parameter == "*")
    #expect(request.revIncludes.first?.parameter == "*")
  }

  @Test(arguments: [
    "_count=-1", "_count=x", "_count=", "_count=1.5", "_count=1&_count=2", "_total=all",
    "_summary=yes", "_elements=", "_elements=status,nonsense", "_elements=status,",
    "_sort=", "_sort=-", "_sort=--status", "_sort=status,", "_sort=status&_sort=intent",
    "_include=", "_include=medication", "_include=MedicationRequest:status",
    "_include=Medication:manufacturer", "_include=Nonsense:x", "_include=MedicationRequest:",
    "_include=MedicationRequest:medication:Patient", "_include=MedicationRequest:medication:x:y",
    "_revinclude=Observation:specimen", "_revinclude=Provenance", "_cursor=",
    "_cursor=a&_cursor=b", "_id=Patient/1", "_id=", "_id=a,,b", "_lastUpdated=x",
    "_lastUpdated=xx2026", "authoredon=2026-02-30", "authoredon=zz2026", "authoredon=ge",
    "authoredon=2026,", "status=", "status=a,", "status=a|b|c", "status=|", "code=a|b|c",
    "code:missing=maybe", "code:missing=", "code:missing=true,false", "identifier:of-type=a|b",
    "identifier:of-type=a||b", "patient=a b", "patient=Patient/", "patient=Nonsense/1",
    "patient=/1", "patient=Patient/1/2", "subject:Device=1", "subject:Patient=Group/1",
    "status:in=http://example.org/ValueSet/x", "status:in=x", "subject.=x",
    "intended-performer.name=x", "status.x=1", "subject:Nonsense.name=x",
    "subject:Medication.code=x", "_has:Provenance:target=x", "_has:=x", "_has:::=x",
    "_has:Nonsense:target:agent=x", "_has:Provenance:recorded:agent=x",
    "_has:Observation:patient:code=x", "subject:Patient.birthdate=x",
  ])
  func refusesMalformedParameters(_ query: String) throws {
    for isLenient in [false, true] {
      let found = try #require(problem(query, .medicationRequest, isLenient: isLenient))
      #expect(found.code == .value, "\(query)")
      let names = SearchQueryParser.pairs(query: query).map { $0.name }
      #expect(names.contains(found.expression ?? "none"), "\(query)")
      #expect(!found.diagnostics.isEmpty)
    }
  }

  @Test(arguments: [
    "nonsense=1", "nonsense:exact=1", "code:above=x", "code:below=x", "code:not-in=x",
    "status:text=x", "intent:text=x", "code:Code=x", "code:=x", "authoredon:exact=2026",
    "patient:above=1", "status:nonsense=x", "identifier:exact=x", "code:of-type=a|b|c",
    "_filter=x", "_query=x", "_contained=true", "_containedType=container", "_list=x",
    "_content=x", "_text=x", "_type=Patient", "_id:not=x", "_lastUpdated:missing=true",
    "_sort=nonsense", "_sort:asc=status", "_count:x=1", "_include=Encounter:subject",
    "_include=MedicationRequest:nonsense", "_include:recurse=MedicationRequest:medication",
    "_revinclude=*", "_has:Encounter:subject:status=x", "_has:Provenance:nonsense:agent=x",
    "_has:Provenance:target:nonsense=x", "subject:Patient.nonsense=x", "subject.nonsense=x",
    "encounter.status=x", "encounter:Encounter.status=x", "nonsense.code=x",
  ])
  func refusesUnsupportedParametersUnlessLenient(_ query: String) throws {
    let found = try #require(problem(query, .medicationRequest))
    #expect(found.code == .notSupported, "\(query)")
    let name = try #require(SearchQueryParser.pairs(query: query).first?.name)
    #expect(found.expression == name)
    let request = try SearchSamples.parse(
      query + "&status=active", .medicationRequest, isLenient: true)
    #expect(request.ignored == [name])
    #expect(request.used.map { $0.0 } == ["status"])
    #expect(request.criteria.map(\.parameter) == ["status"])
  }

  @Test func refusesUnsupportedKinds() {
    #expect(problem("phonetic=x", .patient)?.code == .notSupported)
    #expect(problem("_sort=phonetic", .patient)?.code == .notSupported)
    for name in ["_text", "_content"] {
      #expect(problem("\(name)=x", .patient)?.diagnostics.contains("does not search texts") == true)
    }
    for value in ["a", "a$1$2", "a$x", "a$1,b", "$", ""] {
      for name in ["code", "component-code", "combo-code"] {
        let found = problem("\(name)-value-quantity=\(value)", .observation)
        #expect(found?.code == .value, "\(name) \(value)")
      }
    }
    for value in ["a", "a$b$c", "a$|", "|$b"] {
      #expect(problem("characteristic-value=\(value)", .group)?.code == .value, "\(value)")
    }
    #expect(problem("code-value-quantity:missing=true", .observation)?.code == .notSupported)
    #expect(problem("name:text=x", .patient)?.code == .notSupported)
    #expect(problem("name:not=x", .patient)?.code == .notSupported)
    #expect(problem("_profile:exact=x", .patient)?.code == .notSupported)
  }

  @Test(arguments: [
    "5.4|mg", "x", "ge", "5,4,", "xx5", "5.4|a|b|c", "", "|a|b", "1e999", "5.4 ", "NaN",
  ])
  func refusesMalformedQuantities(_ value: String) {
    #expect(problem("value-quantity=\(value)", .observation)?.code == .value, "\(value)")
  }

  @Test(arguments: ["name=", "name=%20", "name=a,,b", "name:exact=", "name:contains=%CC%81"])
  func refusesEmptyTexts(_ query: String) {
    #expect(problem(query, .patient)?.code == .value)
  }

  @Test func refusesTooMuch() {
    func repeated(_ text: String, _ count: Int, _ separator: String) -> String {
      Array(repeating: text, count: count).joined(separator: separator)
    }
    #expect(problem(repeated("status=active", 100, "&"), .medicationRequest) == nil)
    let parameters = problem(repeated("status=active", 101, "&"), .medicationRequest)
    #expect(parameters?.code == .tooCostly)
    #expect(problem("code=" + repeated("a", 500, ","), .medicationRequest) == nil)
    #expect(problem("code=" + repeated("a", 501, ","), .medicationRequest)?.code == .tooCostly)
    #expect(problem("_sort=" + repeated("_id", 4, ","), .patient) == nil)
    #expect(problem("_sort=" + repeated("_id", 5, ","), .patient)?.code == .tooCostly)
    #expect(problem("partof.partof.partof.name=x", .organization) == nil)
    #expect(problem("partof.partof.partof.partof.name=x", .organization)?.code == .tooCostly)
    let has = "_has:Organization:partof:"
    #expect(problem(has + has + "name=x", .organization) == nil)
    #expect(problem(has + has + has + "name=x", .organization)?.code == .tooCostly)
    let deep = repeated("partof", 100_000, ".")
    #expect(problem(deep + "=x", .organization)?.code == .tooCostly)
  }
}
