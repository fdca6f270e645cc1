// SPDX-License-Identifier: Apache-2.0
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

struct DoseValueTests {
  @Test(arguments: ["plan-1_1_20260301-2", "a.b_12_n17", "x_1_e1772348400000"])
  func `a dose id reads back what it writes`(text: String) throws {
    #expect(try #require(DoseID(text: text)).text == text)
  }

  @Test(arguments: [
    "", "plan", "plan_1", "_1_n1", "plan_0_n1", "plan_-1_n1", "plan_01_n1", "plan_1_20260231-1",
    "plan_1_n1_2", "pl/an_1_n1", "plan_1_n", "plan_99999999999999999999_n1",
  ])
  func `anything else is not a dose id`(text: String) {
    #expect(DoseID(text: text) == nil)
  }

  @Test func `doses are ordered like their texts`() throws {
    let texts = [
      "a_1_n1", "a_1_n2", "a_2_n1", "a_1_20260301-2", "a-b_1_n1", "ab_1_n1", "b_1_n1", "a.b_1_n1",
    ]
    let doses = try texts.map { try #require(DoseID(text: $0)) }
    for one in doses {
      for other in doses {
        #expect(one.isBefore(other) == (one.text < other.text), "\(one.text) \(other.text)")
      }
    }
  }

  @Test(arguments: ["1", "0.5", "1.50", "1000000000"])
  func `an amount keeps its text`(value: String) throws {
    #expect(try #require(Amount(value: value, unit: "tablet")).value == value)
  }

  @Test(arguments: ["", "0", "0.00", "-1", "+1", "one", "1,5", ".", "1.", "1000000001", "NaN"])
  func `an amount that is zero, absurd or not a number is refused`(value: String) {
    #expect(Amount(value: value, unit: "tablet") == nil)
  }

  @Test(arguments: [
    (0, nil, DoseState.scheduled), (99, nil, .scheduled), (100, nil, .due), (199, nil, .due),
    (200, nil, .missed), (50, 80, .later), (150, 180, .later), (180, 180, .due),
  ])
  func `an open dose's state follows from the time`(
    now: Int64, laterUntil: Int64?, expected: DoseState
  ) {
    let state = DoseState.at(
      Timestamp(milliseconds: now), stored: .open, due: Timestamp(milliseconds: 100),
      lateUntil: Timestamp(milliseconds: 200),
      laterUntil: laterUntil.map { Timestamp(milliseconds: $0) })
    #expect(state == expected)
  }
}
