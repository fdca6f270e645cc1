// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Presentation

@Suite struct LocalMomentTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let zone: String
    let date: String?
    let time: String?
    /// The instant, a mistake's name, or none.
    let result: String
    var testDescription: String { "\(zone) \(date ?? "-") \(time ?? "-")" }
  }

  /// It is 02:40 in Berlin, the second time that night.
  private static let now = Timestamp("2026-10-25T02:40:30+01:00")

  @Test(arguments: [
    Case(zone: "Europe/Berlin", date: nil, time: nil, result: "none"),
    Case(zone: "Europe/Berlin", date: nil, time: "08:00", result: "dateMissing"),
    Case(zone: "Europe/Berlin", date: "2026-03-01", time: nil, result: "timeMissing"),
    Case(zone: "Europe/Berlin", date: "1.3.2026", time: "08:00", result: "dateWrong"),
    Case(zone: "Europe/Berlin", date: "2026-03-01", time: "8", result: "timeWrong"),
    Case(
      zone: "Europe/Berlin", date: "2026-03-01", time: "08:00",
      result: "2026-03-01T08:00:00+01:00"),
    Case(
      zone: "Europe/Berlin", date: "2026-07-01", time: "08:00",
      result: "2026-07-01T08:00:00+02:00"),
    Case(zone: "Europe/Berlin", date: "2026-03-29", time: "02:30", result: "timeSkipped"),
    Case(
      zone: "Europe/Berlin", date: "2026-10-25", time: "02:30",
      result: "2026-10-25T02:30:00+02:00"),
    Case(
      zone: "Europe/Berlin", date: "2026-10-25", time: "02:40",
      result: "2026-10-25T02:40:30+01:00"),
    Case(zone: "Pacific/Apia", date: "2011-12-30", time: "08:00", result: "dateSkipped"),
    Case(
      zone: "Asia/Bangkok", date: "2026-03-01", time: "23:59", result: "2026-03-01T23:59:00+07:00"),
  ])
  func `a clock time is read in the patient's zone`(_ one: Case) throws {
    let zone = try ZoneCatalog().zone(one.zone)
    do throws(AnswerMistake) {
      let moment = try LocalMoment.read(
        date: one.date, time: one.time, zone: zone, now: Self.now)
      #expect(moment == (one.result == "none" ? nil : Timestamp(one.result)))
    } catch {
      #expect("\(error)" == one.result)
    }
  }

  @Test(arguments: [("0,5", "0.5"), ("1 000", "1000"), ("2", "2"), ("1.50", "1.50")])
  func `a number is read with a comma or a point`(typed: String, plain: String) {
    #expect(LocalMoment.decimal(typed) == plain)
  }
}
