// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

@Suite struct ServedTypeTests {
  private static let withoutText: Set<ResourceType> = [.binary, .bundle, .parameters]

  private func issues(_ value: JSONValue, _ type: ResourceType) -> [String] {
    ResourceValidator.issues(in: value, expecting: type).map {
      "\($0.code.rawValue) \($0.expression ?? "")"
    }
  }

  @Test func `every served type has a valid example`() {
    #expect(Set(Fixtures.valid.map { $0.0 }) == Set(ResourceType.allCases))
    #expect(Fixtures.valid.count == ResourceType.allCases.count)
  }

  @Test(arguments: Fixtures.valid)
  func `elements that FHIR does not have are refused`(type: ResourceType, text: String) throws {
    let name = type.rawValue
    let valid = try JSONValue(parsing: text)
    var value = valid
    value["colour"] = "red"
    #expect(issues(value, type) == ["structure \(name).colour"])
    value = valid
    value["language"] = JSONValue.null
    #expect(issues(value, type) == ["structure \(name).language"])
    value = valid
    value["meta"] = ["tag": []]
    #expect(issues(value, type) == ["structure \(name).meta.tag"])
    value = valid
    value["meta"] = ["lastUpdated": "2026-02-30T08:00:00Z"]
    #expect(issues(value, type) == ["value \(name).meta.lastUpdated"])
    value = valid
    value["meta"] = ["security": [["id": "a"]]]
    #expect(issues(value, type) == ["structure \(name).meta.security[0]"])
  }

