// SPDX-License-Identifier: Apache-2.0

import FHIRXML
import Testing

@testable import FHIR

@Suite struct ResourceXMLTests {
  private func xml(_ json: String) throws -> String {
    String(decoding: ResourceXML.write(try JSONValue(parsing: json)), as: UTF8.self)
  }

  private func read(_ text: String) throws -> JSONValue {
    try ResourceXML.read(Array(text.utf8))
  }

  private func problem(_ text: String) -> FHIRIssue? {
    do throws(XMLProblem) {
      _ = try ResourceXML.read(Array(text.utf8))
      return nil
    } catch {
      return error.issue
    }
  }

  /// Wraps elements in a patient of FHIR's namespace.
  private func patient(_ elements: String) -> String {
    #"<Patient xmlns="http://hl7.org/fhir">\#(elements)</Patient>"#
  }

  /// Returns a value with the properties of all objects in alphabetical order.
  private func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      .object(JSONObject(object.sorted { $0.key < $1.key }.map { ($0.key, sorted($0.value)) }))
    case .array(let items): .array(items.map(sorted))
    default: value
    }
  }

  /// A search result and the arguments of an operation, which have resources inside them.
  private static let wrapping: [(ResourceType, String)] = [
    (
      .bundle,
      """
      {"resourceType":"Bundle","type":"searchset","total":1,"link":[{"relation":"self",\
      "url":"https://example.org/fhir/Patient?name=a&_count=1"}],\
      "entry":[{"fullUrl":"https://example.org/fhir/Patient/p-1","resource":\(Fixtures.patient),\
      "search":{"mode":"match"}}]}
      """
    ),
    (
      .parameters,
      """
      {"resourceType":"Parameters","parameter":[{"name":"a","valueDecimal":1.0},\
      {"name":"b","resource":\(Fixtures.medication)},{"name":"c","part":[{"name":"d","valueBoolean":false}]}]}
      """
    ),
  ]

  /// The fixture of a Bundle has a Slot, which is read only as JSON.
  @Test(arguments: Fixtures.valid.filter { $0.0 != .bundle } + wrapping)
  func keepsEverythingOnTheWayToXMLAndBack(_ type: ResourceType, _ text: String) throws {
    let value = try JSONValue(parsing: text)
    for isPretty in [false, true] {
      let back = try ResourceXML.read(ResourceXML.write(value, isPretty: isPretty))
      #expect(sorted(back).text == sorted(value).text)
      #expect(ResourceXML.write(back) == ResourceXML.write(value))
    }
  }

  @Test func writesAResourceAsR4Does() throws {
    let json = """
      {"birthDate":"1948-07","_birthDate":{"id":"b1"},"resourceType":"Patient","id":"p-1",\
      "extension":[{"url":"http://example.org/a","valueCode":"x"}],"active":true,\
      "name":[{"id":"n","given":["Kari",null],"_given":[null,{"extension":[{"url":"http://example.org/b",\
      "valueString":"<&\\"\\n"}]}]}],\
      "text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\"><p>Å</p></div>"}}
      """
    #expect(
      try xml(json)
        == """
        <?xml version="1.0" encoding="UTF-8"?><Patient xmlns="http://hl7.org/fhir"><id value="p-1"/>\
        <text><status value="generated"/><div xmlns="http://www.w3.org/1999/xhtml"><p>Å</p></div></text>\
        <extension url="http://example.org/a"><valueCode value="x"/></extension><active value="true"/>\
        <name id="n"><given value="Kari"/><given><extension url="http://example.org/b">\
        <valueString value="&lt;&amp;&quot;&#10;"/></extension></given></name>\
        <birthDate id="b1" value="1948-07"/></Patient>
        """)
  }

  @Test func wrapsResourcesInsideResources() throws {
    let json = """
      {"resourceType":"MedicationRequest","contained":[{"resourceType":"Medication","id":"m"}],\
      "status":"active"}
      """
    let text = try xml(json)
    #expect(text.contains(#"<contained><Medication><id value="m"/></Medication></contained>"#))
    #expect(try read(text).text == json)
  }

  @Test func writesTypesWithoutATableInTheirOwnOrder() throws {
    #expect(
      try xml(
        """
        {"resourceType":"CapabilityStatement","status":"active","format":["json","xml"],\
        "rest":[{"mode":"server","security":{"cors":false}}],"odd name":1}
        """
      ).hasSuffix(
        """
        <CapabilityStatement xmlns="http://hl7.org/fhir"><status value="active"/>\
        <format value="json"/><format value="xml"/><rest><mode value="server"/>\
        <security><cors value="false"/></security></rest></CapabilityStatement>
        """))
  }

  @Test func indentsOnRequest() throws {
    let json = try JSONValue(parsing: #"{"resourceType":"Patient","name":[{"family":"Berg"}]}"#)
    #expect(
      String(decoding: ResourceXML.write(json, isPretty: true), as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <Patient xmlns="http://hl7.org/fhir">
          <name>
            <family value="Berg"/>
          </name>
        </Patient>

        """)
  }

  /// Each row is a narrative that is not XML, and the form in which it is written.
  @Test(
    arguments: [
      ("<p>a&nbsp;b</p>", "<p>a\u{A0}b</p>"),
      ("<p class='a' class='b'>x</p>", nil),
      ("<!-- a -- b --><p>x</p>", nil),
    ] as [(String, String?)])
  func writesNarrativesThatAreNotXMLSafely(_ content: String, _ expected: String?) throws {
    let div = #"<div xmlns="http://www.w3.org/1999/xhtml">\#(content)</div>"#
    let json: JSONValue = [
      "resourceType": "Patient", "text": ["status": "generated", "div": .string(div)],
    ]
    let back = try ResourceXML.read(ResourceXML.write(json))["text"]?["div"]?.string
    if let expected {
      #expect(back == #"<div xmlns="http://www.w3.org/1999/xhtml">\#(expected)</div>"#)
    } else {
      #expect(back?.contains("&lt;p") == true)
    }
  }

  @Test func readsPrefixesCommentsAndWhiteSpace() throws {
    let value = try read(
      """
      \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
      <!-- a comment --><f:Patient xmlns:f="http://hl7.org/fhir" xmlns="http://www.w3.org/1999/xhtml"
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b">
        <f:text><f:status value='generated'/><div><p>x</p></div></f:text>
        <f:active value="true"/><!-- another -->
        <f:multipleBirthInteger value="2"/>
      </f:Patient>
      """)
    #expect(
      value.text == """
        {"resourceType":"Patient","text":{"status":"generated",\
        "div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\"><p>x</p></div>"},\
        "active":true,"multipleBirthInteger":2}
        """)
  }

  @Test func keepsTheTextOfNumbersAndListsOfOne() throws {
    let value = try read(
      """
      <Observation xmlns="http://hl7.org/fhir"><category><text value="a"/></category>\
      <valueQuantity><value value="72.10"/></valueQuantity></Observation>
      """)
    #expect(
      value.text == """
        {"resourceType":"Observation","category":[{"text":"a"}],"valueQuantity":{"value":72.10}}
        """)
  }

  /// Each row is a document with the path and code of its problem.
  @Test(arguments: [
    (#"<color value="red"/>"#, FHIRIssueCode.structure, "Patient.color"),
    (#"<gender value="male"/><gender value="male"/>"#, .structure, "Patient.gender"),
    (#"<name><given value="a"/></name><name><x/></name>"#, .structure, "Patient.name[1].x"),
    (#"<active value="yes"/>"#, .value, "Patient.active"),
    (#"<multipleBirthInteger value="+2"/>"#, .value, "Patient.multipleBirthInteger"),
    (#"<gender/>"#, .structure, "Patient.gender"),
    (#"<name/>"#, .structure, "Patient.name[0]"),
    (#"<gender code="male"/>"#, .structure, "Patient.gender"),
    (#"<name url="male"/>"#, .structure, "Patient.name[0]"),
    (#"<gender>male</gender>"#, .structure, "Patient.gender"),
    (#"<gender value="male"><family value="x"/></gender>"#, .structure, "Patient.gender.family"),
    (#"<text><div>x</div></text>"#, .structure, "Patient.text.div"),
    (
      #"<name><div xmlns="http://www.w3.org/1999/xhtml">x</div></name>"#, .structure,
      "Patient.name[0].div"
    ),
    (#"<contained/>"#, .structure, "Patient.contained[0]"),
    (#"<contained><Substance/></contained>"#, .notSupported, "Patient.contained[0]"),
    (#"<contained><Person2/></contained>"#, .structure, "Patient.contained[0]"),
    (#"<contained><Patient id="x"/></contained>"#, .structure, "Patient.contained[0]"),
    (#"<name xmlns="urn:other"/>"#, .structure, "Patient"),
    (#"<name xmlns:o="urn:other" o:a="b"/>"#, .structure, "Patient"),
  ])
  func refusesWhatFHIRDoesNotDefine(_ elements: String, _ code: FHIRIssueCode, _ path: String) {
    let found = problem(patient(elements))
    #expect(found?.code == code)
    #expect(found?.expression == path)
  }

  @Test(arguments: [
    "", " ", "{}", "<Patient>", "<Patient/>", #"<Patient xmlns="urn:other"/>"#,
    #"<Patient xmlns="http://hl7.org/fhir"><name></Patient>"#,
    #"<Patient xmlns="http://hl7.org/fhir"/><Patient/>"#,
    #"<div xmlns="http://www.w3.org/1999/xhtml">x</div>"#,
    #"<!DOCTYPE Patient><Patient xmlns="http://hl7.org/fhir"><active value="true"/></Patient>"#,
    """
    <!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\
    <Patient xmlns="http://hl7.org/fhir"><gender value="&b;"/></Patient>
    """,
    """
    <!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/passwd">]>\
    <Patient xmlns="http://hl7.org/fhir"><gender value="&a;"/></Patient>
    """,
    #"<Patient xmlns="http://hl7.org/fhir"><gender value="&nbsp;"/></Patient>"#,
  ])
  func refusesOtherDocuments(_ text: String) {
    #expect(problem(text) != nil)
  }

  @Test func namesTheDocumentType() {
    let found = problem(#"<!DOCTYPE p SYSTEM "http://example.org/p.dtd"><Patient/>"#)
    #expect(found?.diagnostics == "Remove the document type (DOCTYPE).")
  }

  @Test func limitsSizeDepthAndElements() {
    let start = #"<extension url="a">"#
    let deep = patient(
      String(repeating: start, count: 70) + String(repeating: "</extension>", count: 70))
    #expect(problem(deep)?.code == .tooCostly)
    let many = patient(String(repeating: "<name/>", count: 110_000))
    #expect(problem(many)?.code == .tooCostly)
    let large = patient("<!--" + String(repeating: " ", count: 2 * 1024 * 1024) + "-->")
    #expect(problem(large)?.code == .tooLong)
    let invalid: [UInt8] = Array("<Patient xmlns=\"http://hl7.org/fhir\">".utf8) + [0xFF]
    #expect(throws: XMLProblem.self) { try ResourceXML.read(invalid) }
  }
}
