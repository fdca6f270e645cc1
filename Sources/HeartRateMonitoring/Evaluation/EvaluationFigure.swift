// SPDX-License-Identifier: Apache-2.0

/// A picture of an evaluation: lapses found against false alert days, and the calibration of the model.
public struct EvaluationFigure: Sendable {
  private static let budgets = [0.125, 0.25, 0.5, 1, 2]
  private static let side = 260.0
  private static let colours: [DetectorEvaluation.Method: String] = [
    .boundary: "#767676", .dynamic: "#b35900", .model: "#0b5cad",
  ]

  private let curves: [(method: DetectorEvaluation.Method, points: [(x: Double, y: Double)])]
  private let calibration: CalibrationCurve

  /// Evaluates every method at several budgets.
  public init(_ people: [LabelledPerson], calibration: CalibrationCurve) {
    let evaluation = DetectorEvaluation(people)
    self.calibration = calibration
    curves = DetectorEvaluation.Method.allCases.map { method in
      let points = Self.budgets.compactMap { budget -> (x: Double, y: Double)? in
        let counts = evaluation.matched(method, budget: budget).counts
        return counts.sensitivity([.twoDays, .holiday]).map { (counts.falseDaysAMonth, $0) }
      }
      return (method, points)
    }
  }

  private static let title = "Lapses of two days and more found, and calibration"

  /// The picture as SVG.
  public var svg: String {
    var parts = [
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 360" font-family="sans-serif" "#
        + #"font-size="12" role="img">"#,
      "<title>\(Self.title)</title>",
      #"<rect width="720" height="360" fill="white"/>"#,
    ]
    parts += axes(60, "false alert days in 30 days", "lapses of 2+ days found", most: 2)
    for curve in curves {
      let colour = Self.colours[curve.method] ?? "#000"
      parts.append(line(curve.points.map { ($0.x / 2, $0.y) }, from: 60, colour))
      if let last = curve.points.last {
        parts.append(
          text(curve.method.rawValue, at(last.x / 2, last.y, from: 60), "end", offset: -6, colour))
      }
    }
    parts += axes(420, "probability given", "share with a missed dose", most: 1)
    parts.append(line([(0, 0), (1, 1)], from: 420, "#bbb"))
    let bins = calibration.bins.compactMap { bin -> (Double, Double)? in
      guard let foretold = bin.foretold, let observed = bin.observed else { return nil }
      return (foretold, observed)
    }
    parts.append(line(bins, from: 420, "#0b5cad"))
    return parts.joined(separator: "\n") + "\n</svg>\n"
  }

  private func at(_ x: Double, _ y: Double, from left: Double) -> (x: Double, y: Double) {
    (left + min(max(x, 0), 1) * Self.side, 300 - min(max(y, 0), 1) * Self.side)
  }

  private func line(_ points: [(Double, Double)], from left: Double, _ colour: String) -> String {
    let placed = points.map { at($0.0, $0.1, from: left) }
    let path = placed.map { "\($0.x.decimals(1)),\($0.y.decimals(1))" }.joined(separator: " ")
    let dots = placed.map {
      #"<circle cx="\#($0.x.decimals(1))" cy="\#($0.y.decimals(1))" r="3" fill="\#(colour)"/>"#
    }
    return #"<polyline points="\#(path)" fill="none" stroke="\#(colour)" stroke-width="2"/>"#
      + dots.joined()
  }

  private func axes(_ left: Double, _ below: String, _ beside: String, most: Double) -> [String] {
    var parts = [
      #"<path d="M\#(left.decimals(0)) 40V300H\#((left + Self.side).decimals(0))" "#
        + #"fill="none" stroke="black"/>"#,
      text(below, (left + Self.side / 2, 340), "middle", offset: 0, "black"),
      text(beside, (left - 30, 24), "start", offset: 0, "black"),
    ]
    for step in 0...4 {
      let share = Double(step) / 4
      let place = at(share, share, from: left)
      parts.append(text((share * most).decimals(2), (place.x, 318), "middle", offset: 0, "black"))
      parts.append(text(share.decimals(2), (left - 6, place.y + 4), "end", offset: 0, "black"))
    }
    return parts
  }

  private func text(
    _ text: String, _ place: (x: Double, y: Double), _ anchor: String, offset: Double,
    _ colour: String
  ) -> String {
    #"<text x="\#(place.x.decimals(1))" y="\#((place.y + offset).decimals(1))" "#
      + #"text-anchor="\#(anchor)" fill="\#(colour)">\#(text)</text>"#
  }
}
