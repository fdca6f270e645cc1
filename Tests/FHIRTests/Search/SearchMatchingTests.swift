// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

/// The definition of a match, for each kind of parameter and each modifier.
@Suite struct SearchMatchingTests {
  private func finds(_ query: String) throws -> Bool {
    try SearchSamples.finds(query, .observation, SearchSamples.observation)
  }

  @Test(
    arguments: [
      ("code=2339-0", true), ("code=http://loinc.org|2339-0", true),
      ("code=http://loinc.org|", true), ("code=|2339-0", false), ("code=x,2339-0", true),
      ("code=2339-0&code=x", false), ("code=2339-O", false), ("code:not=2339-0", false),
      ("code:not=x,y", true), ("code:not=x,2339-0", false), ("code:text=blodsykur", true),
      ("code:text=glucose%20IN", true), ("code:text=blood", false), ("code:missing=false", true),
      ("method:missing=true", true), ("method=x", false), ("method:not=x", true),
      ("identifier=urn:oid:1.2|77", true), ("identifier=77", true), ("identifier=|77", false),
      ("identifier:of-type=http://terminology.hl7.org/CodeSystem/v2-0203|MR|77", true),
      ("identifier:of-type=http://terminology.hl7.org/CodeSystem/v2-0203|MR|78", false),
      ("combo-code=c1", true), ("component-code=2339-0", false), ("_security=R", true),
      ("_tag=http://example.org/t|a", true), ("_tag=http://example.org/u|a", false),
    ] as [(String, Bool)])
  func tokens(_ query: String, _ isFound: Bool) throws {
    #expect(try finds(query) == isFound)
  }

  @Test(
    arguments: [
      ("status=final", true), ("status=preliminary,final", true), ("status=FINAL", false),
      ("status=http://hl7.org/fhir/observation-status|final", true),
      ("status=http://hl7.org/fhir/observation-status|", true),
      ("status=http://example.org|final", false), ("status=|final", false),
      ("status:not=final", false), ("status:not=amended", true), ("status:missing=true", false),
      ("status:in=http://hl7.org/fhir/ValueSet/observation-status", true),
      ("status:in=http://hl7.org/fhir/ValueSet/observation-status|4.0.1", true),
      ("status:in=http://hl7.org/fhir/ValueSet/administrative-gender", false),
    ] as [(String, Bool)])
  func statusIsTheOneOfTheRecord(_ query: String, _ isFound: Bool) throws {
    #expect(try finds(query) == isFound)
  }

  @Test(
    arguments: [
      ("patient=p-1", true), ("patient=Patient/p-1", true), ("subject:Patient=p-1", true),
      ("subject=https://example.org/fhir/Patient/p-1", true), ("patient=p-2", false),
      ("subject=Group/p-1", false), ("subject:missing=true", false), ("focus=Device/d1", true),
      ("focus=d1", true), ("focus:Device=d1", true), ("focus:Patient=d1", false),
      ("focus=https://example.org/fhir/Device/d1", true), ("focus=Device/9", false),
      ("focus=https://elsewhere.org/fhir/Device/9", true), ("focus=inside", false),
      ("performer=Practitioner/x", true), ("performer=Practitioner/x/_history/1", true),
      ("performer:identifier=urn:oid:9|hpr", true), ("performer:identifier=hpr", true),
      ("performer:identifier=urn:oid:8|hpr", false), ("performer:missing=false", true),
      ("device:missing=true", true),
    ] as [(String, Bool)])
  func references(_ query: String, _ isFound: Bool) throws {
    #expect(try finds(query) == isFound)
  }

