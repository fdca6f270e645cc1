// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Reminders
import Storage

/// The steps of a person's reminders while an arm adds to them; none of the person's own is lost or changed.
struct StudySteps: Sendable, Hashable {
  /// All steps.
  private(set) var all: [EscalationStep]
  /// The steps that were added.
  private(set) var added: [EscalationStep] = []

  /// Creates the steps of a person before anything is added.
  init(_ steps: [EscalationStep]) {
    all = steps
  }

  /// Adds the steps of an arm.
  ///
  /// - Parameters:
  ///   - choices: The choices of the person about reminders.
  ///   - ready: The channels on which the person can be reached.
  mutating func add(
    _ changes: StudyArmChanges, _ choices: EscalationChoices, ready: Set<ReminderChannel>
  ) {
    for minutes in changes.moreReminders { add([EscalationStep(minutes, .push)]) }
    for step in changes.channels where ready.contains(step.channel) {
      add(carried(step.channel) + [EscalationStep(step.minutes, step.channel)])
    }
    guard let minutes = changes.family else { return }
    let family = choices.family.filter { $0.isAccepted && $0.hearsDoses }.map(\.account)
    let told = family + choices.standby.waiting.map(\.account)
    guard !told.isEmpty else { return }
    // A relative with a step in the person's own list no longer gets the usual one, on which that of a waiting guardian
    // depends: both are kept.
    let usual = choices.escalation.steps.compactMap { step in
      step.recipient.account.map { EscalationStep(step.minutes, step.channel, .family($0)) }
    }
    add(usual + told.map { EscalationStep(minutes, .push, .family($0)) })
  }

  /// Adds steps together, unless the policy would have too many; a person with the most steps possible keeps them.
  private mutating func add(_ steps: [EscalationStep]) {
    var new: [EscalationStep] = []
    for step in steps where !all.contains(step) && !new.contains(step) { new.append(step) }
    guard !new.isEmpty, (try? EscalationPolicy(all + new)) != nil else { return }
    all += new
    added += new
  }

  /// Returns steps that keep the messages which went along with mail until now: a channel with a step of its own no
  /// longer goes along with another.
  private func carried(_ channel: ReminderChannel) -> [EscalationStep] {
    let acting = all.filter { $0.recipient == .acting }
    guard channel == .sms, !acting.contains(where: { $0.channel == channel }) else { return [] }
    return acting.filter { $0.channel == .mail }.map { EscalationStep($0.minutes, channel) }
  }

  /// Returns the channels of an arm on which an account can be reached: mail, and those with a confirmed address,
  /// unless they were silenced.
  static func ready(
    _ account: AccountID, silenced: Set<ReminderChannel>, in reader: any SQLReader
  ) throws(StorageError) -> Set<ReminderChannel> {
    let confirmed = try ChannelAddresses.list(account, in: reader)
      .filter { $0.confirmed != nil }.map(\.channel)
    return Set(confirmed + [.mail]).subtracting(silenced)
  }
}
