// SPDX-License-Identifier: Apache-2.0
import FHIR
import Plans
import Prescriptions
import Testing
import TestSupport

struct ImportReadingTests {
  typealias Fix = ImportFixtures

  private static func json(_ content: [UInt8]) throws -> JSONValue {
    try JSONValue(parsing: content)
  }

  @Test func `a transaction with urn references gives a self-contained plan`() throws {
    let request = Fix.request(
      medicine:
        #""medicationReference":{"reference":"urn:uuid:22222222-2222-4222-8222-222222222222"}"#,
      extra: #""requester":{"reference":"urn:uuid:33333333-3333-4333-8333-333333333333"},"#)
    let file = Fix.file([
      Fix.entry(request, url: "urn:uuid:44444444-4444-4444-8444-444444444444"),
      Fix.patient, Fix.medication, Fix.practitioner,
      Fix.entry(#"{"resourceType":"Observation","status":"final"}"#),
    ])
    #expect(file.problems == [])
    #expect(file.entryCount == 5)
    #expect(file.ignored == ["Practitioner": 1, "Observation": 1])
    #expect(file.subjects.map(\.name) == ["Ann Example"])
    let prescription = try #require(file.prescriptions.first)
    #expect(prescription.number == 1)
    #expect(prescription.subject == file.subjects.first?.key)
    #expect(prescription.keys.first == "urn:uuid:44444444-4444-4444-8444-444444444444")
    let view = MedicationRequestView(try Self.json(prescription.content))
    #expect(view.medicationName == "Metoprolol 50 mg")
    #expect(view.medication.contained != nil)
    #expect(view.json["requester"]?["display"]?.string == "Dr. Berg")
    #expect(view.id == nil)
  }

  @Test(arguments: [
    (
      #"{"resourceType":"MedicationOrder","id":"o","status":"active","patient":{"reference":"Patient/1"},"medicationCodeableConcept":{"text":"x"},"dosageInstruction":[{"timing":{"repeat":{"frequency":1,"period":1,"periodUnits":"d"}},"doseQuantity":{"value":1}}]}"#,
      "Patient/1"
    ),
    (Fix.request(subject: "Patient/9"), "Patient/9"),
    (
      #"{"resourceType":"MedicationRequest","status":"active","intent":"plan","medicationCodeableConcept":{"text":"x"},"subject":{"identifier":{"system":"urn:mrn","value":"7"}}}"#,
      "urn:mrn|7"
    ),
    (
      ##"{"resourceType":"MedicationRequest","contained":[{"resourceType":"Patient","id":"p","identifier":[{"system":"urn:mrn","value":"8"}]}],"status":"active","intent":"plan","medicationCodeableConcept":{"text":"x"},"subject":{"reference":"#p"}}"##,
      "urn:mrn|8"
    ),
  ])
  func `a single resource is read whatever its patient reference`(text: String, subject: String) {
    let file = Fix.file(text)
    #expect(file.problems == [])
    #expect(file.prescriptions.map(\.subject) == [subject])
    #expect(file.subjects.map(\.key) == [subject])
  }

  @Test(arguments: [
    (#"{"resourceType":"MedicationRequest"}"#, "invalid"),
    (#"{"id":"x"}"#, "not-fhir"),
    (#"{"resourceType":"Bundle","type":"collection"}"#, "nested-bundle"),
    (
      #"{"resourceType":"MedicationRequest","status":"active","intent":"order","medication":{"concept":{"text":"x"}},"subject":{"reference":"Patient/1"}}"#,
      "other-version"
    ),
    (
      #"{"resourceType":"MedicationRequest","status":"active","intent":"order","medicationCodeableConcept":{"text":"x"},"subject":{"reference":"Patient/1"},"requester":{"agent":{"reference":"Practitioner/1"}}}"#,
      "other-version"
    ),
    (
      #"{"resourceType":"MedicationRequest","status":"active","intent":"order","medicationReference":{"reference":"Medication/9"},"subject":{"reference":"Patient/1"}}"#,
      "medication-missing"
    ),
    (
      #"{"resourceType":"MedicationRequest","status":"active","intent":"order","medicationReference":{"reference":"urn:uuid:99999999-2222-4222-8222-222222222222"},"subject":{"reference":"Patient/1"}}"#,
      "medication-missing"
    ),
    (
      ##"{"resourceType":"MedicationRequest","contained":[{"resourceType":"Medication","id":"a","ingredient":[{"itemReference":{"reference":"#b"}}]},{"resourceType":"Medication","id":"b","ingredient":[{"itemReference":{"reference":"#a"}}]}],"status":"active","intent":"order","medicationReference":{"reference":"#a"},"subject":{"reference":"Patient/1"}}"##,
      "cyclic-reference"
    ),
    (
      #"{"resourceType":"MedicationRequest","status":"active","intent":"order","medicationCodeableConcept":{"text":"x"},"subject":{"display":"somebody"}}"#,
      "no-patient"
    ),
    (
      #"{"resourceType":"MedicationRequest","status":"active","intent":"order","medicationCodeableConcept":{"text":"x"},"subject":{"reference":"Patient/1"},"dosageInstruction":[{"timing":{"repeat":{"frequency":0,"period":1,"periodUnit":"d"}}}]}"#,
      "invalid"
    ),
    (
      #"{"resourceType":"MedicationRequest","status":"active","intent":"order","medicationCodeableConcept":{"text":"x"},"subject":{"reference":"Patient/1"},"dosageInstruction":[{"doseAndRate":[{"doseQuantity":{"value":0}}]}]}"#,
      "dose"
    ),
    (#"{"resourceType":"MedicationAdministration","status":"completed"}"#, "invalid"),
  ])
  func `an invalid entry is reported, and the valid one is kept`(wrong: String, code: String) {
    let file = Fix.file([Fix.entry(wrong), Fix.entry(Fix.request(subject: "Patient/1"))])
    #expect(file.problems.map { "\($0.number) \($0.reason.code)" } == ["1 \(code)"])
    #expect(file.prescriptions.map(\.number) == [2])
  }

  @Test func `medicines that consist of each other are refused`() {
    func medicine(_ number: Int, of other: Int) -> String {
      Fix.entry(
        #"{"resourceType":"Medication","id":"m\#(number)","code":{"text":"x"},"ingredient":[{"itemReference":{"reference":"Medication/m\#(other)"}}]}"#
      )
    }
    let request = Fix.request(
      medicine: #""medicationReference":{"reference":"Medication/m1"}"#)
    let circle = Fix.file([Fix.entry(request), Fix.patient, medicine(1, of: 2), medicine(2, of: 1)])
    #expect(circle.problems.map(\.reason) == [.cyclicReference])
    #expect(circle.prescriptions.isEmpty)
    let chain = Fix.file([
      Fix.entry(request), Fix.patient, medicine(1, of: 2),
      Fix.entry(#"{"resourceType":"Medication","id":"m2","code":{"text":"active part"}}"#),
    ])
    #expect(chain.problems.isEmpty)
    #expect(chain.prescriptions.count == 1)
  }

  @Test func `a second entry with the same URL is reported`() {
    let one = Fix.entry(Fix.request(), url: "https://h/fhir/MedicationRequest/1")
    let file = Fix.file([one, one, Fix.patient])
    #expect(file.prescriptions.count == 1)
    #expect(file.problems.map(\.reason) == [.duplicate])
  }

  @Test func `an identifier shared by several prescriptions identifies none`() {
    let shared = #""identifier":[{"system":"urn:portal","value":"1"}],"#
    let file = Fix.file([
      Fix.entry(Fix.request(id: "a", extra: shared)),
      Fix.entry(Fix.request(id: "b", extra: shared)),
      Fix.patient,
    ])
    #expect(
      file.prescriptions.map { $0.keys.first } == ["MedicationRequest/a", "MedicationRequest/b"])
    #expect(file.prescriptions.allSatisfy { $0.keys.isWeak })
    let alone = Fix.file([Fix.entry(Fix.request(id: "a", extra: shared)), Fix.patient])
    #expect(alone.prescriptions.map { $0.keys.first } == ["urn:portal|1"])
  }

  @Test func `administrations are kept with their prescription`() {
    let file = Fix.file([
      Fix.entry(
        Fix.administration(id: "1", request: "urn:uuid:44444444-4444-4444-8444-444444444444")),
      Fix.entry(Fix.request(), url: "urn:uuid:44444444-4444-4444-8444-444444444444"),
      Fix.entry(Fix.administration(id: "2")), Fix.patient,
    ])
    #expect(file.problems.isEmpty)
    #expect(file.prescriptions.first?.administrations.map(\.number) == [1])
    #expect(file.administrations.map(\.number) == [3])
  }

  @Test func `equal content has the same digest from any source`() {
    let first = Fix.file([Fix.entry(Fix.request(id: "a")), Fix.patient]).prescriptions.first
    let again = Fix.file(
      Fix.request(id: "b", subject: "Patient/1", extra: #""meta":{"versionId":"7"},"#)
    ).prescriptions.first
    let other = Fix.file(Fix.request(id: "a", times: ["09:00:00"], subject: "Patient/1"))
      .prescriptions.first
    #expect(first?.digest == again?.digest)
    #expect(first?.digest != other?.digest)
  }

  @Test func `very many small entries are counted one by one`() {
    var reading = ImportReading()
    var stream = ResourceStream()
    stream.append(Array(#"{"resourceType":"Bundle","entry":["#.utf8)) { reading.add($0) }
    let thousand = Array(
      String(repeating: #"{"resource":{"resourceType":"Basic"}},"#, count: 1_000).utf8)
    for _ in 0..<20 { stream.append(thousand) { reading.add($0) } }
    stream.append(Array(#"{"resource":{"a":1}},"#.utf8)) { reading.add($0) }
    stream.append(Array("\(Fix.entry(Fix.request(subject: "Patient/1")))]}".utf8)) {
      reading.add($0)
    }
    let file = reading.result(hasFurtherPages: false)
    #expect(file.entryCount == 20_002)
    #expect(file.ignored == ["Basic": 20_000])
    #expect(file.problems.map(\.number) == [20_001])
    #expect(file.prescriptions.map(\.number) == [20_002])
  }
}
