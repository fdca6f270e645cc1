// SPDX-License-Identifier: Apache-2.0

import Adherence
import HeartRateMonitoring
import Localization

/// Says what was seen of a heart, in careful words: what may be linked, never what somebody did.
struct WatchWords: Sendable {
  let localizer: Localizer

  /// Whole beats a minute.
  func rate(_ bpm: Double) -> String {
    localizer.text("watching.rate", ["value": .number(Int(bpm.rounded()))])
  }

  /// The limit in force and whose it is.
  func limit(_ facts: WatchFacts) -> String {
    if facts.settings.method == .model { return localizer.text("watching.limit-of-model") }
    guard let value = facts.outcome.boundary else {
      return localizer.text("watching.limit-unset")
    }
    return localizer.text(
      "watching.limit-of",
      [
        "rate": .text(rate(value)),
        "owner": .text(facts.boundary?.owner.rawValue ?? "own"),
        "name": .text(facts.boundary?.byName ?? ""),
      ])
  }

  /// A limit as it was set, for comparing an old and a new one.
  func setting(_ setting: BoundarySetting?) -> String {
    guard let setting, let value = setting.value else {
      return localizer.text(
        "watching.limit-found",
        ["gap": .number(Int((setting?.gap ?? WatchSettings.usualGap).rounded()))])
    }
    return localizer.text(
      "watching.limit-of",
      [
        "rate": .text(rate(value)), "owner": .text(setting.owner.rawValue),
        "name": .text(setting.byName),
      ])
  }

  /// How today's value stands to the limit.
  func verdict(_ today: Double, _ facts: WatchFacts) -> String {
    guard facts.settings.method != .model, let limit = facts.outcome.boundary else {
      return localizer.text("watching.verdict-none")
    }
    return localizer.text(
      "watching.verdict-of", ["side": .text(today > limit ? "over" : "under")])
  }

  /// What a warning saw, in one sentence.
  func seen(_ warning: Warning) -> String {
    let finding = warning.finding
    guard warning.kind == .heart, let seen = finding.heartRate else {
      return localizer.text("watching.seen-wear")
    }
    if let limit = finding.boundary {
      return localizer.text(
        "watching.seen-limit", ["rate": .text(rate(seen)), "limit": .text(rate(limit))])
    }
    return localizer.text(
      "watching.seen-usual",
      ["rate": .text(rate(seen)), "usual": .text(rate(finding.usual ?? seen))])
  }

  /// What it may be linked to; a medicine is named as a possibility only where one is watched.
  func mayBe(_ warning: Warning) -> String {
    let fewSteps = warning.finding.stepsShare.map { $0 < 0.6 } ?? false
    return localizer.text(
      "watching.may-be",
      [
        "of": .text(warning.isWatched ? "medicine" : "pulse"),
        "steps": .text(fewSteps ? "few" : "usual"),
      ])
  }

  /// What was said and what came of it, for the log.
  func answer(_ warning: Warning) -> String {
    guard let answer = warning.answer else { return localizer.text("watching.log.unanswered") }
    return localizer.text(
      "watching.log.answer",
      ["answer": .text(answer.rawValue), "done": .text(warning.done?.rawValue ?? "none")])
  }
}
