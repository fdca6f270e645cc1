// SPDX-License-Identifier: Apache-2.0
import FHIR
import Plans
import Prescriptions
import Testing
import TestSupport

/// Files in the shapes of Austria's ELGA e-Medikation, the International Patient Summary and US Core.
struct NationalShapeTests {
  typealias Fix = ImportFixtures

  private static func view(_ prescription: ImportPrescription) throws -> MedicationRequestView {
    MedicationRequestView(try JSONValue(parsing: prescription.content))
  }

  // MARK: ELGA e-Medikation

  private static let elga = "https://elga.example/fhir"

  /// Returns an entry of a medication plan, or a planned dispense for one.
  private static func planEntry(
    _ id: String, _ name: String, dosages: String, category: String = "1", more: String = ""
  ) -> String {
    Fix.entry(
      ##"{"resourceType":"MedicationRequest","id":"\##(id)","meta":{"profile":["https://elga.example/StructureDefinition/planeintrag"]},"contained":[{"resourceType":"Medication","id":"mittel","code":{"coding":[{"system":"https://termgit.elga.gv.at/CodeSystem/asp-liste","code":"99\##(id)","display":"\##(name)"}]},"form":{"coding":[{"system":"https://termgit.elga.gv.at/CodeSystem/medikationdarreichungsform","code":"10219000","display":"Tablette"}]}}],"extension":[{"url":"http://hl7.org/fhir/5.0/StructureDefinition/extension-MedicationRequest.renderedDosageInstruction","valueMarkdown":"Dosierung"},{"url":"http://hl7.org/fhir/5.0/StructureDefinition/extension-MedicationRequest.effectiveDosePeriod","valuePeriod":{"start":"2026-03-01","end":"2026-03-20"}}],"identifier":[{"value":"4711_\##(id)"}],"status":"active","intent":"order","category":[{"coding":[{"system":"https://elga.example/CodeSystem/category","code":"\##(category)"}]}],"reportedBoolean":false,"medicationReference":{"reference":"#mittel"},"subject":{"reference":"Patient/p"},"authoredOn":"2026-02-27T10:20:00+00:00",\##(more)"dosageInstruction":[\##(dosages)]}"##,
      url: "\(elga)/MedicationRequest/\(id)")
  }

  private static func dose(_ when: String, _ amount: String, sequence: Int = 1) -> String {
    #"{"extension":[{"url":"https://elga.example/StructureDefinition/dosage-category","valueCodeableConcept":{"coding":[{"code":"standard"}]}}],"sequence":\#(sequence),"timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"d","when":["\#(when)"]}},"doseAndRate":[{"doseQuantity":{"value":\#(amount),"unit":"Stück","system":"http://unitsofmeasure.org","code":"{Stueck}"}}]}"#
  }

  private static let elgaPatient = Fix.entry(
    #"{"resourceType":"Patient","id":"p","identifier":[{"system":"urn:oid:1.2.40.0.10.1.4.3.1","value":"1234010150"}],"name":[{"family":"Example","given":["Ann"]}],"birthDate":"1948-07-02"}"#,
    url: "\(elga)/Patient/p")

  private static let twice =
    #"{"timing":{"repeat":{"frequency":2,"period":1,"periodUnit":"d","when":["MORN","EVE"]}},"doseAndRate":[{"doseQuantity":{"value":1,"unit":"Stück","system":"http://unitsofmeasure.org","code":"{Stueck}"}}]}"#

