// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

/// A change of the valid example of a type, and the element that it breaks; empty for the resource.
struct BrokenExample: Sendable {
  var type: ResourceType
  var old: String
  var new: String
  var element: String

  init(_ type: ResourceType, _ old: String, _ new: String, _ element: String) {
    self.type = type
    self.old = old
    self.new = new
    self.element = element
  }

  /// The changed example; nil if the example does not have the text.
  func value() throws -> JSONValue? {
    guard let text = Fixtures.valid.first(where: { $0.0 == type })?.1, text.contains(old) else {
      return nil
    }
    return try JSONValue(parsing: text.replacing(old, with: new, maxReplacements: 1))
  }

  var expression: String { element.isEmpty ? type.rawValue : "\(type.rawValue).\(element)" }
}

@Suite struct InvariantTests {
  private static let allergyBase = "http://terminology.hl7.org/CodeSystem/allergyintolerance-"
  private static let conditionBase = "http://terminology.hl7.org/CodeSystem/condition-"
  private static let deletion = #"{"request":{"method":"DELETE","url":"Condition/c-1"}}"#

  static let clinical: [BrokenExample] = [
    .init(.patient, #""gender""#, #""contact":[{"gender":"male"}],"gender""#, "contact[0]"),
    .init(
      .observation, #""status""#,
      #""valueString":"x","dataAbsentReason":{"text":"y"},"status""#, "dataAbsentReason"),
    .init(
      .observation,
      #""component":[{"code":{"coding":[{"system":"http://loinc.org","code":"8480-6""#,
      #""valueString":"x","component":[{"code":{"coding":[{"system":"http://loinc.org","code":"85354-9""#,
      "component"),
    .init(
      .observation, #"{"text":"below 140"}"#, #"{"age":{"low":{"value":1}}}"#, "referenceRange[0]"),
    .init(
      .allergyIntolerance,
      #""clinicalStatus":{"coding":[{"system":"\#(allergyBase)clinical","code":"active"}]},"#, "",
      "clinicalStatus"),
    .init(
      .allergyIntolerance, #""category""#,
      #""verificationStatus":{"coding":[{"system":"\#(allergyBase)verification","code":"entered-in-error"}]},"category""#,
      "clinicalStatus"),
    .init(.condition, #""resolved""#, #""active""#, "clinicalStatus"),
    .init(
      .condition, #""recordedDate""#,
      #""verificationStatus":{"coding":[{"system":"\#(conditionBase)ver-status","code":"entered-in-error"}]},"recordedDate""#,
      "clinicalStatus"),
    .init(.condition, #""summary""#, #""type""#, "stage[0]"),
    .init(
      .condition, #""code":[{"text":"headache"}]"#,
      #""extension":[{"url":"http://a","valueCode":"b"}]"#, "evidence[0]"),
    .init(
      .medicationAdministration, #""dose":{"value":0.5,"unit":"tablet"}"#,
      #""route":{"text":"by mouth"}"#, "dosage"),
    .init(.medicationDispense, "2026-03-02", "2026-03-04", "whenHandedOver"),
    .init(.consent, #""policyRule":{"text":"opt in"},"#, "", ""),
    .init(.consent, #""patient":{"reference":"Patient/p-1"},"#, "", "patient"),
    .init(.organization, #""name":"Clinic","#, "", ""),
    .init(.organization, #"55","use":"work""#, #"55","use":"home""#, "telecom[0].use"),
    .init(.organization, #""use":"work","city""#, #""use":"home","city""#, "address[0].use"),
    .init(
      .careTeam, #""member":{"reference":"Practitioner/1"}"#,
      #""member":{"reference":"Patient/p-1"}"#, "participant[0].onBehalfOf"),
    .init(.group, #""actual":true"#, #""actual":false"#, "member"),
    .init(.auditEvent, #""name":"weight""#, #""name":"weight","query":"aGk=""#, "entity[0].query"),
  ]

  static let forms: [BrokenExample] = [
    .init(.questionnaire, #""display""#, #""group""#, "item[1].item"),
    .init(.questionnaire, #""linkId":"2""#, #""linkId":"1""#, "item[1].linkId"),
    .init(.questionnaire, #""linkId":"1.2""#, #""linkId":"1.1""#, "item[0].item[1].linkId"),
    .init(.questionnaire, #""display""#, #""display","code":[{"code":"a"}]"#, "item[1].code"),
    .init(.questionnaire, #""display""#, #""display","required":true"#, "item[1].required"),
    .init(.questionnaire, #""display""#, #""display","repeats":true"#, "item[1].repeats"),
    .init(.questionnaire, #""display""#, #""display","readOnly":true"#, "item[1].readOnly"),
    .init(
      .questionnaire, #""display""#, #""display","item":[{"linkId":"3","type":"text"}]"#,
      "item[1].item"),
    .init(
      .questionnaire, #""display""#, #""display","initial":[{"valueString":"x"}]"#,
      "item[1].initial"),
    .init(
      .questionnaire, #""repeats":true"#, #""repeats":true,"answerValueSet":"http://a""#,
      "item[0].item[0].answerValueSet"),
    .init(.questionnaire, #""choice""#, #""text""#, "item[0].item[0].answerOption"),
    .init(
      .questionnaire, #""repeats":true"#, #""repeats":true,"initial":[{"valueString":"a"}]"#,
      "item[0].item[0].initial"),
    .init(
      .questionnaire, #""answerBoolean":true"#, #""answerString":"x""#,
      "item[0].item[1].enableWhen[0].answer"),
    .init(
      .questionnaire, #""answerBoolean":true}"#,
      #""answerBoolean":true},{"question":"1","operator":"exists","answerBoolean":true}"#,
      "item[0].item[1].enableBehavior"),
    .init(.questionnaire, #""type":"string""#, #""type":"date""#, "item[0].item[1].maxLength"),
    .init(
      .questionnaire, #"{"valueString":"because"}"#, #"{"valueString":"a"},{"valueString":"b"}"#,
      "item[0].item[1].initial"),
    .init(
      .questionnaireResponse, #""linkId":"1","item""#,
      #""linkId":"1","answer":[{"valueString":"x"}],"item""#, "item[0].item"),
    .init(
      .composition, #""entry":[{"reference":"MedicationRequest/m1"}]"#, #""code":{"text":"x"}"#,
      "section[0].section[0]"),
    .init(
      .composition, #""entry""#, #""emptyReason":{"text":"x"},"entry""#,
      "section[0].section[0].emptyReason"),
    .init(.parameters, #","valueDecimal":72.10"#, "", "parameter[0]"),
    .init(.parameters, #""name":"c""#, #""name":"c","valueString":"x""#, "parameter[2]"),
  ]

  static let bundles: [BrokenExample] = [
    .init(.bundle, #""transaction""#, #""transaction","total":3"#, "total"),
    .init(
      .bundle, deletion, #"{"search":{"mode":"match"},"request":{"method":"GET","url":"x"}}"#,
      "entry[2].search"),
    .init(.bundle, #""transaction""#, #""collection""#, "entry[0].request"),
    .init(.bundle, deletion, #"{"resource":{"resourceType":"Basic"}}"#, "entry[2].request"),
    .init(.bundle, #""transaction""#, #""transaction-response""#, "entry[0].response"),
    .init(.bundle, deletion, #"{"link":[{"relation":"self","url":"x"}]}"#, "entry[2]"),
    .init(
      .bundle, #"{"request":{"method":"DELETE""#,
      #"{"fullUrl":"urn:uuid:53fefa32-fcbb-4ff8-8a92-55ee120877b7","request":{"method":"DELETE""#,
      "entry[2].fullUrl"),
    .init(
      .bundle, #"{"request":{"method":"DELETE""#,
      #"{"fullUrl":"http://a/Slot/1/_history/1","request":{"method":"DELETE""#, "entry[2].fullUrl"),
    .init(.bundle, #""transaction""#, #""document""#, "identifier"),
    .init(.bundle, #""transaction""#, #""document""#, "timestamp"),
    .init(.bundle, #""transaction""#, #""document""#, "entry"),
    .init(.bundle, #""transaction""#, #""message""#, "entry"),
  ]

  static let datatypes: [BrokenExample] = [
    .init(
      .communication, #""contentType":"text/plain","#, "",
      "payload[1].content.ofType(Attachment).contentType"),
    .init(.organization, #""system":"phone","#, "", "telecom[0].system"),
    .init(
      .condition, #""system":"http://unitsofmeasure.org","#, "", "onset.ofType(Age).code"),
    .init(
      .patient, #""valueCode":"Europe/Oslo""#, #""valueExpression":{"language":"text/cql"}"#,
      "extension[0].value.ofType(Expression)"),
    .init(
      .medicationRequest, #""id":"med""#, #""id":"med","meta":{"versionId":"1"}"#,
      "contained[0].meta.versionId"),
    .init(
      .medicationRequest, #""id":"med""#, #""id":"med","meta":{"security":[{"code":"R"}]}"#,
      "contained[0].meta.security"),
    .init(.medicationRequest, #","name":"Clinic""#, "", "contained[1]"),
  ]

  @Test(arguments: clinical + forms + bundles + datatypes)
  func `a broken rule is named`(_ example: BrokenExample) throws {
    let value = try #require(try example.value())
    let issues = ResourceValidator.issues(in: value, expecting: example.type)
    #expect(
      issues.contains { $0.code == .invariant && $0.expression == example.expression }, "\(issues)")
  }

  @Test(arguments: ["0", "0.0", "-1", "-0.5", "0e3"])
  func `nobody can have taken a dose of zero or less`(dose: String) throws {
    let example = BrokenExample(
      .medicationAdministration, #"{"value":0.5"#, #"{"value":\#(dose)"#, "dosage.dose.value")
    let issues = ResourceValidator.issues(
      in: try #require(try example.value()), expecting: example.type)
    #expect(issues.map(\.code) == [.businessRule])
    #expect(issues.map(\.expression) == [example.expression])
  }

  @Test(arguments: [
    BrokenExample(.allergyIntolerance, #""active""#, #""ended""#, "clinicalStatus"),
    BrokenExample(.condition, "condition-clinical", "condition-other", "clinicalStatus"),
    BrokenExample(
      .condition, #""recordedDate""#, #""verificationStatus":{"text":"sure"},"recordedDate""#,
      "verificationStatus"),
  ])
  func `a state needs a code of its value set`(_ example: BrokenExample) throws {
    let issues = ResourceValidator.issues(
      in: try #require(try example.value()), expecting: example.type)
    #expect(
      issues.contains { $0.code == .codeInvalid && $0.expression == example.expression },
      "\(issues)")
  }

  @Test func `a contained resource that nothing refers to is accepted with a warning`() throws {
    let example = BrokenExample(
      .medicationRequest, ##""requester":{"reference":"#org","display":"Clinic"},"##, "",
      "contained[1]")
    let issues = ResourceValidator.issues(
      in: try #require(try example.value()), expecting: example.type)
    #expect(issues.map(\.severity) == [.warning])
    #expect(issues.map(\.expression) == [example.expression])
  }

  @Test func `warnings leave room for errors`() throws {
    let unused: JSONValue = [
      "resource": [
        "resourceType": "Patient", "contained": [["resourceType": "Slot", "id": "a"]],
      ]
    ]
    var entries = Array(repeating: unused, count: 2 * ResourceValidator.maximumIssues)
    entries.append(["resource": ["resourceType": "Patient", "gender": "x"]])
    let bundle: JSONValue = [
      "resourceType": "Bundle", "type": "collection", "entry": .array(entries),
    ]
    let issues = ResourceValidator.issues(in: bundle, expecting: .bundle)
    #expect(issues.filter { $0.severity == .error }.map(\.code) == [.codeInvalid])
    #expect(issues.count <= ResourceValidator.maximumIssues)
  }

  @Test func `modifiers inside elements and unknown types are refused`() {
    let modifiers: JSONValue = [["url": "http://example.org/m", "valueBoolean": true]]
    let value: JSONValue = [
      "resourceType": "Patient",
      "contained": [["resourceType": "Slot", "id": "a", "modifierExtension": modifiers]],
      "generalPractitioner": [["reference": "#a"]],
      "communication": [["language": ["text": "nb"], "modifierExtension": modifiers]],
    ]
    let issues = ResourceValidator.issues(in: value, expecting: .patient)
    #expect(issues.map(\.code) == [.extension, .extension])
    #expect(
      issues.map(\.expression) == [
        "Patient.contained[0].modifierExtension[0]",
        "Patient.communication[0].modifierExtension[0]",
      ])
  }
}
