// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// One step: the minutes after the time to ring, the channel and the recipients.
package struct EscalationStep: Sendable, Hashable {
  /// The recipients of a step.
  package enum Recipient: Sendable, Hashable {
    /// Everyone who acts for the patient.
    case acting
    /// A family member, by their account; only while both sides want it.
    case family(AccountID)
    /// A guardian who chose to be informed only if no one answers, by their account.
    case guardian(AccountID)

    /// The single account of the step; nil for everyone who acts.
    package var account: AccountID? {
      switch self {
      case .acting: nil
      case .family(let account), .guardian(let account): account
      }
    }
  }

  /// The minutes after the time to ring.
  package var minutes: Int
  /// The channel of the step.
  package var channel: ReminderChannel
  /// The recipients of the step.
  package var recipient: Recipient

  /// Creates a step, by default for everyone who acts for the patient.
  package init(_ minutes: Int, _ channel: ReminderChannel, _ recipient: Recipient = .acting) {
    self.minutes = minutes
    self.channel = channel
    self.recipient = recipient
  }
}

/// A reason why steps do not form a valid policy.
package enum EscalationProblem: Error, Sendable, Hashable {
  /// No step at minute 0 goes to those who act for the patient.
  case nothingAtOnce
  case minutesOutOfRange(maximum: Int)
  /// Too many steps of one channel go to the same recipients.
  case tooOften(ReminderChannel, maximum: Int)
  case tooManySteps(maximum: Int)
}

/// The steps by which a reminder becomes more insistent until someone answers.
package struct EscalationPolicy: Sendable, Hashable {
  /// The steps in order of time.
  package let steps: [EscalationStep]

  /// The standard policy: push at once and after 5 minutes, ntfy (with webhooks and calls) after
  /// 10, mail (with text messages) after 20.
  package static let standard = EscalationPolicy(
    unchecked: [.init(0, .push), .init(5, .push), .init(10, .ntfy), .init(20, .mail)])
  /// The minutes after which family members are informed, unless chosen otherwise.
  package static let familyMinutes = 30
  /// The minutes between one waiting guardian and the next.
  package static let guardianMinutes = 10
  /// The latest step, in minutes: 12 hours.
  package static let maximumMinutes = 12 * 60
  /// The most steps of one channel to the same recipients.
  package static let mostOfChannel = 4
  /// The most steps of a policy that a person sets up.
  package static let mostSteps = 12

  private init(unchecked steps: [EscalationStep]) {
    self.steps = steps
  }

  /// Returns the policy with agreed steps added to those that a person set up; the limits of the form do not
  /// apply to them.
  private func with(_ more: [EscalationStep]) -> EscalationPolicy {
    EscalationPolicy(unchecked: Self.inOrder(steps + more))
  }

  /// Returns the policy without the steps of some family members.
  func without(family accounts: Set<AccountID>) -> EscalationPolicy {
    EscalationPolicy(
      unchecked: steps.filter { step in
        if case .family(let account) = step.recipient { !accounts.contains(account) } else { true }
      })
  }

  /// Returns one step for those who act for the patient, then the step of each family member.
  func ofQuestion(withFamily: Bool) -> EscalationPolicy {
    let family = steps.filter { step in
      if case .family = step.recipient { true } else { false }
    }
    return EscalationPolicy(unchecked: [EscalationStep(0, .push)] + (withFamily ? family : []))
  }

  private static func inOrder(_ steps: [EscalationStep]) -> [EscalationStep] {
    steps.enumerated()
      .sorted { ($0.element.minutes, $0.offset) < ($1.element.minutes, $1.offset) }
      .map(\.element)
  }

  /// Creates a policy from steps, which are sorted by time.
  ///
  /// Throws if they are not usable.
  package init(_ steps: [EscalationStep]) throws(EscalationProblem) {
    let sorted = Self.inOrder(steps)
    guard let first = sorted.first(where: { $0.recipient == .acting }), first.minutes == 0 else {
      throw .nothingAtOnce
    }
    guard sorted.allSatisfy({ (0...Self.maximumMinutes).contains($0.minutes) }) else {
      throw .minutesOutOfRange(maximum: Self.maximumMinutes)
    }
    guard sorted.count <= Self.mostSteps else { throw .tooManySteps(maximum: Self.mostSteps) }
    for channel in ReminderChannel.allCases {
      let counts = Dictionary(grouping: sorted.filter { $0.channel == channel }, by: \.recipient)
      if counts.values.contains(where: { $0.count > Self.mostOfChannel }) {
        throw .tooOften(channel, maximum: Self.mostOfChannel)
      }
    }
    self.steps = sorted
  }

  /// Returns the channels on which a step goes out.
  ///
  /// The ntfy step includes calls and webhooks, and the mail step text messages, unless the policy
  /// has separate steps of these channels for the same people.
  func channels(with step: EscalationStep) -> Set<ReminderChannel> {
    let along: Set<ReminderChannel> =
      switch step.channel {
      case .ntfy: [.webhook, .call]
      case .mail: [.sms]
      case .push, .webhook, .sms, .call: []
      }
    guard !along.isEmpty else { return [step.channel] }
    let own = steps.filter { $0.recipient == step.recipient }.map(\.channel)
    return along.subtracting(own).union([step.channel])
  }

  /// Returns the policy with a step for each agreed family member who has none yet.
  package func joined(by family: [AccountID]) -> EscalationPolicy {
    let known = Set(steps.map(\.recipient))
    let more = family.filter { !known.contains(.family($0)) }
      .map { EscalationStep(Self.familyMinutes, .push, .family($0)) }
    return with(more)
  }

  /// Returns the policy with a step for each waiting guardian, one after another, after the family.
  package func joined(byGuardians guardians: [AccountID]) -> EscalationPolicy {
    let known = Set(steps.map(\.recipient))
    let family = steps.filter { if case .family = $0.recipient { true } else { false } }
    let first = family.map { $0.minutes + Self.guardianMinutes }.max() ?? Self.familyMinutes
    var escalation = self
    for (place, guardian) in guardians.enumerated() where !known.contains(.guardian(guardian)) {
      let minutes = min(first + place * Self.guardianMinutes, Self.maximumMinutes)
      escalation = escalation.with([EscalationStep(minutes, .push, .guardian(guardian))])
    }
    return escalation
  }
}