  @Test func `a plan of morning, noon, evening and night`() async throws {
    let place = try await TestPlace()
    let scheme = [("MORN", "1"), ("NOON", "0"), ("EVE", "2"), ("NIGHT", "0.5")]
    let weekly =
      #"{"sequence":1,"timing":{"repeat":{"frequency":4,"period":1,"periodUnit":"wk","dayOfWeek":["mon","fri"],"when":["MORN","EVE"]}},"doseAndRate":[{"doseQuantity":{"value":1,"unit":"Stück"}}]}"#
    let report = try await place.take(
      Fix.bundle(
        [
          Self.elgaPatient, Self.planEntry("a", "Alphamed TBL 10MG", dosages: Self.twice),
          Self.planEntry(
            "b", "Betamed TBL 5MG",
            dosages: scheme.map { Self.dose($0.0, $0.1) }.joined(separator: ",")),
          Self.planEntry("c", "Gammamed TBL 2MG", dosages: weekly),
          Self.planEntry(
            "d", "Deltamed TBL 1MG", dosages: #"{"text":"2 Stück morgens zum Frühstück"}"#),
        ], type: "searchset"), accept: true)
    #expect(report.problems == [])
    #expect(report.accepted == 4)
    #expect(report.unplanned.map(\.number) == [5])
    let plans = try await place.plans()
    func request(_ name: String) throws -> MedicationRequestView {
      try #require(plans.first { $0.medicineName.contains(name) }).request
    }
    let alpha = try request("Alphamed")
    #expect(alpha.dosages.first?.timing?.when == ["MORN", "EVE"])
    // The stated period ends the reminders.
    #expect(alpha.dosages.first?.timing?.boundsPeriodStart == "2026-03-01")
    #expect(alpha.dosages.first?.timing?.boundsPeriodEnd == "2026-03-20")
    let beta = try request("Betamed")
    #expect(beta.dosages.compactMap(\.timing?.when) == [["MORN"], ["EVE"], ["NIGHT"]])
    #expect(beta.dosages.map(\.doseQuantity?.valueText) == ["1", "2", "0.5"])
    #expect(beta.dosages.allSatisfy { $0.timing?.boundsPeriodEnd == "2026-03-20" })
  }

  @Test func `a planned dispense is not a second medicine`() async throws {
    let place = try await TestPlace()
    let basis =
      #""groupIdentifier":{"value":"WXYZ"},"basedOn":[{"reference":"MedicationRequest/a"}],"#
    let entry = Self.planEntry("a", "Alphamed TBL 10MG", dosages: Self.twice)
    let dispense = Self.planEntry(
      "x", "Alphamed TBL 10MG", dosages: Self.twice, category: "2", more: basis)
    let report = try await place.take(
      Fix.bundle([Self.elgaPatient, dispense, entry]), accept: true)
    #expect(report.problems.map(\.reason) == [.covered])
    #expect(try await place.plans().count == 1)
    // It is recognised without its entry too.
    let later = try await place.take(Fix.bundle([Self.elgaPatient, dispense]), accept: true)
    #expect(later.unchanged == 1 && later.problems == [])
    #expect(try await place.plans().count == 1)
    // One for another medicine counts.
    let other = Self.planEntry(
      "y", "Betamed TBL 5MG", dosages: Self.twice, category: "2", more: basis)
    #expect(
      try await place.take(Fix.bundle([Self.elgaPatient, other]), accept: true).accepted == 1)
  }

