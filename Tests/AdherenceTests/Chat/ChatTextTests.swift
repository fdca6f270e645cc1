// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CareTeam

/// The stored text of a message.
@Suite struct ChatTextTests {
  @Test(arguments: [
    ("Hello", "Hello"), ("  a line \r\nanother\r\n", "a line \nanother"), ("a\u{0}b\u{7}c", "abc"),
    ("\u{1B}[31mred", "[31mred"), ("one\u{2028}two\u{85}three", "one\ntwo\nthree"),
    ("take \u{202E}neves\u{202C} tablets", "take neves tablets"),
    ("a\u{2067}b\u{2069}c\u{FEFF}", "abc"), ("tag\u{E0041}ged", "tagged"),
    ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    ("שלום, مرحبا", "שלום, مرحبا"), ("👩‍⚕️ ปวดหัว", "👩‍⚕️ ปวดหัว"), ("\u{200F}\t x", "\u{200F}\t x"),
    (" \n\t ", ""),
  ])
  func `invisible characters are removed, visible text stays`(typed: String, kept: String) throws {
    #expect(try ChatText.cleaned(typed) == kept)
    // Stored text is not changed by a second pass.
    #expect(try ChatText.cleaned(kept) == kept)
  }

  @Test func `message length is limited whatever the characters`() throws {
    let longest = String(repeating: "ä", count: ChatText.maximum)
    #expect(try ChatText.cleaned(longest) == longest)
    for typed in [
      longest + "x", String(repeating: "a", count: 1_000_000),
      // Marks on one letter: a single character of many bytes.
      "a" + String(repeating: "\u{0301}", count: 9_000),
    ] {
      #expect(throws: ChatError.tooLong(maximum: ChatText.maximum)) {
        try ChatText.cleaned(typed)
      }
    }
  }

  @Test func `neither case nor accents count in a search`() {
    #expect(ChatText.folded("MÉTOPROLOL") == ChatText.folded("metoprolol"))
    #expect(ChatText.folded("Ｗｉｄｅ") == "wide")
  }

  @Test(
    arguments: [
      (19, 19, 0, true, nil), (20, 20, 0, false, 60), (0, 499, 49, true, nil),
      (0, 500, 0, false, 3_600), (0, 100, 50, true, 3_600), (0, 100, 50, false, nil),
    ] as [(Int64, Int64, Int64, Bool, Int?)])
  func `messages are limited per minute and per day`(
    minute: Int64, day: Int64, photos: Int64, isPhoto: Bool, seconds: Int?
  ) {
    #expect(
      ChatLimits.wait(minute: minute, day: day, photos: photos, isPhoto: isPhoto) == seconds)
  }

  @Test(arguments: ["dose:", "dose:x", "warning:", "photo:1", "warning", "", "dose:a_0_b"])
  func `links without a target are refused`(text: String) {
    #expect(ChatLink(text: text) == nil)
  }
}
