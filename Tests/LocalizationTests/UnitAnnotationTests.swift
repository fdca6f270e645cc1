// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Localization

@Suite("Units in braces") struct UnitAnnotationTests {
  @Test(
    "known words are units",
    arguments: [
      ("{tablet}", DoseUnit.tablet), ("{Tablets}", .tablet), ("{tbl}", .tablet), ("{TBL}", .tablet),
      ("{tablet(s)}", .tablet), ("{capsule}", .capsule), ("{Kapseln}", .capsule),
      ("{drops}", .drop), ("{puff}", .puff), ("{Actuation}", .puff), ("{sachet}", .sachet),
      ("1{tablet}", .tablet), ("mg{total}", .milligram), (" {tablet} ", .tablet),
    ])
  func known(text: String, unit: DoseUnit) {
    #expect(DoseUnit(code: text, text: nil) == unit)
    #expect(DoseUnit(code: nil, text: text) == unit)
    #expect(DoseUnit(code: text, text: "") == unit)
  }

  @Test(
    "unknown ones are no units", arguments: ["{strip}", "{}", "1", "", "{", "}", "a}{b}", "mg/{x}"])
  func unknown(text: String) {
    #expect(DoseUnit(code: text, text: text) == nil)
  }

  @Test(
    "they are shown as words, without braces",
    arguments: [
      ("{strip}", "2 strip"), ("{film_coated_strip}", "2 film coated strip"),
      ("[foo_us]{juice}", "2 [foo_us] juice"), ("Kelle", "2 Kelle"), ("{a{b}}", "2 ab"),
      ("{", "2 {"),
    ])
  func words(unit: String, expected: String) {
    for language in Language.allCases {
      #expect(Localizer.of(language).amount(Decimal(2), code: nil, unit: unit) == expected)
      #expect(Localizer.of(language).amount(Decimal(2), code: unit, unit: "") == expected)
    }
  }

  @Test("the unity, empty braces and nothing say that no unit is stated")
  func nothing() {
    for unit in ["", "1", "{}", "1{}", " "] {
      #expect(
        Localizer.of(.en).amount(Decimal(2), code: nil, unit: unit) == "2 (unit not stated)")
      #expect(
        Localizer.of(.de).amount(Decimal(2), code: unit, unit: nil)
          == "2 (Einheit nicht angegeben)")
    }
    for language in SentenceLanguage.allCases {
      let text = SentenceLocalizer.of(language).amount(Decimal(2), code: nil, unit: nil)
      #expect(text.hasPrefix("2 (") && text.hasSuffix(")"))
    }
  }
}
