// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Localization

/// The sentences about a warning, in careful words: a possible connection, never what someone did.
package struct WarningText: Sendable {
  private let localizer: Localizer

  /// Creates the sentences in the language of a localizer.
  package init(localizer: Localizer) {
    self.localizer = localizer
  }

  /// Returns one sentence about the values that were seen.
  package func seen(_ warning: Warning) -> String {
    let finding = warning.finding
    guard warning.kind == .heart, let seen = finding.heartRate else {
      return localizer.text("heart-rate-monitoring.seen-wear")
    }
    let rate = MessageArgument.text(localizer.heartRate(seen))
    if let limit = finding.boundary {
      return localizer.text(
        "heart-rate-monitoring.seen-limit",
        [
          "rate": rate, "limit": .text(localizer.heartRate(limit)),
          "days": .number(finding.daysRaised),
        ])
    }
    if let beats = warning.beatsAboveUsual, beats > 0 {
      return localizer.text(
        "heart-rate-monitoring.seen-above",
        [
          "rate": rate, "beats": .number(beats), "days": .number(finding.daysRaised),
          "illness": .text(warning.hasNoSignOfIllness ? "none" : "unknown"),
        ])
    }
    return localizer.text(
      "heart-rate-monitoring.seen-usual",
      ["rate": rate, "usual": .text(localizer.heartRate(finding.usual ?? seen))])
  }

  /// Returns a sentence about the possible cause; it names a medicine only if one was monitored.
  package func mayBe(_ warning: Warning) -> String {
    let fewSteps = warning.finding.stepsShare.map { $0 < Warning.fewSteps } ?? false
    return localizer.text(
      "heart-rate-monitoring.may-be",
      [
        "of": .text(warning.isMonitored ? "medicine" : "pulse"),
        "steps": .text(fewSteps ? "few" : "usual"),
      ])
  }

  /// Returns a sentence for professionals about the probability of a missed dose and its reliability; nil if
  /// the method gave none.
  package func probability(_ warning: Warning) -> String? {
    guard warning.kind == .heart, let probability = warning.finding.probability else { return nil }
    return localizer.text(
      "heart-rate-monitoring.probability",
      [
        "percent": .number(Int((probability * 100).rounded())),
        "real": .number(QuestionReliability.band(of: probability).real),
      ])
  }

  /// Returns the answer and its outcome as text, for the log.
  package func answer(_ warning: Warning) -> String {
    guard let answer = warning.answer else {
      return localizer.text("heart-rate-monitoring.log.unanswered")
    }
    return localizer.text(
      "heart-rate-monitoring.log.answer",
      ["answer": .text(answer.rawValue), "done": .text(warning.done?.rawValue ?? "none")])
  }
}

extension Localizer {
  /// Returns a heart rate as text, in whole beats per minute.
  package func heartRate(_ bpm: Double) -> String {
    text("heart-rate-monitoring.rate", ["value": .number(Int(bpm.rounded()))])
  }
}
