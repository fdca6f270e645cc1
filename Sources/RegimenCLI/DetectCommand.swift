// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HeartRateMonitoring

/// The command `regimen detect`.
struct DetectCommand: ParsableCommand {
  /// The methods to evaluate a day.
  enum Method: String, ExpressibleByArgument, CaseIterable {
    case boundary
    case dynamic
    case model
  }

  static let configuration = CommandConfiguration(
    commandName: "detect",
    abstract:
      "Checks resting heart rates, day by day, for beta-blocker doses that may have been missed.",
    discussion: """
      Reads one JSON object per line, a person's days in their order: {"p","d","agent","slot","dose",\
      "readings":[[hour,bpm,source],...],"steps","answer"} and answers each in place: \
      {"p","d","alert","score"} or {"p","d","error"}. "answer" (taken, missed or none) is what the person \
      says if asked, and is used only on a day with an alert. An alert is a reason to ask, never a \
      verdict. Needs no data folder and no server.

      With --evaluate, the file is a table of labelled people instead, with the columns p, d, agent, slot, \
      dose, hour, bpm, source, steps, answer and missed (1 or 0), one reading per row, and the answer is a \
      comparison of the methods.
      """)

  @Option(help: "Method: boundary, dynamic or model.")
  var method = Method.model
  @Option(help: "Accepted days with a false alert per person in 30 days.")
  var budget = 0.5
  @Option(
    help: "The limit instead of a budget: bpm above average, or a score for model.")
  var threshold: Double?
  @Flag(help: "Compare the methods on a table of labelled people.")
  var evaluate = false
  @Option(help: "With --evaluate, the file for a picture (SVG).")
  var figure: String?
  @Argument(help: "The file, or - for standard input.")
  var file = "-"

  func validate() throws {
    guard budget > 0, budget <= 30 else {
      throw ValidationError("The budget must be above 0 and at most 30.")
    }
    if let threshold, !threshold.isFinite {
      throw ValidationError("The threshold must be a number.")
    }
    if figure != nil, !evaluate {
      throw ValidationError("--figure needs --evaluate.")
    }
  }

  func run() throws {
    if evaluate {
      try DetectEvaluation.run(file: file, budget: budget, figure: figure)
      return
    }
    var responder = DetectResponder(detector)
    try AnsweredLine.answerAll(of: file) { responder.answer($0, into: &$1) }
  }

  private func detector() -> any HeartDetector {
    switch (method, threshold) {
    case (.boundary, let gap?): BoundaryRule(.fixed, gap: gap)
    case (.boundary, nil): BoundaryRule(.fixed, budget: budget)
    case (.dynamic, let gap?): BoundaryRule(.dynamic, gap: gap)
    case (.dynamic, nil): BoundaryRule(.dynamic, budget: budget)
    case (.model, let threshold?): HeartModel(threshold: threshold)
    case (.model, nil): HeartModel(budget: budget)
    }
  }
}