  /// The parts of a composite match together.
  @Test(
    arguments: [
      ("code-value-quantity=2339-0$5.4", true), ("code-value-quantity=2339-0$gt6", false),
      ("code-value-quantity=x$5.4", false), ("code-value-quantity=x$5.4,2339-0$lt6", true),
      ("code-value-quantity=http://loinc.org|2339-0$5.4|http://unitsofmeasure.org|mmol/L", true),
      ("code-value-string=2339-0$5", false),
      ("component-code-value-quantity=c1$120", true),
      ("component-code-value-quantity=http://loinc.org|c1$ge120||beats", true),
      ("component-code-value-quantity=http://loinc.org|$lt121", true),
      ("component-code-value-quantity=|c1$120", false),
      ("component-code-value-quantity=c1$5.4", false),
      ("component-code-value-quantity=2339-0$5.4", false),
      ("component-code-value-concept=c1$120", false),
      ("combo-code-value-quantity=c1$120", true),
      ("combo-code-value-quantity=2339-0$5.4||mmol", true),
      ("combo-code-value-quantity=2339-0$120", false),
      ("combo-code-value-quantity=c1$5.4,c1$120", true),
    ] as [(String, Bool)])
  func composites(_ query: String, _ isFound: Bool) throws {
    #expect(try finds(query) == isFound)
  }

  @Test(
    arguments: [
      ("date=2026-03", true), ("date=2026-03-02", false), ("date=ne2026-03", false),
      ("date=ne2026-03-01", true), ("date=gt2026-03-04", true), ("date=gt2026-03-05", false),
      ("date=ge2026-03-04", true), ("date=ge2026-03-05", true), ("date=ge2026-03-01", true),
      ("date=lt2026-03-01", false), ("date=lt2026-03-02", true), ("date=le2026-03-01", true),
      ("date=le2026-02-28", false),
      ("date=le2026-03-05", true), ("date=sa2026-02-28", true), ("date=sa2026-03-01", false),
      ("date=eb2026-03-06", true), ("date=eb2026-03-05", false), ("date=ap2026-04", true),
      ("date=ap2026-06", false), ("date=2025,2026", true),
      ("date=ge2026-03-01&date=le2026-03-05", true), ("_lastUpdated=2026-03-01", true),
      ("_lastUpdated=gt2026-03-01", false), ("_id=o1", true), ("_id=o2", false),
      ("_id=o2,o1", true),
    ] as [(String, Bool)])
  func datesAndColumns(_ query: String, _ isFound: Bool) throws {
    #expect(try finds(query) == isFound)
  }

  @Test(
    arguments: [
      ("value-quantity=5.4", true), ("value-quantity=5.40", true), ("value-quantity=5", true),
      ("value-quantity=5.41", false), ("value-quantity=54e-1", true),
      ("value-quantity=5.4|http://unitsofmeasure.org|mmol/L", true),
      ("value-quantity=5.4|http://unitsofmeasure.org|", true),
      ("value-quantity=5.4||mmol/L", true), ("value-quantity=5.4||mmol", true),
      ("value-quantity=5.4|http://unitsofmeasure.org|mg", false),
      ("value-quantity=5.4|http://unitsofmeasure.org|mmol", false),
      ("value-quantity=gt5.4", false), ("value-quantity=ge5.4", true),
      ("value-quantity=lt5.5", true), ("value-quantity=lt5.4", false),
      ("value-quantity=le5.4", true), ("value-quantity=ne5.4", false),
      ("value-quantity=ne6", true), ("value-quantity=ap5", true), ("value-quantity=ap7", false),
      ("value-quantity=sa5.3", true), ("value-quantity=sa5.4", false),
      ("value-quantity=eb5.5", true), ("value-quantity=eb5.4", false),
      ("component-value-quantity=120.0||beats", true), ("combo-value-quantity=5.4", true),
      ("combo-value-quantity=120", true), ("value-quantity=120", false),
      ("value-quantity:missing=false", true),
    ] as [(String, Bool)])
  func quantities(_ query: String, _ isFound: Bool) throws {
    #expect(try finds(query) == isFound)
  }

  @Test(
    arguments: [
      ("_profile=http://example.org/p", true), ("_profile=http://example.org/p|2", true),
      ("_profile=http://example.org/p|3", false), ("_profile:below=http://example.org", true),
      ("_profile:below=http://example.com", false), ("_source=http://example.org/s", false),
      ("_source:above=http://example.org/s/1/2", true), ("_source:missing=true", false),
      ("_source:above=http://example.org/s", false), ("_source=http://example.org/s/1", true),
    ] as [(String, Bool)])
  func addresses(_ query: String, _ isFound: Bool) throws {
    #expect(try finds(query) == isFound)
  }

