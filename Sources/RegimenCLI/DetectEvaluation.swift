// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeartRateMonitoring

/// The evaluation of `regimen detect` on labelled people.
enum DetectEvaluation {
  /// Prints the report about a table of labelled people, and writes the picture if a path is given.
  static func run(file: String, budget: Double, figure: String?) throws {
    let handle = try InputFile.open(file)
    let bytes: Data
    do {
      bytes = try handle.readToEnd() ?? Data()
    } catch {
      throw CommandFailure(description: "\(file) cannot be read.")
    }
    let people: [LabelledPerson]
    do throws(LabelledTable.Fault) {
      people = try LabelledTable.people(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw CommandFailure(description: "Row \(error.row) of \(file): \(error.text)")
    }
    let report = EvaluationReport(people, budget: budget)
    for line in report.lines { print(line) }
    guard let figure else { return }
    let svg = EvaluationFigure(people, calibration: report.calibration).svg
    do {
      try Data(svg.utf8).write(to: URL(filePath: figure))
    } catch {
      throw CommandFailure(description: "\(figure) cannot be written.")
    }
  }
}
