// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

@Suite struct FHIRPathPatchTests {
  /// Returns a patch of one operation; the parts besides the type are given as JSON.
  private func patch(_ type: String, _ path: String, _ parts: String = "") throws -> JSONValue {
    let quoted = JSONValue.string(path).text
    return try JSONValue(
      parsing: """
        {"resourceType":"Parameters","parameter":[{"name":"operation","part":[\
        {"name":"type","valueCode":"\(type)"},{"name":"path","valueString":\(quoted)}\
        \(parts.isEmpty ? "" : ",")\(parts)]}]}
        """)
  }

  private func patched(
    _ document: String, _ type: String, _ path: String, _ parts: String = ""
  ) throws -> JSONValue {
    try FHIRPathPatch(parsing: patch(type, path, parts)).applied(to: JSONValue(parsing: document))
  }

  private func problem(_ work: () throws -> JSONValue) -> PatchProblem? {
    do {
      _ = try work()
      return nil
    } catch {
      return error as? PatchProblem
    }
  }

  private static let birthDate =
    #"{"name":"name","valueString":"birthDate"},{"name":"value","valueDate":"1930-01-01"}"#

  @Test func addsAnElement() throws {
    let document = #"{"resourceType":"Patient","id":"p"}"#
    #expect(
      try patched(document, "add", "Patient", Self.birthDate).text
        == #"{"resourceType":"Patient","id":"p","birthDate":"1930-01-01"}"#)
    #expect(
      try patched(
        document, "add", "Patient",
        #"{"name":"name","valueCode":"deceased"},{"name":"value","valueBoolean":true}"#
      ).text == #"{"resourceType":"Patient","id":"p","deceasedBoolean":true}"#)
  }

