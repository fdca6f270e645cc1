// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage
import TestSupport
import Testing

@testable import Records

/// The search index follows every change of the resources.
@Suite struct RecordIndexTests {
  private static func observation(
    _ id: String, code: String, extra: String = "", patient: PatientID = "p1"
  ) -> String {
    #"""
    {"resourceType":"Observation","id":"\#(id)","status":"final",\#
    "code":{"coding":[{"system":"http://s","code":"\#(code)"}]},\#
    "subject":{"reference":"Patient/\#(patient)"}\#(extra)}
    """#
  }

  private static let rich = #"""
    ,"effectiveDateTime":"2026-03-01","valueQuantity":{"value":5.40,"unit":"mg"},\#
    "focus":[{"reference":"Device/1"}],"identifier":[{"value":"7"}]
    """#

  private static let doctor =
    #"{"resourceType":"Practitioner","id":"d1","name":[{"family":"Öst","given":["Al","Ål"]}]}"#

  @Test(arguments: DatabaseForm.allCases)
  func `an update and a deletion leave no stale rows`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.store(Self.observation("o1", code: "a"))
      let plain = try await database.indexRows()
      #expect(!plain.isEmpty)
      try await database.change(Self.observation("o1", code: "a", extra: Self.rich))
      // A time, a quantity under two names, a reference and an identifier.
      #expect(try await database.indexRows().count == plain.count + 5)
      try await database.change(Self.observation("o1", code: "a"))
      #expect(try await database.indexRows() == plain)
      try await database.change(Self.observation("o1", code: "b"))
      #expect(try await database.indexRows() != plain)
      try await database.delete(.observation, "o1")
      #expect(try await database.indexRows() == [])
      try await database.change(Self.observation("o1", code: "a"))
      #expect(try await database.indexRows() == plain)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `an erased person leaves no rows`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.store(Self.observation("o1", code: "a", extra: Self.rich))
      try await database.write { try $0.execute("DELETE FROM people WHERE patient = 'p1'", []) }
      #expect(try await database.indexRows() == [])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `an index built again is the same`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await fill(database)
      let rows = try await database.indexRows()
      #expect(rows.count > 50)
      let count = try await database.write { try RecordIndexUpgrade.rebuild(in: $0) }
      #expect(count == 13)
      #expect(try await database.indexRows() == rows)
      #expect(try await isCurrent(database))
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `an upgrade fills the index once, even after an interruption`(
    form: DatabaseForm
  ) async throws {
    try await form.withDatabase { database async throws in
      try await fill(database)
      let rows = try await database.indexRows()
      // As a database of an earlier version: resources without an index.
      try await database.write { try RecordIndex.clear(in: $0) }
      #expect(try await !isCurrent(database))
      // The process is killed after the first batch, and a resource changes before the next one.
      for expected in [RecordIndexUpgrade.Progress.added(0), .added(12)] {
        let done = try await database.write { try RecordIndexUpgrade.advance(in: $0) }
        #expect(done == expected)
      }
      #expect(try await !isCurrent(database))
      let added = try await RecordIndexUpgrade.perform(in: database) {}
      #expect(added == 1)
      #expect(try await database.indexRows() == rows)
      let again = try await RecordIndexUpgrade.perform(in: database) {
        Issue.record("there was nothing to do")
      }
      #expect(again == 0)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `rules of another version build the index again`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await fill(database)
      let rows = try await database.indexRows()
      _ = try await RecordIndexUpgrade.perform(in: database) {}
      try await database.write { writer in
        try writer.execute("UPDATE record_index_state SET version = 0", [])
        try writer.execute("UPDATE record_index SET value = value || 'x'", [])
      }
      let added = try await RecordIndexUpgrade.perform(in: database) {}
      #expect(added == 13)
      #expect(try await database.indexRows() == rows)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `very long and odd values are stored and found`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let long = String(repeating: "💊", count: 600)
      let odd = "a\u{10FFFF}b"
      for (id, value) in [("o1", long), ("o2", odd)] {
        let identifier = #"{"system":"http://\#(long)","value":"\#(value)"}"#
        let extra = #","identifier":[\#(identifier)],"valueString":"\#(value)""#
        try await database.store(Self.observation(id, code: "a", extra: extra))
        let found = try await database.ids(
          .observation,
          [
            SearchCriterion(
              parameter: "identifier",
              test: .token([TokenSearchValue(system: "http://\(long)", code: value)]))
          ])
        #expect(found == [id])
      }
      let start = SearchCriterion(
        parameter: "value-string", test: .string([String(long.prefix(400))], .start))
      #expect(try await database.ids(.observation, [start]) == ["o1"])
      let beyond = SearchCriterion(parameter: "value-string", test: .string([long], .contains))
      #expect(try await database.ids(.observation, [beyond]) == [])
      let within = SearchCriterion(
        parameter: "value-string", test: .string(["\u{10FFFF}"], .contains))
      #expect(try await database.ids(.observation, [within]) == ["o2"])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `texts that differ only in their last letter are told apart`(
    form: DatabaseForm
  ) async throws {
    try await form.withDatabase { database async throws in
      let start = String(repeating: "💊", count: 499)
      // The last two are the same letter, written as one character and as two.
      let texts = [start + "a", start + "A", "\u{E9}", "e\u{301}"]
      for (number, text) in texts.enumerated() {
        try await database.store(
          Self.observation("o\(number)", code: "a", extra: #","valueString":"\#(text)""#))
      }
      for (number, text) in texts.enumerated() {
        let exact = SearchCriterion(parameter: "value-string", test: .string([text], .exact))
        #expect(try await database.ids(.observation, [exact]) == ["o\(number)"])
      }
      try await database.change(
        Self.observation("o2", code: "a", extra: #","valueString":"\#(texts[3])""#))
      let exact = SearchCriterion(parameter: "value-string", test: .string([texts[3]], .exact))
      #expect(try await database.ids(.observation, [exact]) == ["o2", "o3"])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `units are found by code and by name, with a system only by code`(
    form: DatabaseForm
  ) async throws {
    try await form.withDatabase { database async throws in
      let units = [
        #""unit":"tablet""#, #""unit":"Tab","system":"http://u","code":"tablet""#,
        #""unit":"tablet","system":"http://u","code":"1""#, #""system":"http://v","code":"tablet""#,
      ]
      for (number, unit) in units.enumerated() {
        let quantity = #","valueQuantity":{"value":2,\#(unit)}"#
        try await database.store(Self.observation("o\(number)", code: "a", extra: quantity))
      }
      let number = NumberSearchValue(prefix: .eq, lower: 1.5, upper: 2.5, value: 2)
      func found(_ system: String?, _ code: String?) async throws -> [String] {
        let value = QuantitySearchValue(number: number, system: system, code: code)
        return try await database.ids(
          .observation, [SearchCriterion(parameter: "value-quantity", test: .quantity([value]))])
      }
      #expect(try await found(nil, nil) == ["o0", "o1", "o2", "o3"])
      #expect(try await found(nil, "tablet") == ["o0", "o1", "o2", "o3"])
      #expect(try await found(nil, "Tab") == ["o1"])
      #expect(try await found("http://u", "tablet") == ["o1"])
      #expect(try await found("http://u", nil) == ["o1", "o2"])
      #expect(try await found("http://u", "Tab") == [])
    }
  }

  @Test(arguments: DatabaseForm.allCases, [17, 128, 300])
  func `very many values are written and removed`(form: DatabaseForm, count: Int) async throws {
    try await form.withDatabase { database async throws in
      func identifiers(_ numbers: Range<Int>) -> String {
        let list = numbers.map { #"{"system":"http://s","value":"\#($0)"}"# }
        return #","identifier":[\#(list.joined(separator: ","))]"#
      }
      try await database.store(Self.observation("o1", code: "a"))
      let plain = try await database.indexRows()
      try await database.change(Self.observation("o1", code: "a", extra: identifiers(0..<count)))
      #expect(try await database.indexRows().count == plain.count + count)
      try await database.change(
        Self.observation("o1", code: "a", extra: identifiers(count - 1..<count + 1)))
      #expect(try await database.indexRows().count == plain.count + 2)
      try await database.delete(.observation, "o1")
      #expect(try await database.indexRows() == [])
    }
  }

  private func isCurrent(_ database: Database) async throws -> Bool {
    try await database.read { try RecordIndexUpgrade.isCurrent(in: $0) }
  }

  /// Stores twelve observations, of which some were changed, and one professional; one more was deleted.
  private func fill(_ database: Database) async throws {
    var random = RandomObservations(random: RandomSequence(state: 5))
    for number in 0..<13 {
      try await database.store(random.resource(id: "o\(number)", patient: "p1"))
    }
    for number in 0..<5 {
      try await database.change(random.resource(id: "o\(number)", patient: "p1"))
    }
    try await database.delete(.observation, "o12")
    try await database.store(Self.doctor)
  }

  @Test func `the end of a prefix is the next text`() {
    #expect(RecordIndexText.end(ofPrefix: "ab") == "ac")
    #expect(RecordIndexText.end(ofPrefix: "a\u{D7FF}") == "a\u{E000}")
    #expect(RecordIndexText.end(ofPrefix: "a\u{10FFFF}") == "b")
    #expect(RecordIndexText.end(ofPrefix: "\u{10FFFF}") == nil)
    #expect(RecordIndexText.end(ofPrefix: "") == nil)
  }

  @Test func `long tokens stay different and fit the key`() {
    let start = String(repeating: "ß", count: 499)
    let (one, other) = (RecordIndexText.token(start + "a"), RecordIndexText.token(start + "b"))
    #expect(one != other)
    #expect(one.utf8.count <= RecordIndexText.longestToken)
    let emoji = String(repeating: "💊", count: 499)
    #expect(RecordIndexText.token(emoji + "a") != RecordIndexText.token(emoji + "b"))
    #expect(RecordIndexText.token(emoji + "a").utf8.count <= RecordIndexText.longestToken)
    #expect(RecordIndexText.token("plain") == "plain")
    #expect(RecordIndexText.token("a\u{0}b") == "a\u{FFFD}b")
  }
}
