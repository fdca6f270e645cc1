// SPDX-License-Identifier: Apache-2.0

import HealthData
import Testing

struct MomentTests {
  @Test(arguments: [
    "2026-02-06 12:30:00 +0100", "2026-02-06T12:30:00+01:00", "2026-02-06T11:30:00Z",
    "2026-02-06T11:30:00.250Z", "2026-02-06 12:30:00 PM +0100", "2026-02-06 12:30 +0100",
    "2026-02-06 12:30:00\u{202F}PM +0100", "2026-02-06 5:30:00 AM -0600",
  ])
  func `One instant in all supported formats`(_ text: String) {
    #expect(MomentText.read(text, offsetWhereNone: nil)?.seconds == 1_770_377_400)
  }

  @Test(arguments: [
    "", "2026-02-30", "2026-02-06 24:00:00 +0000", "2026-02-06 13:00 PM", "06.02.2026",
    "2026-02-06T11:30:00+99:00", "2026-02-06 11:30:00 +0100 x", "0000-01-01",
  ])
  func `Invalid dates are refused`(_ text: String) {
    #expect(MomentText.read(text, offsetWhereNone: 0) == nil)
  }

  @Test func `Without an offset the caller's zone applies`() {
    #expect(MomentText.read("2026-02-06", offsetWhereNone: 3_600)?.seconds == 1_770_332_400)
    #expect(MomentText.read("2026-02-06", offsetWhereNone: nil) == nil)
  }

  @Test func `The day follows the local clock`() {
    let moment = Moment(seconds: 1_770_332_400, offset: 3_600)
    #expect(CivilDays.text(moment.dayNumber) == "2026-02-06")
    #expect(moment.secondOfDay == 0)
    #expect(CivilDays.text(Moment(seconds: 1_770_332_399, offset: 3_600).dayNumber) == "2026-02-05")
    #expect(CivilDays.text(-1) == "1969-12-31")
  }

  @Test func `Day numbers and dates agree over four hundred years`() {
    for number in stride(from: Int64(-50_000), to: 100_000, by: 37) {
      let text = CivilDays.text(number)
      #expect(MomentText.read(text, offsetWhereNone: 0)?.dayNumber == number)
    }
  }
}