  @Test(
    arguments: [
      ("name=ode", true), ("name=Ødeg", true), ("name=BERG", true), ("name=kari,x", true),
      ("family=kari", false), ("family:exact=Ødegård", true), ("family:exact=ødegård", false),
      ("family:contains=GARD", true), ("given=ari", false), ("given:contains=ari", true),
      ("name=a%25", false), ("name=_ari", false), (#"name=Kari\,x"#, false),
      ("gender=female", true), ("gender=http://hl7.org/fhir/administrative-gender|female", true),
      ("gender=male", false), ("birthdate=1948", true), ("birthdate=1948-07-01", false),
      ("deceased=false", true), ("deceased=true", false), ("email=kari@example.org", true),
      ("phone=kari@example.org", false), ("telecom=kari@example.org", true),
      ("phone=%2B47 55 55 55 55", true), ("language=urn:ietf:bcp:47|en", true),
      ("language=nb", true), ("active=true", true), ("address:missing=true", true),
    ] as [(String, Bool)])
  func people(_ query: String, _ isFound: Bool) throws {
    #expect(try SearchSamples.finds(query, .patient, Fixtures.patient) == isFound)
  }

  @Test(
    arguments: [
      ("date=2026-03-01", true), ("authoredon=2026-02-28", true), ("intent=plan", true),
      ("intent=http://hl7.org/fhir/CodeSystem/medicationrequest-intent|plan", true),
      ("intent=order", false), ("medication:missing=true", true), ("code:missing=true", true),
    ] as [(String, Bool)])
  func prescriptions(_ query: String, _ isFound: Bool) throws {
    #expect(try SearchSamples.finds(query, .medicationRequest, Fixtures.request) == isFound)
  }

  @Test func aChainNeedsOtherResources() throws {
    let index = SearchIndex(entries: [])
    let record = SearchSamples.record(id: "o1", status: nil)
    for query in ["subject:Patient.name=x", "_has:Provenance:target:agent=x"] {
      let request = try SearchSamples.parse(query, .observation)
      let criterion = try #require(request.criteria.first)
      #expect(index.matches(criterion, record: record) == nil)
    }
  }

  @Test func anIndexWithoutTypeTakesPatientAndSubjectAsTheOwner() throws {
    let index = SearchIndex(entries: [])
    let record = SearchSamples.record(id: "c1", status: "active")
    let query = "patient=p-1&subject=Patient/p-1&status=active"
    for criterion in try SearchSamples.parse(query, .communication).criteria {
      #expect(index.matches(criterion, record: record) == true)
    }
  }

  @Test func `one of several alternatives must match as a whole`() throws {
    let json = try JSONValue(parsing: SearchSamples.observation)
    let index = SearchIndex(of: json, type: .observation)
    let record = SearchedRecord(id: "o1", patient: "p-1", status: "final", lastUpdated: 0)
    func finds(_ alternatives: [[SearchCriterion]]) -> Bool? {
      index.matches(.anyOf(alternatives), record: record)
    }
    func code(_ code: String) -> SearchCriterion {
      SearchCriterion(
        parameter: "code", test: .token([TokenSearchValue(system: nil, code: code)]))
    }
    let isMine = SearchCriterion(parameter: "_id", test: .ids(["o1"]))
    let chain = SearchCriterion(
      parameter: "subject", test: .chain(target: .patient, isMine))
    #expect(finds([]) == false)
    #expect(finds([[]]) == true)
    #expect(finds([[code("2339-0")]]) == true && finds([[code("x")]]) == false)
    #expect(finds([[code("x")], [code("2339-0")]]) == true)
    #expect(finds([[code("2339-0"), isMine]]) == true)
    #expect(finds([[code("x"), isMine], [code("2339-0"), code("x")]]) == false)
    #expect(finds([[.anyOf([[isMine]])]]) == true)
    // A chain needs other resources, so it never matches here.
    #expect(finds([[chain]]) == false && finds([[chain], [isMine]]) == true)
  }
}