// MARK: Fixed for one generation

extension EscalationPolicy {
  /// The policy as a reminder stores it: a line for each step.
  var text: String {
    steps.map { "\($0.minutes) \($0.channel.rawValue) \($0.recipient.text)" }
      .joined(separator: "\n")
  }

  /// Reads the form of ``text``; nil if this program cannot read it.
  init?(text: String) {
    var steps: [EscalationStep] = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let minutes = Int(parts[0]),
        (0...Self.maximumMinutes).contains(minutes),
        let channel = ReminderChannel(rawValue: String(parts[1])),
        let recipient = EscalationStep.Recipient(text: parts[2])
      else { return nil }
      steps.append(EscalationStep(minutes, channel, recipient))
    }
    guard !steps.isEmpty else { return nil }
    self.init(unchecked: steps)
  }

  /// Returns the fixed policy with the steps of people who joined since, after the steps that were sent.
  ///
  /// A step that was sent keeps its place, so that its number always identifies it. People who joined are
  /// informed at their own minutes, or next if these have passed.
  func joined(from present: EscalationPolicy, fired: Int, elapsedMinutes: Int) -> EscalationPolicy {
    let known = Set(steps.map(\.recipient))
    let more = present.steps.filter { $0.recipient != .acting && !known.contains($0.recipient) }
    guard !more.isEmpty else { return self }
    let fired = min(max(fired, 0), steps.count)
    let rest = Array(steps[fired...])
    // A delayed step is later than its minutes say; no one has to wait longer for it.
    let earliest = min(rest.first?.minutes ?? elapsedMinutes, elapsedMinutes, Self.maximumMinutes)
    return EscalationPolicy(
      unchecked: Array(steps[..<fired])
        + Self.inOrder(
          rest + more.map { EscalationStep(max($0.minutes, earliest), $0.channel, $0.recipient) }))
  }
}

extension EscalationStep.Recipient {
  fileprivate var text: String {
    switch self {
    case .acting: "acting"
    case .family(let account): "family \(account)"
    case .guardian(let account): "guardian \(account)"
    }
  }

  fileprivate init?(text: Substring) {
    let parts = text.split(separator: " ", maxSplits: 1)
    switch (parts.first, parts.count) {
    case ("acting", 1): self = .acting
    case ("family", 2): self = .family(AccountID(String(parts[1])))
    case ("guardian", 2): self = .guardian(AccountID(String(parts[1])))
    default: return nil
    }
  }
}

/// The hours in which a person is not woken again, on their own clock.
package struct QuietHours: Sendable, Hashable {
  /// The minute after midnight at which the quiet hours start, from 0 to 1439; they can span
  /// midnight.
  package let from: Int
  /// The minute after midnight at which the quiet hours end, from 0 to 1439.
  package let until: Int

  /// Creates quiet hours; nil if both minutes are equal or one is not from 0 to 1439.
  package init?(from: Int, until: Int) {
    guard (0..<1_440).contains(from), (0..<1_440).contains(until), from != until else { return nil }
    self.from = from
    self.until = until
  }
}
