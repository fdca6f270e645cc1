// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@Suite struct MergePatchTests {
  private func patch(_ resource: String, _ change: String) throws -> String {
    let patch = try MergePatch(parsing: try JSONValue(parsing: change))
    return try patch.applied(to: try JSONValue(parsing: resource)).text
  }

  /// The rules of RFC 7396 section 2, with examples from its appendix A.
  @Test(
    arguments: [
      (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
      (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
      (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
      (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
      (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
      (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
      (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
      (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
      (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
  func `a part replaces what it names`(resource: String, change: String, result: String) throws {
    #expect(try patch(resource, change) == result)
  }

  @Test(arguments: [#"{"id":"b"}"#, #"{"resourceType":"Group"}"#, #"{"id":null}"#])
  func `a merge patch keeps the id and the type`(change: String) throws {
    #expect(throws: PatchProblem.self) {
      try patch(#"{"resourceType":"Patient","id":"a"}"#, change)
    }
  }

  @Test(arguments: ["[]", "1", "null", #""x""#])
  func `a merge patch is an object`(document: String) throws {
    #expect(throws: PatchProblem.self) { try MergePatch(parsing: try JSONValue(parsing: document)) }
  }
}
