// SPDX-License-Identifier: Apache-2.0

import HeartRate
import Localization

/// Describes the limit of a heart rate, and how a value compares with it.
struct HeartRateText: Sendable {
  let localizer: Localizer

  /// Returns the current limit and who set it.
  func limit(_ facts: HeartRateFacts) -> String {
    if facts.settings.method == .model {
      return localizer.text("heart-rate-monitoring.limit-of-model")
    }
    guard let value = facts.outcome.boundary else {
      return localizer.text("heart-rate-monitoring.limit-unset")
    }
    return localizer.text(
      "heart-rate-monitoring.limit-of",
      [
        "rate": .text(localizer.heartRate(value)),
        "owner": .text(facts.boundary?.owner.rawValue ?? "own"),
        "name": .text(facts.boundary?.byName ?? ""),
      ])
  }

  /// Returns a limit as it was set, to compare old and new.
  func setting(_ setting: BoundarySetting?) -> String {
    guard let setting, let value = setting.value else {
      return localizer.text(
        "heart-rate-monitoring.limit-found",
        ["gap": .number(Int((setting?.gap ?? HeartRateSettings.usualGap).rounded()))])
    }
    return localizer.text(
      "heart-rate-monitoring.limit-of",
      [
        "rate": .text(localizer.heartRate(value)), "owner": .text(setting.owner.rawValue),
        "name": .text(setting.byName),
      ])
  }

  /// Returns how today's value compares with the limit.
  func verdict(_ today: Double, _ facts: HeartRateFacts) -> String {
    guard facts.settings.method != .model, let limit = facts.outcome.boundary else {
      return localizer.text("heart-rate-monitoring.verdict-none")
    }
    return localizer.text(
      "heart-rate-monitoring.verdict-of", ["side": .text(today > limit ? "over" : "under")])
  }
}
