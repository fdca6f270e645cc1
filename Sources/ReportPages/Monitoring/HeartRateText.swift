// SPDX-License-Identifier: Apache-2.0

import HeartRate
import Localization

/// Says which limit a heart rate is compared with, and how it compares.
struct HeartRateText: Sendable {
  let localizer: Localizer

  /// The limit in force and whose it is.
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

  /// A limit as it was set, for comparing an old and a new one.
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

  /// How today's value stands to the limit.
  func verdict(_ today: Double, _ facts: HeartRateFacts) -> String {
    guard facts.settings.method != .model, let limit = facts.outcome.boundary else {
      return localizer.text("heart-rate-monitoring.verdict-none")
    }
    return localizer.text(
      "heart-rate-monitoring.verdict-of", ["side": .text(today > limit ? "over" : "under")])
  }
}
