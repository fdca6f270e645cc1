// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@Suite struct JSONReaderTests {
  @Test(arguments: [
    #"{"value":72.10}"#, #"{"value":1.2E+2}"#, "[]", "{}", "[[],{},null,true,false]", "-0", "0.0",
    #""\"\\\b\f\n\r\t\u0001""#, #"{"b":1,"a":2}"#, #""Ødegård ğ ไทย 😀""#, "12345678901234567890",
    #"{"":0}"#, #"[1e0,-1.50e-07]"#, #""a plain string of more than sixteen bytes""#,
  ])
  func writesWhatItRead(_ text: String) throws {
    #expect(try JSONValue(parsing: text).text == text)
  }

  @Test(arguments: [
    (" { \"a\" : [ 1 ,\t2 ] }\r\n", #"{"a":[1,2]}"#),
    (#""\/\u00e9\ud83d\ude00""#, #""/é😀""#),
    (#"{"\u0061":1}"#, #"{"a":1}"#),
  ])
  func writesTheSameMeaningCompactly(_ text: String, _ expected: String) throws {
    #expect(try JSONValue(parsing: text).text == expected)
  }

  @Test(arguments: [
    (#"{"a":1,"a":2}"#, JSONSyntaxError.Reason.duplicateKey("a"), 7),
    (#"{"a":1,"\u0061":2}"#, .duplicateKey("a"), 7),
    ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("{", .unexpectedEnd, 1),
    (#"{"a""#, .unexpectedEnd, 4), (#"{"a":"#, .unexpectedEnd, 5), ("[1", .unexpectedEnd, 2),
    (#""abc"#, .unexpectedEnd, 4), (#""\u12"#, .unexpectedEnd, 5), ("tru", .unexpectedEnd, 3),
    ("trux", .unexpectedByte, 3), ("[1,]", .unexpectedByte, 3), (#"{"a":1,}"#, .unexpectedByte, 7),
    ("[1 2]", .unexpectedByte, 3), ("{a:1}", .unexpectedByte, 1), ("'a'", .unexpectedByte, 0),
    ("NaN", .unexpectedByte, 0), ("\u{FEFF}{}", .unexpectedByte, 0), ("[1}", .unexpectedByte, 2),
    ("{} {}", .trailingContent, 3), ("1 x", .trailingContent, 2),
    ("01", .invalidNumber, 0), ("-", .invalidNumber, 0), ("1.", .invalidNumber, 0),
    (".5", .unexpectedByte, 0), ("+1", .unexpectedByte, 0), ("1e", .invalidNumber, 0),
    ("1.2.3", .invalidNumber, 0), ("[1-]", .invalidNumber, 1),
    (#""\x""#, .invalidEscape, 1), (#""\u12G4""#, .invalidEscape, 1),
    (#""\ud800""#, .loneSurrogate, 1), (#""\udc00""#, .loneSurrogate, 1),
    (#""\ud800\u0041""#, .loneSurrogate, 1), (#""\ud800x""#, .loneSurrogate, 1),
    ("\"a\nb\"", .controlCharacter, 2), ("\"\\n\u{1}\"", .controlCharacter, 3),
  ])
  func refusesWithReasonAndPlace(
    _ text: String, _ reason: JSONSyntaxError.Reason, _ offset: Int
  ) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0xC3, 0x22], 2), ([0x22, 0xC0, 0x80, 0x22], 1),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0x5C, 0x6E, 0xF4, 0x90, 0x80, 0x80, 0x22], 3),
    ] as [([UInt8], Int)])
  func refusesWhatIsNotUTF8(_ bytes: [UInt8], _ offset: Int) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
    #expect(error?.reason == .invalidUTF8)
    #expect(error?.offset == offset)
  }

  @Test func saysLineAndColumn() {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "{\n  \"a\": x\n}") }
    #expect(error?.line == 2)
    #expect(error?.column == 8)
    #expect(error?.description.contains("line 2, column 8") == true)
  }

  @Test func boundsDepthAndSize() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSONValue(parsing: nested(64)).text == nested(64))
    let deep = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: nested(65)) }
    #expect(deep?.reason == .tooDeep(limit: 64))
    #expect(deep?.offset == 64)
    let bomb = String(repeating: #"{"a":["#, count: 100_000)
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bomb) }
    #expect(JSONLimits(maximumDepth: 1_000_000).maximumDepth == 512)
    let small = JSONLimits(maximumBytes: 4)
    #expect(try JSONValue(parsing: "1234", limits: small).number?.integer == 1234)
    let large = #expect(throws: JSONSyntaxError.self) {
      try JSONValue(parsing: "12345", limits: small)
    }
    #expect(large?.reason == .tooLarge(limit: 4))
  }

  @Test func siblingsDoNotCountAsDepth() throws {
    let text = "[" + Array(repeating: #"{"a":[]}"#, count: 200).joined(separator: ",") + "]"
    #expect(try JSONValue(parsing: text).array?.count == 200)
  }

  @Test func findsDuplicatesInLargeObjects() throws {
    let names = (0..<500).map { "\"name\($0)\":\($0)" }
    let whole = try JSONValue(parsing: "{" + names.joined(separator: ",") + "}")
    #expect(whole.object?.count == 500)
    #expect(whole["name499"]?.number?.integer == 499)
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONValue(parsing: "{" + (names + ["\"name7\":0"]).joined(separator: ",") + "}")
    }
    #expect(error?.reason == .duplicateKey("name7"))
  }

  @Test func namesOfDifferentBytesAreDifferent() throws {
    let text = "{\"\u{E9}\":1,\"e\u{301}\":2}"
    #expect(try JSONValue(parsing: text).object?.count == 2)
  }
}