  @Test(arguments: Fixtures.valid)
  func `scripts and unknown modifiers are refused`(type: ResourceType, text: String) throws {
    let name = type.rawValue
    let hasText = !Self.withoutText.contains(type)
    var value = try JSONValue(parsing: text)
    value["modifierExtension"] = [["url": "http://example.org/m", "valueBoolean": true]]
    #expect(
      issues(value, type) == [
        hasText ? "extension \(name).modifierExtension[0]" : "structure \(name).modifierExtension"
      ])
    value["modifierExtension"] = nil
    value["text"] = [
      "status": "generated",
      "div": "<div xmlns='http://www.w3.org/1999/xhtml'>a<script>alert(1)</script></div>",
    ]
    #expect(issues(value, type) == [hasText ? "value \(name).text.div" : "structure \(name).text"])
  }

  @Test(arguments: Fixtures.valid)
  func `a resource is checked as well inside a Bundle and Parameters`(
    type: ResourceType, text: String
  ) throws {
    var inner = try JSONValue(parsing: text)
    let place = "Bundle.entry[0].resource"
    var bundle: JSONValue = ["resourceType": "Bundle", "type": "batch"]
    func entry(_ resource: JSONValue) -> JSONValue {
      [["resource": resource, "request": ["method": "POST", "url": .string(type.rawValue)]]]
    }
    bundle["entry"] = entry(inner)
    #expect(issues(bundle, .bundle) == [])
    inner["colour"] = "red"
    bundle["entry"] = entry(inner)
    #expect(issues(bundle, .bundle) == ["structure \(place).colour"])
    let parameters: JSONValue = [
      "resourceType": "Parameters", "parameter": [["name": "resource", "resource": inner]],
    ]
    #expect(
      issues(parameters, .parameters).contains(
        "structure Parameters.parameter[0].resource.colour"))
  }

  /// Each row replaces text of the example: the type, the old and new text, the issue's code and element.
  static let rows: [(ResourceType, String, String, String, String)] = [
    (.medicationStatement, #""status":"active""#, #""status":"taken""#, "code-invalid", "status"),
    (.medicationStatement, #""status":"active","#, "", "required", "status"),
    (.medicationStatement, "2026-03-01", "2026-13-01", "value", "dateAsserted"),
    (.medicationStatement, "Patient/p-1", "Practitioner/p-1", "value", "subject.reference"),
    (
      .medicationStatement, #""effectivePeriod":{"start":"2026-01"}"#,
      #""effectivePeriod":{"start":"2026-01"},"effectiveDateTime":"2026""#, "structure", "effective"
    ),
    (.condition, #""subject":{"reference":"Patient/p-1"},"#, "", "required", "subject"),
    (.condition, #""onsetAge""#, #""onsetString":"x","onsetAge""#, "structure", "onset"),
    (.communication, #""completed""#, #""sent""#, "code-invalid", "status"),
    (
      .communication, #"{"contentString":"Please call"}"#, #"{"id":"a"}"#,
      "structure", "payload[0]"
    ),
    (.practitioner, #""female""#, #""f""#, "code-invalid", "gender"),
    (.practitioner, #""birthDate":"1970""#, #""birthDate":"70""#, "value", "birthDate"),
    (.practitionerRole, #""mon""#, #""monday""#, "code-invalid", "availableTime[0].daysOfWeek[0]"),
    (
      .practitionerRole, #"{"description":"Easter"}"#, #"{"during":{"start":"2026"}}"#, "required",
      "notAvailable[0].description"
    ),
    (.relatedPerson, #""patient":{"reference":"Patient/p-1"},"#, "", "required", "patient"),
    (.careTeam, #""active""#, #""on""#, "code-invalid", "status"),
    (.consent, #""permit""#, #""allow""#, "code-invalid", "provision.type"),
    (.consent, #""instance""#, #""all""#, "code-invalid", "provision.provision[0].data[0].meaning"),
    (.consent, #","category":[{"text":"share"}]"#, "", "required", "category"),
    (.device, #""barcode""#, #""scan""#, "code-invalid", "udiCarrier[0].entryType"),
    (.device, #""model-name""#, #""name""#, "code-invalid", "deviceName[0].type"),
    (.device, #"[{"value":80,"unit":"%"}]"#, "[]", "structure", "property[0].valueQuantity"),
    (.deviceMetric, #""on""#, #""up""#, "code-invalid", "operationalStatus"),
    (.deviceMetric, #""red""#, #""pink""#, "code-invalid", "color"),
    (.deviceMetric, #""measurement""#, #""other""#, "code-invalid", "category"),
    (.deviceMetric, "Device/dv-1", "Patient/p-1", "value", "source.reference"),
    (.questionnaire, #""active""#, #""open""#, "code-invalid", "status"),
    (.questionnaire, #"["Patient"]"#, #"["Person X"]"#, "code-invalid", "subjectType[0]"),
    (.questionnaire, #""choice""#, #""question""#, "code-invalid", "item[0].item[0].type"),
    (
      .questionnaire, #""exists""#, #""==""#,
      "code-invalid", "item[0].item[1].enableWhen[0].operator"
    ),
    (.questionnaireResponse, #""completed""#, #""done""#, "code-invalid", "status"),
    (
      .questionnaireResponse, #"{"linkId":"1.1.1","#, "{", "required",
      "item[0].item[0].answer[0].item[0].linkId"
    ),
    (.provenance, #""source""#, #""origin""#, "code-invalid", "entity[0].role"),
    (.provenance, #"[{"reference":"MedicationRequest/m1"}]"#, "[]", "structure", "target"),
    (.auditEvent, #""R""#, #""X""#, "code-invalid", "action"),
    (.auditEvent, #""outcome":"0""#, #""outcome":"1""#, "code-invalid", "outcome"),
    (.auditEvent, #""requestor":true,"#, "", "required", "agent[0].requestor"),
    (.auditEvent, #""type":"2""#, #""type":"9""#, "code-invalid", "agent[0].network.type"),
    (.binary, #""contentType":"text/plain","#, "", "required", "contentType"),
    (.binary, "aGVsbG8=", "hello", "value", "data"),
    (.composition, #""N""#, #""secret""#, "code-invalid", "confidentiality"),
    (.composition, #""working""#, #""draft""#, "code-invalid", "section[0].mode"),
    (.composition, #""replaces""#, #""copies""#, "code-invalid", "relatesTo[0].code"),
    (.composition, #""legal""#, #""me""#, "code-invalid", "attester[0].mode"),
    (.bundle, #""transaction""#, #""list""#, "code-invalid", "type"),
    (.bundle, #""POST""#, #""post""#, "code-invalid", "entry[0].request.method"),
    (
      .bundle, #""subject":{"reference":"Patient?identifier=a|1"}"#, #""subject":{}"#,
      "structure", "entry[0].resource.subject"
    ),
    (
      .bundle, ##""#m""##, ##""#n""##,
      "invariant", "entry[0].resource.medication.ofType(Reference).reference"
    ),
    (.bundle, #""Slot","#, #""Place","#, "structure", "entry[1].resource"),
    (.bundle, #""free""#, "null", "structure", "entry[1].resource.status"),
    (.subscription, #""requested""#, #""new""#, "code-invalid", "status"),
    (.subscription, #""rest-hook""#, #""call""#, "code-invalid", "channel.type"),
    (.group, #""person""#, #""people""#, "code-invalid", "type"),
    (.group, #""exclude":false"#, #""exclude":"no""#, "structure", "characteristic[0].exclude"),
    (.operationOutcome, #""error""#, #""bad""#, "code-invalid", "issue[0].severity"),
    (.operationOutcome, #""not-found""#, #""404""#, "code-invalid", "issue[0].code"),
    (.parameters, "72.10", #""72.10""#, "structure", "parameter[0].value.ofType(decimal)"),
    (.parameters, #"{"name":"d","#, "{", "required", "parameter[2].part[0].name"),
  ]

  @Test(arguments: rows)
  func `the wrong element is named`(
    type: ResourceType, old: String, new: String, code: String, element: String
  ) throws {
    let text = try #require(Fixtures.valid.first { $0.0 == type }?.1)
    let changed = text.replacing(old, with: new, maxReplacements: 1)
    try #require(changed != text)
    let found = issues(try JSONValue(parsing: changed), type)
    #expect(found.contains("\(code) \(type.rawValue).\(element)"), "\(found)")
  }
}