  @Test func addsToAList() throws {
    let added = try patched(
      Fixtures.patient, "add", "Patient",
      #"{"name":"name","valueString":"name"},{"name":"value","valueHumanName":{"text":"K"}}"#)
    #expect(added["name"]?.array?.count == 3)
    #expect(added["name"]?[2]?.text == #"{"text":"K"}"#)
    let first = try patched(
      #"{"resourceType":"Patient"}"#, "add", "Patient",
      #"{"name":"name","valueString":"name"},{"name":"value","valueHumanName":{"text":"K"}}"#)
    #expect(first["name"]?.text == #"[{"text":"K"}]"#)
  }

  @Test func buildsATypeWithoutANameFromParts() throws {
    let added = try patched(
      #"{"resourceType":"Patient"}"#, "add", "Patient",
      """
      {"name":"name","valueString":"contact"},{"name":"value","part":[\
      {"name":"relationship","valueCodeableConcept":{"text":"son"}},\
      {"name":"relationship","valueCodeableConcept":{"text":"carer"}},\
      {"name":"name","valueHumanName":{"text":"a name"}}]}
      """)
    #expect(
      added["contact"]?.text
        == #"[{"relationship":[{"text":"son"},{"text":"carer"}],"name":{"text":"a name"}}]"#)
  }

  @Test func insertsMovesAndDeletesItems() throws {
    let document =
      #"{"resourceType":"Patient","telecom":[{"value":"1"},{"value":"2"},{"value":"3"}]}"#
    func values(_ resource: JSONValue) -> [String] {
      (resource["telecom"]?.array ?? []).compactMap { $0["value"]?.string }
    }
    let contact = #"{"name":"value","valueContactPoint":{"value":"n"}}"#
    for (index, expected) in [
      (0, ["n", "1", "2", "3"]), (1, ["1", "n", "2", "3"]), (3, ["1", "2", "3", "n"]),
    ] {
      let result = try patched(
        document, "insert", "Patient.telecom",
        #"{"name":"index","valueInteger":\#(index)},\#(contact)"#)
      #expect(values(result) == expected)
    }
    for (source, destination, expected) in [
      (0, 2, ["2", "3", "1"]), (2, 0, ["3", "1", "2"]), (1, 1, ["1", "2", "3"]),
    ] {
      let result = try patched(
        document, "move", "Patient.telecom",
        """
        {"name":"source","valueInteger":\(source)},\
        {"name":"destination","valueInteger":\(destination)}
        """)
      #expect(values(result) == expected)
    }
    for path in [
      "Patient.telecom[1]", "Patient.telecom.where(value = '2')",
      "telecom.where(value='2').first()",
    ] {
      let result = try patched(document, "delete", path)
      #expect(values(result) == ["1", "3"])
    }
  }

  @Test func deletesElements() throws {
    #expect(try patched(Fixtures.patient, "delete", "Patient.birthDate")["birthDate"] == nil)
    #expect(try patched(Fixtures.patient, "delete", "Patient.birthDate")["_birthDate"] == nil)
    #expect(try patched(Fixtures.patient, "delete", "Patient.deceased")["deceasedBoolean"] == nil)
    #expect(
      try patched(
        #"{"resourceType":"Patient","name":[{"family":"A"}],"active":true}"#, "delete",
        "Patient.name"
      ).text == #"{"resourceType":"Patient","active":true}"#)
    // Nothing to delete is no error.
    let document = #"{"resourceType":"Patient","active":true}"#
    #expect(try patched(document, "delete", "Patient.birthDate").text == document)
    #expect(try patched(document, "delete", "Patient.name[2].given[0]").text == document)
  }

  @Test func keepsExtensionsOfPrimitiveItemsInStep() throws {
    let name = "Patient.name.where(use = 'official')"
    let shorter = try patched(Fixtures.patient, "delete", "\(name).given[0]")["name"]?[1]
    #expect(shorter?["given"] == nil)
    #expect(
      shorter?["_given"]?.text
        == #"[{"extension":[{"url":"http://example.org/initial","valueString":"M"}]}]"#)
    let longer = try patched(
      Fixtures.patient, "insert", "\(name).given",
      #"{"name":"index","valueInteger":0},{"name":"value","valueString":"Anne"}"#)["name"]?[1]
    #expect(longer?["given"]?.text == #"["Anne","Kari",null]"#)
    #expect(longer?["_given"]?.array?.map(\.isNull) == [true, true, false])
    let replaced = try patched(
      Fixtures.patient, "replace", "\(name).given[1]",
      #"{"name":"value","valueString":"Marie"}"#)["name"]?[1]
    #expect(replaced?["given"]?.text == #"["Kari","Marie"]"#)
    #expect(replaced?["_given"] == nil)
  }

  @Test func replacesElements() throws {
    let value = #"{"name":"value","valueCode":"male"}"#
    #expect(
      try patched(Fixtures.patient, "replace", "Patient.gender", value)["gender"]?.string == "male")
    let observation =
      #"{"resourceType":"Observation","valueQuantity":{"value":72.10,"unit":"kg"},"status":"final"}"#
    #expect(
      try patched(
        observation, "replace", "Observation.value.ofType(Quantity).value",
        #"{"name":"value","valueDecimal":72.20}"#
      )["valueQuantity"]?.text == #"{"value":72.20,"unit":"kg"}"#)
    #expect(
      try patched(
        observation, "replace", "Observation.value", #"{"name":"value","valueString":"heavy"}"#
      ).text == #"{"resourceType":"Observation","valueString":"heavy","status":"final"}"#)
    #expect(
      try patched(
        Fixtures.request, "replace",
        "MedicationRequest.dosageInstruction[0].timing.repeat.frequency",
        #"{"name":"value","valuePositiveInt":2}"#
      )["dosageInstruction"]?[0]?["timing"]?["repeat"]?["frequency"] == 2)
    #expect(
      try patched(
        Fixtures.request, "replace",
        "MedicationRequest.contained.where(id = 'org').ofType(Organization).name",
        #"{"name":"value","valueString":"Practice"}"#
      )["contained"]?[1]?["name"] == "Practice")
  }

  /// Each row is an operation on the patient of the fixtures, and the code of its problem.
  @Test(arguments: [
    ("add", "Patient", birthDate, FHIRIssueCode.conflict),
    (
      "add", "Patient",
      #"{"name":"name","valueString":"color"},{"name":"value","valueString":"x"}"#, .value
    ),
    ("add", "Patient", #"{"name":"name","valueString":"gender"}"#, .required),
    ("add", "Patient", #"{"name":"value","valueString":"x"}"#, .required),
    ("add", "Patient.name", birthDate, .multipleMatches),
    ("add", "Patient.photo", birthDate, .notFound),
    ("add", "Observation", birthDate, .value),
    ("insert", "Patient.name", #"{"name":"value","valueHumanName":{}}"#, .required),
    (
      "insert", "Patient.name",
      #"{"name":"index","valueInteger":3},{"name":"value","valueHumanName":{"text":"K"}}"#,
      .notFound
    ),
    (
      "insert", "Patient.gender",
      #"{"name":"index","valueInteger":0},{"name":"value","valueCode":"male"}"#, .value
    ),
    (
      "insert", "Patient.name[0]",
      #"{"name":"index","valueInteger":0},{"name":"value","valueHumanName":{"text":"K"}}"#, .value
    ),
    ("delete", "Patient", "", .value),
    ("delete", "Patient.name", "", .multipleMatches),
    ("delete", "Patient.color", "", .notFound),
    ("delete", "Patient.birthDate.extension", "", .notSupported),
    ("delete", "Patient.name.where(use != 'old')", "", .notSupported),
    ("delete", "Patient.name.where(use = 'old' or use = 'x')", "", .notSupported),
    ("delete", "Patient.name.last()", "", .notSupported),
    ("delete", "Patient.name[x]", "", .notSupported),
    ("delete", "Patient.name[99999999999]", "", .notSupported),
    ("delete", "Patient..name", "", .notSupported),
    ("delete", "Patient.name.where(use = 'old", "", .notSupported),
    ("delete", "%resource.name", "", .notSupported),
    ("delete", "Patient.id", "", .businessRule),
    ("replace", "Patient.id", #"{"name":"value","valueId":"q"}"#, .businessRule),
    ("replace", "Patient.resourceType", #"{"name":"value","valueId":"q"}"#, .notFound),
    ("replace", "Patient.maritalStatus", #"{"name":"value","valueCodeableConcept":{}}"#, .notFound),
    (
      "replace", "Patient.gender", #"{"name":"value","valueCode":"male","_valueCode":{}}"#,
      .structure
    ),
    (
      "replace", "Patient.gender", #"{"name":"value","part":[{"name":"x","valueCode":"y"}]}"#,
      .value
    ),
    ("replace", "Patient.gender", #"{"name":"value","something":"male"}"#, .notSupported),
    (
      "move", "Patient.name",
      #"{"name":"source","valueInteger":2},{"name":"destination","valueInteger":0}"#, .notFound
    ),
    (
      "move", "Patient.name",
      #"{"name":"source","valueInteger":-1},{"name":"destination","valueInteger":0}"#, .required
    ),
    ("merge", "Patient.name", "", .value),
    ("delete", "Patient.gender", #"{"name":"path","valueString":"Patient.name"}"#, .duplicate),
    ("delete", "Patient.gender", #"{"name":"comment","valueString":"x"}"#, .structure),
  ])
  func refusesBadOperations(
    _ type: String, _ path: String, _ parts: String, _ code: FHIRIssueCode
  ) {
    let found = problem { try patched(Fixtures.patient, type, path, parts) }
    #expect(found?.code == code, "\(String(describing: found))")
    #expect(found?.expression != nil)
  }

  @Test(arguments: [
    (#"{"resourceType":"Patient"}"#, FHIRIssueCode.structure),
    (#"{"resourceType":"Parameters"}"#, .required),
    (#"{"resourceType":"Parameters","parameter":[{"name":"op"}]}"#, .structure),
    (#"{"resourceType":"Parameters","parameter":[{"name":"operation","part":[]}]}"#, .required),
    ("[]", .structure),
  ])
  func refusesOtherDocuments(_ text: String, _ code: FHIRIssueCode) {
    let found = problem {
      try FHIRPathPatch(parsing: JSONValue(parsing: text)).applied(to: [:])
    }
    #expect(found?.code == code)
  }

  @Test func appliesAllOperationsOrNone() throws {
    let document = try JSONValue(parsing: #"{"resourceType":"Patient","active":true}"#)
    let both = try JSONValue(
      parsing: """
        {"resourceType":"Parameters","parameter":[\
        {"name":"operation","part":[{"name":"type","valueCode":"delete"},\
        {"name":"path","valueString":"Patient.active"}]},\
        {"name":"operation","part":[{"name":"type","valueCode":"replace"},\
        {"name":"path","valueString":"Patient.gender"},{"name":"value","valueCode":"male"}]}]}
        """)
    let found = problem { try FHIRPathPatch(parsing: both).applied(to: document) }
    #expect(found?.diagnostics == "Operation 2 of the patch: the path leads to nothing.")
    #expect(found?.expression == "Patient.gender")
    #expect(document["active"] == true)
  }
}