  @Test func `a planned dispense without its entry is a prescription`() async throws {
    let place = try await TestPlace()
    let dispense = Self.planEntry(
      "x", "Alphamed TBL 10MG", dosages: Self.twice, category: "2",
      more: #""basedOn":[{"reference":"MedicationRequest/a"}],"#)
    let report = try await place.take(Fix.bundle([Self.elgaPatient, dispense]), accept: true)
    #expect(report.accepted == 1 && report.problems == [])
  }

  @Test func `steps get the period at their ends, and a single zero is refused`() throws {
    let steps = "\(Self.dose("MORN", "1")),\(Self.dose("MORN", "2", sequence: 2))"
    let file = Fix.file([Self.elgaPatient, Self.planEntry("a", "Alphamed", dosages: steps)])
    let dosages = try Self.view(try #require(file.prescriptions.first)).dosages
    #expect(dosages.map(\.timing?.boundsPeriodStart) == ["2026-03-01", nil])
    #expect(dosages.map(\.timing?.boundsPeriodEnd) == [nil, "2026-03-20"])
    let zero = Fix.file([
      Self.elgaPatient, Self.planEntry("b", "Betamed", dosages: Self.dose("MORN", "0")),
    ])
    #expect(zero.problems.map(\.reason) == [.dose])
  }

  // MARK: International Patient Summary

  private static func statement(
    _ number: Int, _ medicine: String, status: String = "active", more: String = ""
  ) -> String {
    Fix.entry(
      #"{"resourceType":"MedicationStatement","status":"\#(status)",\#(medicine),"subject":{"reference":"urn:uuid:11111111-1111-4111-8111-111111111111"},\#(more)"dosage":[{"text":"1 tablet in the morning","timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"d","when":["MORN"]}},"route":{"coding":[{"system":"http://standardterms.edqm.eu","code":"20053000","display":"Oral use"}]},"doseAndRate":[{"doseQuantity":{"value":1,"unit":"tablet","system":"http://unitsofmeasure.org","code":"1"}}]}]}"#,
      url: "urn:uuid:5555555\(number)-5555-4555-8555-555555555555")
  }

  private static let composition = Fix.entry(
    #"{"resourceType":"Composition","status":"final","type":{"coding":[{"system":"http://loinc.org","code":"60591-5"}]},"subject":{"reference":"urn:uuid:11111111-1111-4111-8111-111111111111"},"date":"2026-02-27T09:00:00Z","author":[{"display":"Dr. Berg"}],"title":"Patient Summary","section":[{"title":"Medication","code":{"coding":[{"system":"http://loinc.org","code":"10160-0"}]},"entry":[{"reference":"urn:uuid:55555551-5555-4555-8555-555555555555"}]}]}"#,
    url: "urn:uuid:99999999-9999-4999-8999-999999999999")

  private static let named =
    #""medicationReference":{"reference":"urn:uuid:22222222-2222-4222-8222-222222222222"}"#

  @Test func `a patient summary's statements become proposals`() async throws {
    let place = try await TestPlace()
    let absent =
      #""medicationCodeableConcept":{"coding":[{"system":"http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips","code":"no-known-medications"}]}"#
    let summary = Fix.bundle(
      [
        Self.composition, Fix.patient, Fix.medication,
        Self.statement(
          1, Self.named, more: #""effectivePeriod":{"start":"2026-01-05","end":"2026-04-30"},"#),
        Self.statement(
          2, #""medicationCodeableConcept":{"text":"Zinc"}"#, status: "stopped",
          more: #""effectivePeriod":{"start":"2025-01-05"},"#),
        Self.statement(
          3, absent,
          more:
            #""_effectiveDateTime":{"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/data-absent-reason","valueCode":"unknown"}]},"#
        ),
      ], type: "document")
    let report = try await place.take(summary)
    #expect(report.problems == [])
    #expect(report.ignored["MedicationStatement"] == 1)
    #expect(report.proposed == 1 && report.ended == 1)
    let proposal = try #require(try await place.openProposals().first)
    #expect(proposal.request.medicationName == "Metoprolol 50 mg")
    #expect(proposal.request.json["reportedBoolean"]?.bool == true)
    #expect(proposal.request.dosages.first?.timing?.boundsPeriodEnd == "2026-04-30")
    _ = try await place.accept(proposal.id)
    #expect(try await place.take(summary).unchanged == 2)
  }

  @Test func `a statement about a request in the document is left to the request`() throws {
    let request = Fix.entry(
      Fix.request(medicine: Self.named), url: "urn:uuid:44444444-4444-4444-8444-444444444444")
    let file = Fix.file([
      Self.composition, Fix.patient, Fix.medication, request,
      Self.statement(
        1, Self.named,
        more:
          #""derivedFrom":[{"reference":"urn:uuid:44444444-4444-4444-8444-444444444444"}],"#),
    ])
    #expect(file.prescriptions.count == 1)
    #expect(file.problems.map(\.reason) == [.covered])
  }

  @Test func `a statement that is no R4 is refused with its element`() throws {
    let file = Fix.file([
      Fix.patient,
      Self.statement(1, #""medicationCodeableConcept":{"text":"Zinc"}"#, more: #""taken":"y","#),
    ])
    #expect(file.prescriptions.isEmpty)
    let problem = try #require(file.problems.first)
    #expect(problem.type == "MedicationStatement" && problem.reason.code == "invalid")
    #expect(problem.reason.detail?.contains("MedicationStatement") == true)
  }

  @Test func `a statement and a request with one id are two prescriptions`() throws {
    let stated =
      #"{"resourceType":"MedicationStatement","id":"r1","status":"active","medicationCodeableConcept":{"text":"Zinc"},"subject":{"reference":"Patient/1"}}"#
    let file = Fix.file([
      Fix.entry(Fix.request(id: "r1", subject: "Patient/1")), Fix.entry(stated),
    ])
    #expect(file.problems == [])
    #expect(
      file.prescriptions.map(\.keys.first) == ["MedicationRequest/r1", "MedicationStatement/r1"])
  }

  // MARK: US Core

  private static let lisinopril =
    #"{"coding":[{"system":"http://www.nlm.nih.gov/research/umls/rxnorm","code":"314076","display":"lisinopril 10 MG Oral Tablet"}]}"#

  private static func american(_ id: String, _ medicine: String, more: String = "") -> String {
    Fix.entry(
      #"{"resourceType":"MedicationRequest","id":"\#(id)","meta":{"profile":["http://hl7.org/fhir/us/core/StructureDefinition/us-core-medicationrequest"]},\#(more)"status":"active","intent":"order","category":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/medicationrequest-category","code":"community"}]}],"reportedBoolean":true,\#(medicine),"subject":{"reference":"Patient/u1"},"encounter":{"reference":"Encounter/e1"},"authoredOn":"2026-02-20","requester":{"reference":"Practitioner/d1"},"dosageInstruction":[{"sequence":1,"text":"one by mouth daily","asNeededBoolean":false,"timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"d"},"code":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation","code":"QD"}]}},"doseAndRate":[{"type":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/dose-rate-type","code":"ordered"}]},"doseQuantity":{"value":1,"unit":"tablet"}}]}]}"#,
      url: "https://us.example/fhir/MedicationRequest/\(id)")
  }

  @Test func `coded, contained and bundled medicines are named`() throws {
    let file = Fix.file([
      Fix.entry(
        #"{"resourceType":"Patient","id":"u1","name":[{"family":"Example","given":["Ann"]}]}"#,
        url: "https://us.example/fhir/Patient/u1"),
      Fix.entry(
        #"{"resourceType":"Practitioner","id":"d1","name":[{"family":"Berg","given":["Eva"]}]}"#,
        url: "https://us.example/fhir/Practitioner/d1"),
      Fix.entry(
        #"{"resourceType":"Medication","id":"m1","status":"active","code":\#(Self.lisinopril)}"#,
        url: "https://us.example/fhir/Medication/m1"),
      Self.american("1", #""medicationCodeableConcept":\#(Self.lisinopril)"#),
      Self.american("2", #""medicationReference":{"reference":"Medication/m1"}"#),
      Self.american(
        "3", ##""medicationReference":{"reference":"#m"}"##,
        more: #""contained":[{"resourceType":"Medication","id":"m","code":\#(Self.lisinopril)}],"#),
      Self.american("4", #""medicationReference":{"reference":"Medication/elsewhere"}"#),
    ])
    #expect(file.prescriptions.count == 3)
    for prescription in file.prescriptions {
      let view = try Self.view(prescription)
      #expect(view.medicationName == "lisinopril 10 MG Oral Tablet")
      #expect(view.medicationCodes.contains { $0.code == "314076" })
      #expect(view.json["requester"]?["display"]?.string == "Eva Berg")
      #expect(view.json["reportedBoolean"]?.bool == true)
    }
    #expect(file.problems.map(\.number) == [7])
    #expect(file.problems.map(\.reason) == [.medicationMissing])
  }

  @Test func `a supply that ends is asked about`() async throws {
    let place = try await TestPlace()
    let supply =
      #""dispenseRequest":{"numberOfRepeatsAllowed":1,"quantity":{"value":30,"unit":"tablet"},"expectedSupplyDuration":{"value":30,"unit":"days","system":"http://unitsofmeasure.org","code":"d"}},"#
    let report = try await place.take(
      Self.american("1", #""medicationCodeableConcept":\#(Self.lisinopril)"#, more: supply)
        .asBundle, accept: true)
    #expect(report.proposed == 1 && report.accepted == 0)
  }
}

extension String {
  /// A Bundle with this as its only entry.
  fileprivate var asBundle: String { ImportFixtures.bundle([self]) }
}
