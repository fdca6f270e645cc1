// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@testable import Records

/// One member of a stored resource, found without parsing the others.
@Suite struct JSONMemberTests {
  private func found(_ text: String) -> String? {
    JSONMember.value("component", of: text).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    (#"{"component":[{"a":1}]}"#, #"[{"a":1}]"#),
    (#"{"a":[1,{"component":[2]}],"component" : [3] ,"b":0}"#, "[3]"),
    (#"{"note":"\"component\":[9]","component":[{"t":"]}\\\""}]}"#, #"[{"t":"]}\\\""}]"#),
    (#"{"x":"component","component":{"a":{"b":[]}}}"#, #"{"a":{"b":[]}}"#),
  ])
  func `a member of the resource itself is found, whatever its texts contain`(
    text: String, value: String
  ) throws {
    #expect(found(text) == value)
    let parsed = try JSONValue(parsing: Array(text.utf8))["component"]
    #expect(parsed == (try JSONValue(parsing: Array(value.utf8))))
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"component":5}"#, #"{"component":"[1]"}"#, #"{"component":[1"#,
    #"{"component""#, #"{"a":"component"}"#, #"{"a":{"component":[1]}}"#,
    #"{"\u0063omponent":[1]}"#, #"["component",[1]]"#, #"{"component":"#, #"{"component":]"#,
  ])
  func `anything else is not`(text: String) {
    #expect(found(text) == nil)
  }
}
