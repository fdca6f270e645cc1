// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Studies

/// The outcomes, by cases that were computed by hand.
@Suite struct StudyOutcomeTests {
  private func dose(
    _ day: Int, _ state: StudyDose.State = .taken, late: Int? = 0, ring: Int? = nil,
    medicine: Int = 1
  ) -> StudyDose {
    StudyDose(
      medicine: medicine, day: day, minute: 480, state: state,
      lateness: state == .taken ? late : nil, ringToAnswer: ring)
  }

  @Test func `a day is covered if all of its doses were taken`() {
    let doses = [
      dose(0), dose(0, medicine: 2), dose(1), dose(1, .missed, medicine: 2), dose(2, .skipped),
      dose(3),
    ]
    #expect(StudyOutcomes.daysCovered(doses) == 0.5)
    #expect(StudyOutcomes.daysCovered([]) == nil)
  }

  @Test func `timing counts doses within the minutes before and after`() {
    let doses = [
      dose(0, late: 60), dose(1, late: 61), dose(2, late: -60), dose(3, late: -61),
      dose(4, .missed),
    ]
    #expect(StudyOutcomes.timing(doses, within: 60) == 0.4)
    #expect(StudyOutcomes.timing([], within: 60) == nil)
  }

  @Test func `the time to answer is a median`() {
    #expect(StudyOutcomes.ringToAnswer([dose(0, ring: 9), dose(1, ring: 1), dose(2)]) == 5)
    #expect(
      StudyOutcomes.ringToAnswer([dose(0, ring: 9), dose(1, ring: 1), dose(2, ring: 2)]) == 2)
    #expect(StudyOutcomes.ringToAnswer([dose(0)]) == nil)
  }

  @Test func `false questions are counted by day and for thirty days`() {
    let questions = [
      StudyQuestion(day: 1, answer: "yes"), StudyQuestion(day: 1, answer: "yes"),
      StudyQuestion(day: 2, answer: "no"), StudyQuestion(day: 3, answer: nil),
      StudyQuestion(day: 4, answer: "yes"),
    ]
    #expect(StudyOutcomes.falseQuestionDays(questions, days: 60) == 1)
    #expect(StudyOutcomes.falseQuestionDays(questions, days: 0) == nil)
  }

  @Test func `small cells are marked`() {
    #expect([0, 1, 4, 5, 100].map(StudyTally.cell) == ["0", "<5", "<5", "5", "100"])
  }

  @Test func `numbers have four decimals`() {
    #expect(StudyLine.text(0.5) == "0.5000")
    #expect(StudyLine.text(-12.34567) == "-12.3457")
    #expect(StudyLine.text(2.0 / 3) == "0.6667")
    var line = StudyLine()
    line.line(["a,b", "c\"d", "e"])
    #expect(String(decoding: line.bytes, as: UTF8.self) == "\"a,b\",\"c\"\"d\",e\r\n")
  }
}
