// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

@Suite struct JSONPatchTests {
  private func patched(_ document: String, _ patch: String) throws -> String {
    try JSONPatch(parsing: JSONValue(parsing: patch)).applied(to: JSONValue(parsing: document)).text
  }

  private func problem(_ document: String, _ patch: String) -> PatchProblem? {
    do {
      _ = try patched(document, patch)
      return nil
    } catch let problem as PatchProblem {
      return problem
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  /// The examples of RFC 6902, appendix A: the document, the patch and the result.
  @Test(arguments: [
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
      #"{"foo":"bar","baz":"qux"}"#
    ),
    (
      #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
      #"{"foo":["bar","qux","baz"]}"#
    ),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    (
      #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#,
      #"{"foo":["bar","baz"]}"#
    ),
    (
      #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
      #"{"baz":"boo","foo":"bar"}"#
    ),
    (
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
    ),
    (
      #"{"foo":["all","grass","cows","eat"]}"#,
      #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#
    ),
    (
      #"{"baz":"qux","foo":["a",2,"c"]}"#,
      #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2.0}]"#,
      #"{"baz":"qux","foo":["a",2,"c"]}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      #"{"foo":"bar","child":{"grandchild":{}}}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
      #"{"foo":"bar","baz":"qux"}"#
    ),
    (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
    (#"{"/":9,"~1":10}"#, #"[{"op":"remove","path":"/~1"}]"#, #"{"~1":10}"#),
    (
      #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
      #"{"foo":["bar",["abc","def"]]}"#
    ),
    (
      #"{"foo":{"a":1,"b":[1]}}"#,
      #"[{"op":"test","path":"/foo","value":{"b":[1],"a":1}},{"op":"copy","from":"/foo/b","path":"/c"}]"#,
      #"{"foo":{"a":1,"b":[1]},"c":[1]}"#
    ),
    (#"{"foo":null}"#, #"[{"op":"test","path":"/foo","value":null}]"#, #"{"foo":null}"#),
    (#"{"foo":1}"#, #"[{"op":"add","path":"","value":{"bar":72.10}}]"#, #"{"bar":72.10}"#),
    (#"{"foo":1}"#, #"[{"op":"move","from":"/foo","path":"/foo"}]"#, #"{"foo":1}"#),
    (#"{"foo":1}"#, "[]", #"{"foo":1}"#),
  ])
  func appliesTheExamplesOfTheRFC(_ document: String, _ patch: String, _ result: String) throws {
    #expect(try patched(document, patch) == result)
  }

  /// The document is `{"resourceType":"Patient","id":"p","name":[{"family":"Berg"}],"active":true}`.
  @Test(arguments: [
    (#"{"op":"add"}"#, FHIRIssueCode.structure),
    (#"[1]"#, .structure),
    (#"[{"op":"add","path":"/gender"}]"#, .required),
    (#"[{"op":"add","value":1}]"#, .required),
    (#"[{"op":"add","path":5,"value":1}]"#, .required),
    (#"[{"op":"add","path":"gender","value":1}]"#, .value),
    (#"[{"op":"add","path":"/a~2","value":1}]"#, .value),
    (#"[{"op":"add","path":"/a~","value":1}]"#, .value),
    (#"[{"op":"merge","path":"/a","value":1}]"#, .value),
    (#"[{"op":"move","path":"/a"}]"#, .required),
    (#"[{"op":"add","path":"/contact/0/gender","value":"male"}]"#, .notFound),
    (#"[{"op":"add","path":"/name/2","value":{}}]"#, .notFound),
    (#"[{"op":"add","path":"/name/01","value":{}}]"#, .notFound),
    (#"[{"op":"add","path":"/name/-1","value":{}}]"#, .notFound),
    (#"[{"op":"add","path":"/name/1e0","value":{}}]"#, .notFound),
    (#"[{"op":"add","path":"/name/99999999999999999999","value":{}}]"#, .notFound),
    (#"[{"op":"remove","path":"/name/-"}]"#, .notFound),
    (#"[{"op":"remove","path":"/name/1"}]"#, .notFound),
    (#"[{"op":"remove","path":"/gender"}]"#, .notFound),
    (#"[{"op":"remove","path":"/active/x"}]"#, .notFound),
    (#"[{"op":"remove","path":""}]"#, .value),
    (#"[{"op":"replace","path":"/gender","value":"male"}]"#, .notFound),
    (#"[{"op":"replace","path":"/name/1","value":{}}]"#, .notFound),
    (#"[{"op":"copy","from":"/gender","path":"/x"}]"#, .notFound),
    (#"[{"op":"move","from":"/name","path":"/name/0/x"}]"#, .value),
    (#"[{"op":"test","path":"/active","value":false}]"#, .conflict),
    (#"[{"op":"test","path":"/active","value":"true"}]"#, .conflict),
    (#"[{"op":"test","path":"/name","value":[{"family":"Berg","use":"old"}]}]"#, .conflict),
    (#"[{"op":"test","path":"/gender","value":"male"}]"#, .notFound),
    (#"[{"op":"replace","path":"/id","value":"q"}]"#, .businessRule),
    (#"[{"op":"remove","path":"/id"}]"#, .businessRule),
    (#"[{"op":"move","from":"/id","path":"/language"}]"#, .businessRule),
    (#"[{"op":"replace","path":"/resourceType","value":"Group"}]"#, .businessRule),
    (#"[{"op":"replace","path":"","value":{}}]"#, .businessRule),
    (#"[{"op":"replace","path":"","value":[]}]"#, .businessRule),
  ])
  func refusesBadPatches(_ patch: String, _ code: FHIRIssueCode) {
    let document =
      #"{"resourceType":"Patient","id":"p","name":[{"family":"Berg"}],"active":true}"#
    #expect(problem(document, patch)?.code == code)
  }

  @Test(arguments: [
    (#"[{"op":"add","path":"/a","value":1},1]"#, "$this[1]"),
    (#"[{"op":"merge","path":"/a","value":1}]"#, "$this[0].op"),
    (#"[{"op":"remove","path":"a"}]"#, "$this[0].path"),
    (#"[{"op":"remove","path":"/a~2"}]"#, "$this[0].path"),
    (#"[{"op":"remove"}]"#, "$this[0].path"),
    (#"[{"op":"move","from":"a","path":"/a"}]"#, "$this[0].from"),
    (#"[{"op":"add","path":"/a"}]"#, "$this[0].value"),
  ])
  func namesThePlaceInThePatch(_ patch: String, _ expression: String) {
    #expect(problem(#"{"resourceType":"Patient"}"#, patch)?.expression == expression)
  }

  @Test func namesTheElementAndTheOperation() {
    let found = problem(
      #"{"resourceType":"Patient","name":[{"family":"Berg"}]}"#,
      #"[{"op":"test","path":"/name/0/family","value":"Berg"},{"op":"remove","path":"/name/0/given"}]"#
    )
    #expect(
      found
        == PatchProblem(
          code: .notFound, expression: "Patient.name[0].given",
          diagnostics: "Operation 2 of the patch: its path leads to nothing."))
    #expect(found?.issue.expression == "Patient.name[0].given")
  }

  @Test func removesListsThatItEmptied() throws {
    let document = #"{"resourceType":"Patient","name":[{"family":"Berg"}],"active":true}"#
    #expect(
      try patched(document, #"[{"op":"remove","path":"/name/0"}]"#)
        == #"{"resourceType":"Patient","active":true}"#)
    #expect(
      try patched(
        document,
        #"[{"op":"remove","path":"/name/0"},{"op":"add","path":"/name/-","value":{"text":"K"}}]"#)
        == #"{"resourceType":"Patient","name":[{"text":"K"}],"active":true}"#)
  }

  @Test func leavesTheDocumentUnchangedIfALaterOperationFails() throws {
    let document = try JSONValue(parsing: #"{"a":[1,2],"b":72.10}"#)
    let patch = try JSONPatch(
      parsing: JSONValue(
        parsing: #"[{"op":"remove","path":"/a/0"},{"op":"replace","path":"/c","value":1}]"#))
    #expect(throws: PatchProblem.self) { try patch.applied(to: document) }
    #expect(document.text == #"{"a":[1,2],"b":72.10}"#)
  }

  @Test func limitsOperationsSizeAndDepth() throws {
    let many = (0...1_000).map { _ in #"{"op":"add","path":"/a","value":1}"# }
    #expect(problem("{}", "[\(many.joined(separator: ","))]")?.code == .tooCostly)
    #expect(problem("{}", "[\(many.dropLast().joined(separator: ","))]") == nil)

    let doubling = (0..<40).map { _ in #"{"op":"copy","from":"/a","path":"/a/-"}"# }
    #expect(
      problem(#"{"a":["0123456789"]}"#, "[\(doubling.joined(separator: ","))]")?.code == .tooCostly)

    let nesting = (0..<100).map { _ in #"{"op":"copy","from":"","path":"/a"}"# }
    #expect(problem("{}", "[\(nesting.joined(separator: ","))]")?.code == .tooCostly)

    let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
    let inside = #"{"b":{"c":{"d":{"e":{"f":{}}}}},"a":\#(deep)}"#
    #expect(
      problem(inside, #"[{"op":"move","from":"/a","path":"/b/c/d/e/f/g"}]"#)?.code == .tooCostly)
  }
}
