// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Presentation
import Reminders
import Web

/// The steps of an escalation policy, as typed.
struct EscalationInput: Sendable {
  struct Row: Sendable, Hashable {
    var minutes: String
    var channel: String
    /// The account of a family member; empty for those who act for the person.
    var recipient: String
  }

  enum Mistake: Error, Sendable, Hashable {
    /// A step whose minutes are not a number, or whose channel or person is not available.
    case row(Int)
    case escalation(EscalationProblem)

    var field: String {
      switch self {
      case .row(let index): EscalationInput.name("minutes", index)
      case .escalation: EscalationInput.name("minutes", 0)
      }
    }

    func message(_ localizer: Localizer) -> String {
      switch self {
      case .row: localizer.text("escalation.error.minutes")
      case .escalation(.nothingAtOnce): localizer.text("escalation.error.at-once")
      case .escalation(.minutesOutOfRange(let maximum)):
        localizer.text("escalation.error.range", ["maximum": .number(maximum)])
      case .escalation(.tooOften(let channel, let maximum)):
        localizer.text(
          "escalation.error.often",
          [
            "maximum": .number(maximum),
            "channel": .text(channel.name(localizer)),
          ])
      case .escalation(.tooManySteps(let maximum)):
        localizer.text("escalation.error.many", ["maximum": .number(maximum)])
      }
    }
  }

  /// The number of empty steps that the form offers.
  private static let spare = 2

  var rows: [Row]

  init(_ escalation: EscalationPolicy) {
    rows = escalation.steps.map { step in
      Row(
        minutes: String(step.minutes), channel: step.channel.rawValue,
        recipient: step.recipient.account?.text ?? "")
    }
    let room = min(Self.spare, EscalationPolicy.mostSteps - rows.count)
    rows += Array(
      repeating: Row(minutes: "", channel: ReminderChannel.push.rawValue, recipient: ""),
      count: max(0, room))
  }

  init(_ form: FormBody) {
    rows = (0..<EscalationPolicy.mostSteps).compactMap { index in
      guard let channel = form.text(Self.name("channel", index)) else { return nil }
      return Row(
        minutes: form.text(Self.name("minutes", index)) ?? "", channel: channel,
        recipient: form.text(Self.name("to", index)) ?? "")
    }
  }

  static func name(_ field: String, _ index: Int) -> String { "\(field)-\(index)" }

  /// Returns the policy; steps without minutes are ignored.
  func escalation(family: Set<AccountID>, guardians: Set<AccountID> = []) throws(Mistake)
    -> EscalationPolicy
  {
    var steps: [EscalationStep] = []
    for (index, row) in rows.enumerated() where !row.minutes.isEmpty {
      guard let minutes = Int(row.minutes), let channel = ReminderChannel(rawValue: row.channel),
        row.recipient.isEmpty || family.contains(AccountID(row.recipient))
          || guardians.contains(AccountID(row.recipient))
      else { throw .row(index) }
      let recipient: EscalationStep.Recipient =
        row.recipient.isEmpty
        ? .acting
        : family.contains(AccountID(row.recipient))
          ? .family(AccountID(row.recipient)) : .guardian(AccountID(row.recipient))
      steps.append(EscalationStep(minutes, channel, recipient))
    }
    do throws(EscalationProblem) {
      return try EscalationPolicy(steps)
    } catch {
      throw .escalation(error)
    }
  }
}
