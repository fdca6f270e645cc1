// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@Suite struct OccurrenceIDTests {
  @Test func writesAndReadsItself() throws {
    let cases: [(OccurrenceID, String)] = [
      (.slot(date: try day("2026-03-01"), slot: 2), "20260301-2"),
      (.slot(date: .earliest, slot: 0), "00010101-0"),
      (.slot(date: .latest, slot: 2_147_483_647), "99991231-2147483647"),
      (.running(17), "n17"), (.running(0), "n0"), (.running(.max), "n9223372036854775807"),
      (.instant(Instant(milliseconds: 1_772_348_400_000)), "e1772348400000"),
      (.instant(Instant(milliseconds: -5)), "e-5"),
      (.instant(Instant(milliseconds: .min)), "e-9223372036854775808"),
    ]
    for (id, text) in cases {
      #expect(id.text == text)
      #expect(OccurrenceID(text: text) == id)
    }
  }

  @Test(arguments: [
    "", "n", "e", "x1", "20260301", "20260301-", "20260301-02", "20260301-+2", "20260229-1",
    "20261301-1", "n01", "n+1", "n-0", "n1 ", "N1", "e1.5", "n9223372036854775808", "2026-03-01-2",
    "20260301_2", "n١", "20260301-99999999999999999999",
  ])
  func refusesEverythingElse(text: String) {
    #expect(OccurrenceID(text: text) == nil)
  }
}
