// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@testable import Diary

/// The days on which questionnaires are asked.
@Suite struct QuestionnaireScheduleTests {
  private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text: text)) }

  /// Returns the number and the last day of the open occasion, such as "1 2026-03-14".
  private func open(_ schedule: QuestionnaireSchedule, _ text: String) throws -> String? {
    schedule.open(on: try day(text)).map { "\($0.number) \($0.lastDay.text)" }
  }

  @Test func `a single occasion closes after its days`() throws {
    let once = try #require(
      QuestionnaireSchedule(.once, starts: try day("2026-03-01"), openDays: 3))
    #expect(try open(once, "2026-02-28") == nil)
    #expect(try open(once, "2026-03-01") == "0 2026-03-03")
    #expect(try open(once, "2026-03-03") == "0 2026-03-03")
    #expect(try open(once, "2026-03-04") == nil)
    #expect(once.next(after: try day("2026-03-04")) == nil)
    #expect(once.next(after: try day("2026-02-01"))?.opens == (try day("2026-03-01")))
  }

  @Test func `weekly occasions follow each other until the end`() throws {
    let weekly = try #require(
      QuestionnaireSchedule(.weekly, starts: try day("2026-03-01"), lastDay: try day("2026-03-10")))
    #expect(try open(weekly, "2026-03-07") == "0 2026-03-07")
    #expect(try open(weekly, "2026-03-08") == "1 2026-03-14")
    #expect(try open(weekly, "2026-03-15") == nil)
    #expect(weekly.next(after: try day("2026-03-09")) == nil)
  }

  @Test func `monthly occasions stay on their day or the last of a shorter month`() throws {
    let monthly = try #require(
      QuestionnaireSchedule(.monthly, starts: try day("2026-01-31"), openDays: 2))
    #expect(try open(monthly, "2026-02-27") == nil)
    #expect(try open(monthly, "2026-02-28") == "1 2026-03-01")
    #expect(try open(monthly, "2026-03-30") == nil)
    #expect(try open(monthly, "2026-03-31") == "2 2026-04-01")
  }

  @Test func `an occasion after an event opens its weeks later`() throws {
    let after = try #require(
      QuestionnaireSchedule(.after, starts: try day("2026-03-01"), weeks: 4, openDays: 7))
    #expect(try open(after, "2026-03-28") == nil)
    #expect(try open(after, "2026-03-29") == "0 2026-04-04")
    #expect(try open(after, "2026-04-05") == nil)
  }

  @Test func `numbers outside the limits are refused`() throws {
    let start = try day("2026-03-01")
    #expect(QuestionnaireSchedule(.weekly, starts: start, openDays: 8) == nil)
    #expect(QuestionnaireSchedule(.once, starts: start, openDays: 0) == nil)
    #expect(QuestionnaireSchedule(.once, starts: start, weeks: 1) == nil)
    #expect(QuestionnaireSchedule(.after, starts: start, weeks: 521) == nil)
    #expect(QuestionnaireSchedule(.after, starts: start, weeks: -1) == nil)
    #expect(
      QuestionnaireSchedule(.once, starts: start, lastDay: start.adding(days: -1)) == nil)
  }
}
