// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Localization

@Suite("Messages") struct MessageTests {
  struct Case: Sendable {
    let message: String
    var arguments: MessageArguments = [:]
    var language = SentenceLanguage.en
    let expected: String
  }

  @Test(
    "a message is written with its arguments",
    arguments: [
      Case(message: "", expected: ""),
      Case(message: "plain", expected: "plain"),
      Case(message: "{name}!", arguments: ["name": "Ann <b>"], expected: "Ann <b>!"),
      Case(message: "{ name }", arguments: ["name": "Ann"], expected: "Ann"),
      Case(message: "{name}", expected: "{name}"),
      Case(message: "{n}", arguments: ["n": 12345], expected: "12,345"),
      Case(
        message: "{n, plural, one {# dose} other {# doses}}", arguments: ["n": 1],
        expected: "1 dose"),
      Case(
        message: "{n, plural, one {# dose} other {# doses}}", arguments: ["n": 0],
        expected: "0 doses"),
      Case(
        message: "{n, plural, =0 {none} one {# dose} other {# doses}}", arguments: ["n": 0],
        expected: "none"),
      Case(
        message: "{n, plural, =0.5 {half} other {#}}", arguments: ["n": .decimal(0.5)],
        expected: "half"),
      Case(
        message: "{n, plural, one {# Dosis} other {# Dosen}}", arguments: ["n": .decimal(1.5)],
        language: .de, expected: "1,5 Dosen"),
      Case(
        message: "{n, plural, one {bad} other {# เม็ด}}", arguments: ["n": 1], language: .th,
        expected: "1 เม็ด"),
      Case(
        message: "{n, plural, one {# doz} other {bad}}", arguments: ["n": 1], language: .tr,
        expected: "1 doz"),
      Case(message: "{n, plural, other {x}}", arguments: ["n": "text"], expected: "{n}"),
      Case(
        message: "{who, select, self {you} other {{name}}}",
        arguments: ["who": "self", "name": "Ann"], expected: "you"),
      Case(
        message: "{who, select, self {you} other {{name}}}",
        arguments: ["who": "family", "name": "Ann"], expected: "Ann"),
      Case(message: "a{x, select, none {} other { {x}}}", expected: "a"),
      Case(message: "a{x, select, none {} other { {x}}}", arguments: ["x": "b"], expected: "a b"),
      Case(
        message: "{n, plural, other {{x, select, a {# A} other {#}}}}",
        arguments: ["n": 3, "x": "a"], expected: "3 A"),
      Case(message: "it's", expected: "it's"),
      Case(message: "it''s", expected: "it's"),
      Case(message: "'{name}' and '}'", expected: "{name} and }"),
      Case(message: "'{it''s}'", expected: "{it's}"),
      Case(message: "# 1", expected: "# 1"),
      Case(
        message: "{n, plural, other {'#'#}}", arguments: ["n": 2], expected: "#2"),
      Case(message: "a'", expected: "a'"),
    ])
  func writes(_ one: Case) throws {
    var result = ""
    try MessageParser.parse(one.message)
      .write(into: &result, one.arguments, language: one.language)
    #expect(result == one.expected)
  }

  @Test(
    "a faulty message is refused with its reason",
    arguments: [
      ("{", MessageSyntaxError.Reason.emptyName), ("{}", .emptyName), ("}", .unmatchedBrace),
      ("{n", .unexpectedEnd), ("{n, plural}", .unknownFormat), ("{n, date, x}", .unknownFormat),
      ("{n, plural, one {x}}", .missingOther), ("{n, plural, few {x} other {y}}", .unknownSelector),
      ("{n, plural, one {x} one {y} other {z}}", .duplicateBranch),
      ("{n, plural, other x}", .expectedBrace), ("{n, select, other {x}", .unexpectedEnd),
      ("{n, select, other {x", .unexpectedEnd), ("{n, plural, =x {a} other {b}}", .unknownSelector),
    ])
  func refuses(_ text: String, reason: MessageSyntaxError.Reason) {
    let error = #expect(throws: MessageSyntaxError.self) { try MessageParser.parse(text) }
    #expect(error?.reason == reason)
  }

  @Test("a catalogue file")
  func readsFile() {
    let content = """
      # comment
      demo.one = First = 1

      demo.two = {n, plural,
        one {# x}
        other {# y}}
      not a line
      Demo.three = x
      single = x
      """
    let entries = CatalogueFile.entries(in: content)
    #expect(entries.map(\.key) == ["demo.one", "demo.two", nil, nil, nil])
    #expect(entries[0].text == "First = 1")
    #expect(entries[1].text == "{n, plural, one {# x} other {# y}}")
    #expect(entries[2].line == 7)
  }

  @Test("errors in a file are reported but not fatal")
  func notesFaults() {
    let catalogue = Catalogue(
      language: .en,
      files: [
        ("Catalogues/en/a.messages", "a.x = {\na.y = 1\na.y = 2\noops"),
        ("Catalogues/de/a.messages", "a.z = 3"), ("Catalogues/en/readme.txt", "nothing"),
      ])
    #expect(catalogue.faults.map(\.line) == [1, 3, 4])
    #expect(catalogue.messages.keys.sorted() == ["a.x", "a.y"])
    let localizer = Localizer(language: .en, catalogue: catalogue)
    #expect(localizer.text("a.x") == "{")
    #expect(localizer.text("a.missing") == "a.missing")
  }
}
