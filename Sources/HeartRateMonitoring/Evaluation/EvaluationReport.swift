// SPDX-License-Identifier: Apache-2.0

/// The result of an evaluation as lines of text.
public struct EvaluationReport: Sendable {
  private typealias Figure = (title: String, value: @Sendable (LapseCounts) -> Double?)

  private static let figures: [Figure] = [
    ("1 day", { $0.sensitivity([.single]) }), ("2 days", { $0.sensitivity([.twoDays]) }),
    ("3+ days", { $0.sensitivity([.holiday]) }),
    ("2+ days", { $0.sensitivity([.twoDays, .holiday]) }),
    ("false days", { $0.falseDaysAMonth }),
  ]
  private static let width = 22

  /// Each method with the same false alert days on this data.
  public let matched: [DetectorEvaluation.Result]
  /// Each method as the program is set for the budget.
  public let shipped: [DetectorEvaluation.Result]
  /// The calibration of the model's probability.
  public let calibration: CalibrationCurve
  private let people: Int
  private let days: Int
  private let budget: Double

  /// Evaluates every method for a budget of false alert days in a month.
  public init(_ people: [LabelledPerson], budget: Double) {
    let evaluation = DetectorEvaluation(people)
    self.people = people.count
    self.budget = budget
    days = people.reduce(0) { $0 + $1.days.count }
    matched = DetectorEvaluation.Method.allCases.map { evaluation.matched($0, budget: budget) }
    shipped = DetectorEvaluation.Method.allCases.map { evaluation.shipped($0, budget: budget) }
    calibration = evaluation.calibration(budget: budget)
  }

  /// The lines of the report.
  public var lines: [String] {
    let counts = shipped[0].counts
    var lines = [
      "\(people) people, \(days) days; lapses after the first \(learningDays) days: "
        + "\(counts.lapses([.single])) of one day, \(counts.lapses([.twoDays])) of two, "
        + "\(counts.lapses([.holiday])) longer",
      "share of lapses found and false alert days in 30 days, with 95 % intervals over people",
      "with the threshold that allows \(budget) on this data:",
    ]
    lines += table(matched)
    lines.append("with the program's threshold for \(budget):")
    lines += table(shipped)
    lines.append("calibration of the model's probability: error \(calibration.error.decimals(3))")
    for (index, bin) in calibration.bins.enumerated() {
      guard let foretold = bin.foretold, let observed = bin.observed else { continue }
      let tenth = Double(index) / 10
      lines.append(
        "  \(tenth.decimals(1)) to \((tenth + 0.1).decimals(1)): foretold \(foretold.decimals(3)), "
          + "observed \(observed.decimals(3)), \(bin.days) days")
    }
    return lines
  }

  private func table(_ results: [DetectorEvaluation.Result]) -> [String] {
    let titles = Self.figures.map { $0.title.padded(Self.width) }.joined()
    return ["  \("method".padded(10))\(titles)\("delay".padded(7))threshold"]
      + results.map { result in
        let cells = Self.figures.map { figure in
          guard let found = result.interval(figure.value) else { return "-".padded(Self.width) }
          return "\(found.value.decimals(3)) (\(found.low.decimals(3))-\(found.high.decimals(3)))"
            .padded(Self.width)
        }.joined()
        let delay = result.counts.delay.map { String($0) } ?? "-"
        return "  \(result.method.rawValue.padded(10))\(cells)\(delay.padded(7))"
          + result.threshold.decimals(4)
      }
  }
}

extension Double {
  /// Returns the number rounded to a count of decimals, without Foundation.
  func decimals(_ count: Int) -> String {
    guard isFinite else { return "-" }
    var scale = 1.0
    for _ in 0..<count { scale *= 10 }
    let scaled = Int((abs(self) * scale).rounded())
    let whole = scaled / Int(scale)
    let digits = String(scaled % Int(scale))
    let sign = self < 0 && scaled > 0 ? "-" : ""
    if count == 0 { return sign + String(whole) }
    return "\(sign)\(whole).\(String(repeating: "0", count: count - digits.count))\(digits)"
  }
}

extension String {
  /// Returns the text with spaces up to a width.
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
