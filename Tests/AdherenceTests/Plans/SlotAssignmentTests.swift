// SPDX-License-Identifier: Apache-2.0
import Plans
import Scheduling
import Testing

struct SlotAssignmentTests {
  private static func rule(_ times: [String], dosage: Int = 0) -> PlanRule {
    PlanRule(
      dosage: dosage, amount: nil,
      pattern: .calendar(.daily, times.compactMap { SlotTime(text: $0) }),
      anchor: Instant(milliseconds: 0), anchorDate: CivilDate(daysSinceEpoch: 0), end: nil)
  }

  private static func slots(_ times: [Int: String]) -> [PlanSlot] {
    times.sorted { $0.key < $1.key }.compactMap { id, text in
      SlotTime(text: text).map { PlanSlot(id: id, dosage: 0, time: $0) }
    }
  }

  /// (times before, times after, named, in order) -> slots after, retired.
  @Test(arguments: [
    ([:], ["08:00", "20:00"], [:], false, [1, 2], []),
    ([1: "08:00", 2: "20:00"], ["20:00", "08:00"], [:], false, [2, 1], []),
    ([1: "08:00", 2: "20:00"], ["08:00", "21:00"], ["21:00": 2], false, [1, 2], []),
    ([1: "08:00", 2: "20:00"], ["08:00", "21:00"], [:], false, [1, 3], [2]),
    ([1: "08:00", 2: "20:00"], ["09:00", "21:00"], [:], true, [1, 2], []),
    ([1: "08:00", 2: "20:00"], ["07:00", "20:00"], [:], true, [1, 2], []),
    ([1: "08:00", 2: "20:00"], ["08:00"], [:], true, [1], [2]),
    ([3: "08:00"], ["06:00", "08:00", "22:00"], [:], true, [6, 3, 7], []),
    ([1: "08:00"], ["09:00"], ["09:00": 99], false, [6], [1]),
    ([1: "ACM", 2: "PCV+20"], ["ACM", "PCV+30"], ["PCV+30": 2], false, [1, 2], []),
  ])
  func `unchanged times keep their slots and ids are never reused`(
    before: [Int: String], after: [String], named: [String: Int], inOrder: Bool,
    expected: [Int], retired: [Int]
  ) {
    let existing = Self.slots(before)
    let highest = before.isEmpty ? 0 : before.keys.max() == 2 ? 2 : 5
    var names: [SlotTime: Int] = [:]
    for (text, id) in named { if let time = SlotTime(text: text) { names[time] = id } }
    let result = SlotAssignment.assign(
      [Self.rule(after)], existing: existing, highest: highest, named: names,
      pairsInOrder: inOrder)
    #expect(result.slots.map(\.id) == expected)
    #expect(result.retired == retired)
  }

  @Test(arguments: ["08:00:00", "ACM", "ACM+0", "HS+90", "MORN.early"])
  func `a slot time reads back what it writes`(text: String) throws {
    #expect(try #require(SlotTime(text: text)).text == text)
  }

  @Test(arguments: ["", "+", "ACM+", "ACM-5", "ACM+5+5", "XX", "25:00:00"])
  func `anything else is not a slot time`(text: String) {
    #expect(SlotTime(text: text) == nil)
  }
}
