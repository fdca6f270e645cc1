// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HeartRate
import Identifiers
import People
import Reminders
import Storage

/// The settings that an arm added for a person, so that they can be taken back without touching the person's own.
struct StudySettings: Sendable, Hashable {
  /// The minutes of the notifications that were added.
  var reminders: [Int] = []
  /// True if the person had steps of their own before.
  var hadOwnSteps = false
  /// The medicines that got an announcement, and its minutes.
  var notices: [PlanID] = []
  /// The minutes of these announcements.
  var notice = 0
  /// True if questions about the heart rate were switched on.
  var asksHeartRate = false

  /// Adds what an arm changes: a setting that the person already has stays as it is.
  static func add(
    _ changes: StudyArmChanges, to patient: PatientID, accounts: AccountStore,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws -> StudySettings {
    var settings = StudySettings()
    try settings.addReminders(changes.moreReminders, patient, accounts, context, in: writer)
    if let minutes = changes.earlyNotice {
      try settings.addNotices(minutes, patient, context, in: writer)
    }
    if changes.asksHeartRate {
      var choices = try HeartRateQueries.settings(of: patient, in: writer)
      if !choices.isOn {
        choices.isOn = true
        try HeartRateCommands.save(choices, of: patient, context, in: writer)
        settings.asksHeartRate = true
      }
    }
    return settings
  }

  /// Takes back what is still as the arm left it.
  func remove(
    from patient: PatientID, accounts: AccountStore, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    try removeReminders(patient, accounts, context, in: writer)
    for plan in notices {
      var choice = try EscalationCommands.reminders(of: plan, patient: patient, in: writer)
      guard choice.lead == notice else { continue }
      choice.lead = nil
      try EscalationCommands.keep(
        choice, of: plan, patient: patient, by: context.actor.accountID, at: context.now,
        in: writer)
    }
    if asksHeartRate {
      var choices = try HeartRateQueries.settings(of: patient, in: writer)
      if choices.isOn {
        choices.isOn = false
        try HeartRateCommands.save(choices, of: patient, context, in: writer)
      }
    }
  }

  // MARK: Reminders

  /// Returns the steps that a person set up, or the standard ones; waiting guardians get theirs from elsewhere.
  private static func steps(
    of patient: PatientID, _ accounts: AccountStore, _ context: CommandContext,
    in reader: any SQLReader
  ) throws -> (steps: [EscalationStep], isOwn: Bool) {
    let choices = try EscalationCommands.choices(
      of: patient, account: context.actor.accountID, accounts: accounts, zones: context.zones,
      at: context.now, in: reader)
    guard choices.isOwn else { return (EscalationPolicy.standard.steps, false) }
    let steps = choices.escalation.steps.filter { step in
      if case .guardian = step.recipient { false } else { true }
    }
    return (steps, true)
  }

  private mutating func addReminders(
    _ minutes: [Int], _ patient: PatientID, _ accounts: AccountStore, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    guard !minutes.isEmpty else { return }
    let found = try Self.steps(of: patient, accounts, context, in: writer)
    var steps = found.steps
    hadOwnSteps = found.isOwn
    for minute in minutes where !steps.contains(EscalationStep(minute, .push)) {
      // A person with the most steps possible keeps them.
      guard let policy = try? EscalationPolicy(steps + [EscalationStep(minute, .push)]) else {
        continue
      }
      steps = policy.steps
      reminders.append(minute)
    }
    guard !reminders.isEmpty, let policy = try? EscalationPolicy(steps) else { return }
    try EscalationCommands.keep(
      policy, of: patient, by: context.actor.accountID, at: context.now, in: writer)
  }

  private func removeReminders(
    _ patient: PatientID, _ accounts: AccountStore, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    guard !reminders.isEmpty else { return }
    let (steps, isOwn) = try Self.steps(of: patient, accounts, context, in: writer)
    // The person went back to the standard steps meanwhile.
    guard isOwn else { return }
    let added = Set(reminders.map { EscalationStep($0, .push) })
    let left = steps.filter { !added.contains($0) }
    let acting = left.filter { $0.recipient == .acting }
    let isStandard = !hadOwnSteps && acting == EscalationPolicy.standard.steps
    guard let policy = try? EscalationPolicy(left) else { return }
    try EscalationCommands.keep(
      isStandard ? nil : policy, of: patient, by: context.actor.accountID, at: context.now,
      in: writer)
  }

  private mutating func addNotices(
    _ minutes: Int, _ patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    notice = minutes
    for plan in try StudyQueries.activePlans(of: patient, in: writer) {
      var choice = try EscalationCommands.reminders(of: plan, patient: patient, in: writer)
      guard choice.lead == nil, !choice.isSilent else { continue }
      choice.lead = minutes
      try EscalationCommands.keep(
        choice, of: plan, patient: patient, by: context.actor.accountID, at: context.now,
        in: writer)
      notices.append(plan)
    }
  }
}

extension StudySettings {
  /// The settings as they are kept with the participant.
  var json: String {
    let object: JSONValue = [
      "reminders": .array(reminders.map { .number(JSONNumber($0)) }),
      "hadOwnSteps": .bool(hadOwnSteps),
      "notices": .array(notices.map { .string($0.text) }),
      "notice": .number(JSONNumber(notice)), "asksHeartRate": .bool(asksHeartRate),
    ]
    return object.text
  }

  /// Creates the settings from their kept form; anything unknown counts as none.
  init(json: String) {
    let object = try? JSONValue(parsing: json)
    reminders = object?["reminders"]?.array?.compactMap { $0.number?.integer } ?? []
    hadOwnSteps = object?["hadOwnSteps"]?.bool ?? false
    notices = object?["notices"]?.array?.compactMap { $0.string.map { PlanID($0) } } ?? []
    notice = object?["notice"]?.number?.integer ?? 0
    asksHeartRate = object?["asksHeartRate"]?.bool ?? false
  }
}
