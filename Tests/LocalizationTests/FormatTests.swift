// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Localization

@Suite("Numbers, dates, lists and units") struct FormatTests {
  @Test(
    "numbers",
    arguments: [
      ("0", Language.en, "0"), ("0.5", .en, "0.5"), ("0.50", .de, "0,5"), ("10.0", .en, "10"),
      ("1.125", .nb, "1,125"), ("1000", .en, "1000"), ("9999.5", .tr, "9999,5"),
      ("10000", .en, "10,000"), ("10000", .de, "10\u{202F}000"),
      ("1234567.25", .th, "1,234,567.25"),
      ("-2.5", .en, "\u{2212}2.5"), ("0.00000001", .en, "0.00000001"),
      (
        "123456789012345678901234567890", .tr,
        "123\u{202F}456\u{202F}789\u{202F}012\u{202F}345\u{202F}678\u{202F}901\u{202F}234\u{202F}567\u{202F}890"
      ),
    ])
  func numbers(text: String, language: Language, expected: String) throws {
    let value = try #require(Decimal(string: text))
    #expect(Localizer.of(language).number(value) == expected)
  }

  @Test(
    "dates",
    arguments: [
      (Language.en, "Sunday 1 March 2026", "1 March 2026", "Sun 1 Mar", "March 2026"),
      (.de, "Sonntag, 1. März 2026", "1. März 2026", "So, 1. März", "März 2026"),
      (.nb, "søndag 1. mars 2026", "1. mars 2026", "søn. 1. mars", "mars 2026"),
      (.th, "วันอาทิตย์ที่ 1 มีนาคม 2569", "1 มีนาคม 2569", "อา. 1 มี.ค.", "มีนาคม 2569"),
      (.tr, "1 Mart 2026 Pazar", "1 Mart 2026", "1 Mar Paz", "Mart 2026"),
    ])
  func dates(language: Language, long: String, medium: String, short: String, month: String) {
    let localizer = Localizer.of(language)
    let day = LocalDay(year: 2026, month: 3, day: 1, isoWeekday: 7)
    #expect(localizer.date(day, .long) == long)
    #expect(localizer.date(day, .medium) == medium)
    #expect(localizer.date(day, .short) == short)
    #expect(localizer.month(3, year: 2026) == month)
  }

  @Test("all weekdays and months have distinct names", arguments: Language.allCases)
  func names(language: Language) {
    let localizer = Localizer.of(language)
    for style in NameStyle.allCases {
      let weekdays = (1...7).map { localizer.weekday($0, style) }
      #expect(Set(weekdays).count == 7 && !weekdays.contains(""))
      let months = (1...12).map { localizer.month($0, style) }
      #expect(Set(months).count == 12 && !months.contains(""))
    }
    #expect(localizer.weekday(8).isEmpty)
  }

  @Test("times", arguments: [(8, 0, "08:00"), (0, 5, "00:05"), (23, 59, "23:59")])
  func times(hour: Int, minute: Int, expected: String) {
    for language in Language.allCases {
      #expect(Localizer.of(language).time(hour: hour, minute: minute) == expected)
    }
    #expect(ClockText.text(minuteOfDay: hour * 60 + minute) == expected)
  }

  @Test(
    "lists",
    arguments: [
      (Language.en, "a, b and c"), (.de, "a, b und c"), (.nb, "a, b og c"), (.th, "a, b และ c"),
      (.tr, "a, b ve c"),
    ])
  func lists(language: Language, expected: String) {
    let localizer = Localizer.of(language)
    #expect(localizer.list([]).isEmpty)
    #expect(localizer.list(["a"]) == "a")
    #expect(localizer.list(["a", "b", "c"]) == expected)
  }

  @Test(
    "the first letter in upper case",
    arguments: [
      (Language.tr, "iki", "İki"), (.en, "in", "In"), (.nb, "én gang", "Én gang"), (.th, "ก", "ก"),
      (.en, "", ""), (.de, "8 Uhr", "8 Uhr"),
    ])
  func capitalizes(language: Language, text: String, expected: String) {
    #expect(Localizer.of(language).capitalized(text) == expected)
  }

  @Test(
    "amounts",
    arguments: [
      (Language.en, "1", DoseUnit.tablet, "1 tablet"), (.en, "2", .tablet, "2 tablets"),
      (.en, "0.5", .tablet, "half a tablet"), (.de, "1.5", .tablet, "eineinhalb Tabletten"),
      (.en, "0.125", .tablet, "0.125 tablets"), (.de, "2", .puff, "2 Hübe"),
      (.nb, "3", .drop, "3 dråper"), (.th, "0.5", .tablet, "ครึ่งเม็ด"),
      (.th, "2", .capsule, "2 แคปซูล"), (.tr, "2", .tablet, "2 tablet"),
      (.en, "50", .microgram, "50 micrograms"), (.tr, "2.50", .milliliter, "2,5 ml"),
      (.en, "10", .unit, "10 units"),
    ])
  func amounts(language: Language, number: String, unit: DoseUnit, expected: String) throws {
    let value = try #require(Decimal(string: number))
    #expect(Localizer.of(language).amount(value, unit) == expected)
  }

  @Test(
    "units by code and by text",
    arguments: [
      ("mg", nil, DoseUnit.milligram), ("ug", "µg", .microgram), ("{tbl}", nil, .tablet),
      ("TAB", "TAB", .tablet), (nil, "Tablets", .tablet), (nil, "Tabletten", .tablet),
      (nil, "เม็ด", .tablet), (nil, "tabletter", .tablet), (nil, "damla", .drop),
      (nil, "mL", .milliliter), ("[IU]", nil, .unit), ("mg/kg", "mg/kg", nil), (nil, nil, nil),
      ("1", "Stück", nil), (nil, "pieces", .piece), ("unknown", "puffs", .puff),
      (nil, "pills", nil),
    ])
  func unitLookup(code: String?, text: String?, expected: DoseUnit?) {
    #expect(DoseUnit(code: code, text: text) == expected)
  }

  @Test("every unit is found by its code and its amounts", arguments: Language.allCases)
  func unitRoundTrip(language: Language) {
    let localizer = Localizer.of(language)
    for unit in DoseUnit.allCases {
      #expect(DoseUnit(code: unit.ucumCode, text: nil) == unit)
      #expect(localizer.amount(3, unit).hasPrefix("3 "))
      #expect(localizer.name(of: unit) != "units.\(unit.rawValue).name")
    }
  }
}
