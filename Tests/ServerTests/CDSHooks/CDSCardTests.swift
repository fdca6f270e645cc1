// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization
import Testing
import TestSupport

@testable import FHIRAPI

@Suite struct CDSCardTests {
  @Test(arguments: [
    ("Aspirin 75 mg", "Aspirin 75 mg"),
    ("<b>x</b> & y", "&lt;b&gt;x&lt;/b&gt; &amp; y"),
    ("[a](https://evil.example)", #"\[a\](https\://evil.example)"#),
    ("![a](HTTP://evil.example)", #"!\[a\](HTTP\://evil.example)"#),
    ("www.evil.example, a@b.example", #"www\.evil.example, a\@b.example"#),
    ("*a* _b_ `c` ~d~ e|f \\g", #"\*a\* \_b\_ \`c\` \~d\~ e\|f \\g"#),
    ("# heading", "\\# heading"), ("- item", #"\- item"#), ("1. item", #"1\. item"#),
    ("one\n\n- two\r\n# three", "one - two # three"), ("", ""),
    ("*\u{301}a*", "\\*\u{301}a\\*"),
  ])
  func `text of others is shown as it is`(text: String, escaped: String) {
    #expect(CDSCard.escaped(text) == escaped)
  }

  @Test func `a long summary is cut at a whole character, and the detail has all of it`() {
    let localizer = Localizer.of(.en)
    for long in [
      String(repeating: "a", count: 140), String(repeating: "👨‍👩‍👧", count: 40),
      String(repeating: "word ", count: 100),
    ] {
      let card = CDSCard(indicator: .info, title: long, items: ["one"])
      let json = card.json(id: "id", url: "https://regimen.example", localizer)
      let summary = json["summary"]?.string ?? ""
      #expect(summary.utf16.count < CDSCard.summaryLimit && summary.hasSuffix("…"))
      #expect(long.hasPrefix(summary.dropLast()))
      let detail = json["detail"]?.string ?? ""
      #expect(detail.hasPrefix(long.split(separator: " ").joined(separator: " ")))
      #expect(detail.hasSuffix("\n\n- one"))
    }
    let short = CDSCard(indicator: .critical, title: String(repeating: "a", count: 139))
    let json = short.json(id: "id", url: "https://regimen.example", localizer)
    #expect(json["summary"]?.string?.count == 139)
    #expect(json["detail"] == nil && json["indicator"] == "critical")
  }
}
