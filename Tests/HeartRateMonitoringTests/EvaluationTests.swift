// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HeartRateMonitoring

/// The evaluation of methods on labelled people.
@Suite struct EvaluationTests {
  private static let names = "p,d,agent,slot,dose,hour,bpm,source,steps,answer,missed"

  /// A person who misses three days and then a single one, with a rise of nine beats.
  private static func person(_ name: String) -> LabelledPerson {
    let missed: Set<Int> = [40, 41, 42, 60]
    return LabelledPerson(
      name: name,
      days: (0..<80).map { number in
        LabelledPerson.Day(
          day: HeartDays.day(number, bpm: missed.contains(number) ? 70 : 60), answer: .missed,
          isMissed: missed.contains(number))
      })
  }

  @Test func `Lapses are counted by kind, with false days and delay`() {
    let person = Self.person("a")
    var alerts = [Bool](repeating: false, count: 80)
    // The second missed day, the day after the single one, and one false day.
    for day in [41, 61, 70] { alerts[day] = true }
    let counts = LapseCounts(person, alerts: alerts)
    #expect(counts.sensitivity([.single]) == 1 && counts.sensitivity([.holiday]) == 1)
    #expect(counts.sensitivity([.twoDays]) == nil && counts.lapses([.single, .holiday]) == 2)
    #expect(abs(counts.falseDaysAMonth - 30.0 / 66) < 1e-9)
    #expect(counts.delay == 1)
    var twice = counts
    twice.add(counts)
    #expect(twice.falseDaysAMonth == counts.falseDaysAMonth && twice.lapses([.single]) == 2)
    #expect(LapseCounts(LabelledPerson(name: "b"), alerts: []).delay == nil)
  }

  @Test func `A matched threshold stays within the budget, and intervals contain the value`() {
    let evaluation = DetectorEvaluation((0..<12).map { Self.person("\($0)") })
    for method in DetectorEvaluation.Method.allCases {
      let result = evaluation.matched(method, budget: 0.5)
      #expect(result.counts.falseDaysAMonth <= 0.5)
      #expect(result.counts.sensitivity([.holiday]) == 1)
      let interval = result.interval { $0.sensitivity([.holiday]) }
      #expect(interval == DetectorEvaluation.Interval(value: 1, low: 1, high: 1))
      #expect(result.interval { $0.sensitivity([.twoDays]) } == nil)
    }
  }

  @Test func `The report names each method and the picture is whole`() {
    let people = (0..<3).map { Self.person("\($0)") }
    let report = EvaluationReport(people, budget: 0.5)
    #expect(report.lines.first?.hasPrefix("3 people, 240 days") == true)
    for method in ["boundary", "dynamic", "model"] {
      #expect(report.lines.count { $0.contains("  \(method) ") } == 2)
    }
    let svg = EvaluationFigure(people, calibration: report.calibration).svg
    #expect(svg.hasPrefix("<svg") && svg.hasSuffix("</svg>\n"))
    #expect(svg.components(of: "<polyline") == 5)
  }

  @Test func `Calibration compares tenths`() {
    var curve = CalibrationCurve()
    #expect(curve.error == 0)
    for number in 0..<10 { curve.add(0.25, isMissing: number < 3) }
    curve.add(1, isMissing: true)
    #expect(curve.bins[2].days == 10 && curve.bins[9].observed == 1)
    #expect(abs(curve.error - 0.05 * 10 / 11) < 1e-9)
  }

  @Test func `A table is read by its columns`() throws {
    let people = try LabelledTable.people(
      """
      p,d,hour,bpm,missed,answer,source,steps
      anna,3,9.5,61,0,,watch,4000
      anna,3,15,63,0,,watch,4000

      anna,4,,,1,missed,,
      bo,0,12,70,0,taken,ring,
      """)
    #expect(people.map(\.name) == ["anna", "bo"])
    #expect(people[0].days.map(\.isMissed) == [false, true])
    #expect(people[0].days[0].day.readings.map(\.bpm) == [61, 63])
    #expect(people[0].days[0].day.steps == 4000 && people[0].days[1].day.readings.isEmpty)
    #expect(people[0].days[1].answer == .missed && people[1].days[0].answer == .taken)
  }

  @Test(arguments: [
    ("", 1), ("p,d", 1), ("p,d,missed,x", 1), ("p,d,missed,p", 1), ("\(names)\n1,2", 2),
    ("p,d,missed\n1,x,0", 2), ("p,d,missed\n1,5,0\n1,4,0", 3), ("p,d,missed\n1,5,2", 2),
    ("p,d,missed\n,5,0", 2), ("p,d,missed,bpm\n1,5,0,fast", 2),
    ("p,d,missed,answer\n1,5,0,maybe", 2), ("p,d,missed,bpm\n1,5,0,inf", 2),
  ])
  func `A mistake is reported with its row`(text: String, row: Int) {
    do throws(LabelledTable.Fault) {
      _ = try LabelledTable.people(text)
      Issue.record("accepted: \(text)")
    } catch {
      #expect(error.row == row && !error.text.isEmpty)
    }
  }

  @Test func `Numbers are written with a fixed count of decimals`() {
    #expect(0.5.decimals(3) == "0.500" && 12.0.decimals(0) == "12")
    #expect((-1.25).decimals(1) == "-1.3" && (-0.001).decimals(2) == "0.00")
    #expect(Double.nan.decimals(2) == "-" && 0.996.decimals(2) == "1.00")
  }
}

extension String {
  /// Returns how often a text occurs.
  fileprivate func components(of text: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
