// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

/// Returns the type and id of each resource in a file, or the reason why there is none.
private func entries(
  _ text: String, chunk: Int = .max, isLines: Bool = false, limits: JSONLimits = .standard
) -> [String] {
  var stream = ResourceStream(limits: limits, isLines: isLines)
  var found: [String] = []
  func note(_ entry: StreamedEntry) {
    let content: String
    switch entry.resource {
    case .success(let resource):
      content = "\(resource["resourceType"]?.string ?? "?")/\(resource["id"]?.string ?? "?")"
    case .failure(.syntax): content = "syntax"
    case .failure(.tooLarge): content = "too large"
    case .failure(let problem): content = "\(problem)"
    }
    found.append("\(entry.number) \(content)" + (entry.fullURL.map { " \($0)" } ?? ""))
  }
  let bytes = Array(text.utf8)
  var position = 0
  while position < bytes.count {
    let end = chunk == .max ? bytes.count : min(position + chunk, bytes.count)
    stream.append(Array(bytes[position..<end]), note)
    position = end
  }
  stream.finish(note)
  return found
}

@Suite struct ResourceStreamTests {
  static let bundle = """
    {"resourceType":"Bundle","type":"collection","entry":[
      {"fullUrl":"urn:uuid:1","resource":{"resourceType":"Patient","id":"p","name":[{"text":"] \\" }"}]}},
      {"fullUrl":"http://a/fhir/Medication/m","resource":{"resourceType":"Medication","id":"m"}}
    ],"link":[{"relation":"self","url":"http://a"}]}
    """

  @Test(arguments: [1, 2, 3, 7, 64, .max])
  func `a Bundle gives the same entries however it is split`(chunk: Int) {
    #expect(
      entries(Self.bundle, chunk: chunk) == [
        "1 Patient/p urn:uuid:1", "2 Medication/m http://a/fhir/Medication/m",
      ])
  }

  @Test(arguments: [
    (#"{"resourceType":"Patient","id":"p"}"#, ["1 Patient/p"]),
    ("\u{FEFF}" + #"{"resourceType":"Patient","id":"p"}"#, ["1 Patient/p"]),
    (
      #"{"entry":[{"resource":{"resourceType":"Patient","id":"p"}}],"resourceType":"Bundle"}"#,
      ["1 Patient/p"]
    ),
    (#"{"resourceType":"Bundle","type":"searchset"}"#, []),
    (#"{"resourceType":"Bundle","entry":[]}"#, []),
    ("", []), ("  \n ", []),
    (#"{"resourceType":"Patient","id":"p","text":{"div":"entry\":[{"}}"#, ["1 Patient/p"]),
    (#"{"resourceType":"X","id":"p","a":{"entry":[{"resource":{}}]}}"#, ["1 X/p"]),
    (
      "{\"resourceType\":\"Patient\",\"id\":\"1\"}\n{\"resourceType\":\"Patient\",\"id\":\"2\"}\n",
      ["1 Patient/1", "2 Patient/2"]
    ),
    (
      "{\"resourceType\":\"Patient\",\"id\":\"1\"}{\"resourceType\":\"Patient\",\"id\":\"2\"}",
      ["1 Patient/1", "2 Patient/2"]
    ),
  ])
  func `documents of every kind are read`(text: String, expected: [String]) {
    #expect(entries(text) == expected)
    #expect(entries(text, chunk: 1) == expected)
  }

  @Test(arguments: [
    (
      #"{"resourceType":"Bundle","entry":[{"resource":{"id":"1"}},{"resource":{"a":1,"a":2}},{"resource":{"id":"3"}}]}"#,
      ["1 ?/1", "2 syntax", "3 ?/3"]
    ),
    (
      #"{"resourceType":"Bundle","entry":[{"request":{"method":"DELETE"}},null,7,"x",{"resource":[]}]}"#,
      ["1 noResource", "2 notAnObject", "3 notAnObject", "4 notAnObject", "5 notAnObject"]
    ),
    (
      #"{"resourceType":"Bundle","entry":[{"resource":{"id":"1"}}{"resource":{"id":"2"}}]}"#,
      ["1 ?/1", "2 missingComma", "3 ?/2"]
    ),
    (#"{"resourceType":"List","entry":[{"item":{}}]}"#, ["1 noResource", "2 notABundle"]),
    (
      #"{"resourceType":"Bundle","entry":[{"resource":{"id":"1"}},{"resource":{"id""#,
      ["1 ?/1", "2 endsEarly"]
    ),
    ("<Bundle/>\n{\"id\":\"1\"}", ["1 notJSON", "2 ?/1"]),
    ("{\"id\":\"1\"}\n{\"id\":\n{\"id\":\"3\"}\n", ["1 ?/1", "2 endsEarly", "3 ?/3"]),
    ("[1]", ["1 notJSON"]),
  ])
  func `errors are located, and the rest is read`(text: String, expected: [String]) {
    #expect(entries(text) == expected)
    #expect(entries(text, chunk: 1) == expected)
  }

  @Test func `a broken first line affects only its line in ndjson`() {
    #expect(
      entries("{\"id\":\n{\"id\":\"2\"}\n", isLines: true) == ["1 endsEarly", "2 ?/2"])
  }

  @Test func `an oversized entry is refused on its own`() {
    let long = String(repeating: "x", count: 400)
    let text =
      #"{"resourceType":"Bundle","entry":[{"resource":{"id":"1"}},{"resource":{"id":"\#(long)"}},{"resource":{"id":"3"}}]}"#
    #expect(
      entries(text, limits: JSONLimits(maximumBytes: 200)) == ["1 ?/1", "2 too large", "3 ?/3"])
  }

  @Test func `a deeply nested entry is refused on its own`() {
    let deep = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
    let text =
      #"{"resourceType":"Bundle","entry":[{"resource":{"a":\#(deep)}},{"resource":{"id":"2"}}]}"#
    #expect(entries(text) == ["1 syntax", "2 ?/2"])
  }

  @Test func `a search page reports further pages`() {
    var stream = ResourceStream()
    stream.append(
      Array(
        #"{"resourceType":"Bundle","link":[{"relation":"next","url":"http://a?page=2"}],"entry":[]}"#
          .utf8)
    ) { _ in }
    #expect(stream.hasFurtherPages)
    #expect(stream.count == 0)
  }

  @Test func `many small entries are delivered one by one`() {
    let text =
      #"{"resourceType":"Bundle","entry":["#
      + String(repeating: #"{"resource":{"id":"1"}},"#, count: 20_000)
      + #"{"resource":{"id":"1"}}]}"#
    var stream = ResourceStream()
    var count = 0
    stream.append(Array(text.utf8)) { entry in
      count += 1
      #expect(entry.number == count)
    }
    #expect(count == 20_001)
  }
}
