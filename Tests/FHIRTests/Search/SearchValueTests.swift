// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@Suite struct SearchValueTests {
  /// The truth table of the prefixes: the search is the day 1970-01-11, in days since 1970 from 10 to 11.
  @Test(
    arguments: [
      // Equal, inside, around, before, overlapping the start, overlapping the end, after, open.
      ("eq", [true, true, false, false, false, false, false, false]),
      ("ne", [false, false, true, true, true, true, true, true]),
      ("gt", [false, false, true, false, false, true, true, true]),
      ("lt", [false, false, true, true, true, false, false, true]),
      ("ge", [true, true, true, false, false, true, true, true]),
      ("le", [true, true, true, true, true, false, false, true]),
      ("sa", [false, false, false, false, false, false, true, false]),
      ("eb", [false, false, false, true, false, false, false, false]),
      ("ap", [true, true, true, false, true, true, false, true]),
    ] as [(String, [Bool])])
  func comparesRanges(_ prefix: String, _ expected: [Bool]) throws {
    let day: Int64 = 86_400_000
    let ranges: [(Int64, Int64)] = [
      (10 * day, 11 * day), (10 * day + 5, 11 * day - 5), (9 * day, 12 * day),
      (5 * day, 6 * day), (9 * day, 10 * day + 5), (10 * day + 5, 12 * day),
      (15 * day, 16 * day), (.min, .max),
    ]
    let search = try #require(DateSearchValue(prefix + "1970-01-11"))
    let found = ranges.map { search.matches(lower: $0.0, upper: $0.1) }
    #expect(found == expected)
  }

  /// An instant is the range of one millisecond: both forms of the conditions agree.
  @Test(arguments: DateSearchValue.Prefix.allCases)
  func rangesAndInstantsAgree(_ prefix: DateSearchValue.Prefix) throws {
    let search = try #require(DateSearchValue(prefix.rawValue + "1970-01-11"))
    let day: Int64 = 86_400_000
    for edge in [9 * day, 10 * day, 11 * day, 12 * day] {
      for instant in [edge - 1, edge, edge + 1] {
        #expect(
          search.matches(lower: instant, upper: instant + 1)
            == search.matches(milliseconds: instant))
      }
    }
  }

  @Test(
    arguments: [
      (.eq, [false, true, true, true, false]), (.ne, [true, false, false, false, true]),
      (.gt, [false, false, false, true, true]), (.lt, [true, true, false, false, false]),
      (.ge, [false, false, true, true, true]), (.le, [true, true, true, false, false]),
      (.sa, [false, false, false, false, true]), (.eb, [true, false, false, false, false]),
      (.ap, [false, true, true, true, true]),
    ] as [(DateSearchValue.Prefix, [Bool])])
  func comparesNumbers(_ prefix: DateSearchValue.Prefix, _ expected: [Bool]) {
    let search = NumberSearchValue(prefix: prefix, lower: 99.5, upper: 100.5, value: 100)
    let found = [80, 99.5, 100, 100.25, 100.5].map {
      search.matches(lower: $0 - 0.25, upper: $0 + 0.25)
    }
    #expect(found == expected)
  }

  @Test(arguments: [
    ("Kari  Ødegård", "kari odegard"), ("  ÅSE\t\nÆrø ", "ase aero"),
    ("ŞIĞ İstanbul", "sig istanbul"),
    ("Müßig", "mussig"), ("กี่ น้ำ", "กี่ น\u{E49}\u{E4D}า"), ("", ""), (" ", ""), ("\u{301}", ""),
    ("e\u{301}", "e"), ("É", "e"), ("Abc-1_%", "abc-1_%"), ("ΟΔΟΣ", "οδοσ"), ("ﬁn", "fin"),
  ])
  func foldsTexts(_ text: String, _ folded: String) {
    #expect(Array(SearchFolding.fold(text).utf8) == Array(folded.utf8))
    #expect(SearchFolding.fold(SearchFolding.fold(text)) == SearchFolding.fold(text))
  }

  @Test func cutsAtCodePoints() {
    #expect(SearchFolding.cut("abc") == "abc")
    #expect(SearchFolding.cut(String(repeating: "a", count: 501)).count == 500)
    let family = String(repeating: "👩‍👩‍👧", count: 200)
    #expect(SearchFolding.cut(family).unicodeScalars.count == 500)
  }

  @Test func sortKeysAreOrderedByKindAndBytes() {
    let keys: [SearchSortKey] = [
      .none, .integer(.min), .integer(-1), .integer(7), .real(-2.5), .real(1e300), .text(""),
      .text("a"), .text("ab"), .text("b"), .text("é"), .text("ก"),
    ]
    #expect(keys.reversed().sorted() == keys)
    #expect(SearchSortKey.text("é") != .text("e\u{301}"))
    #expect(Set(keys + keys).count == keys.count)
  }

  @Test(arguments: [
    SearchSortKey.none, .integer(.min), .integer(.max), .real(0.1), .real(-.infinity), .text(""),
    .text("n"), .text("\u{301}x"), .text("a\u{0}b|,"),
  ])
  func sortKeysComeBackFromText(_ key: SearchSortKey) {
    #expect(SearchSortKey(encoded: key.encoded) == key)
  }

  @Test(arguments: [
    "", "nn", "i", "ix", "i9223372036854775808", "r", "rxyz", "x1", "r7ff8000000000000",
  ])
  func otherTextsAreNoSortKeys(_ text: String) { #expect(SearchSortKey(encoded: text) == nil) }
}
