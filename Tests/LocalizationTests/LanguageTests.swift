// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Localization

@Suite("Languages") struct LanguageTests {
  @Test(
    "tags",
    arguments: [
      ("en", Language.en), ("EN-gb", .en), ("de-CH", .de), ("no", .nb), ("nb-NO", .nb), ("nn", .nb),
      ("th_TH", .th), ("tr-Latn-TR", .tr), ("fr", nil), ("", nil), ("english", nil), ("-de", nil),
    ])
  func tags(tag: String, expected: Language?) {
    #expect(Language(tag: tag) == expected)
  }

  @Test(
    "negotiation",
    arguments: [
      (nil, Language.en), ("", .en), ("de", .de), ("fr, de;q=0.5", .de), ("fr", .en),
      ("en;q=0.3, tr;q=0.9", .tr), ("nb-NO,nb;q=0.9,no;q=0.8,en;q=0.5", .nb), ("th, de", .th),
      ("de;q=0", .en), ("de;q=nonsense, tr;q=0.1", .tr), ("de;q=7, th;q=0.2", .th), ("*", .en),
      (";;;,,,q=", .en), ("de ; q = 0.4 , en ; q = 0.3", .de),
    ])
  func negotiates(header: String?, expected: Language) {
    #expect(Language.negotiate(acceptLanguage: header) == expected)
  }

  @Test("languages are named in their own language")
  func nativeNames() {
    #expect(Language.allCases.map(\.nativeName).allSatisfy { !$0.isEmpty })
    #expect(Set(Language.allCases.map(\.nativeName)).count == Language.allCases.count)
  }
}
