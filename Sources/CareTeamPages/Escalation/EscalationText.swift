// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Presentation
import Reminders

/// Formats an escalation policy: `08:00 phone, 08:05 phone again, 08:10 ntfy, 08:30 Anna`.
struct EscalationText: Sendable {
  let localizer: Localizer
  /// The names of the family, by account.
  let names: [AccountID: String]

  /// The time of the example dose, in minutes after midnight.
  static let example = 8 * 60

  func preview(_ escalation: EscalationPolicy, quiet: QuietHours?) -> String {
    var parts: [String] = []
    var last: EscalationStep?
    for step in escalation.steps {
      let isAgain = last?.channel == step.channel && last?.recipient == step.recipient
      parts.append(
        localizer.text(
          isAgain ? "escalation.preview-again" : "escalation.preview-step",
          ["time": .text(time(Self.example + step.minutes)), "who": .text(who(step))]))
      last = step
    }
    let steps = localizer.list(parts)
    guard let quiet else { return steps }
    return localizer.text(
      "escalation.preview-quiet",
      [
        "steps": .text(steps), "from": .text(time(quiet.from)), "until": .text(time(quiet.until)),
      ])
  }

  func who(_ step: EscalationStep) -> String {
    switch step.recipient {
    case .acting: step.channel.name(localizer)
    case .family(let account), .guardian(let account):
      names[account] ?? localizer.text("escalation.someone")
    }
  }

  func time(_ minutes: Int) -> String {
    let day = ((minutes % 1_440) + 1_440) % 1_440
    return localizer.time(hour: day / 60, minute: day % 60)
  }
}
