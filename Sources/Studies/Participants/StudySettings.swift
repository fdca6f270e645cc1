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
  /// The steps that were added to the reminders of doses.
  var steps: [EscalationStep] = []
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
    try settings.addSteps(changes, patient, accounts, context, in: writer)
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
    from patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    try removeSteps(patient, context, in: writer)
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

  private mutating func addSteps(
    _ changes: StudyArmChanges, _ patient: PatientID, _ accounts: AccountStore,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    guard changes.addsSteps else { return }
    let account = context.actor.accountID
    let own = try EscalationCommands.ownSteps(of: patient, in: writer)
    let choices = try EscalationCommands.choices(
      of: patient, account: account, accounts: accounts, zones: context.zones, at: context.now,
      in: writer)
    var all = StudySteps(own ?? EscalationPolicy.standard.steps)
    all.add(
      changes, choices,
      ready: try StudySteps.ready(account, silenced: choices.silenced, in: writer))
    guard !all.added.isEmpty, let policy = try? EscalationPolicy(all.all) else { return }
    try EscalationCommands.keep(policy, of: patient, by: account, at: context.now, in: writer)
    steps = all.added
    hadOwnSteps = own != nil
  }

  private func removeSteps(
    _ patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    // Without own steps, the person went back to the standard ones meanwhile.
    guard !steps.isEmpty, let own = try EscalationCommands.ownSteps(of: patient, in: writer)
    else { return }
    let left = own.filter { !steps.contains($0) }
    let isStandard = !hadOwnSteps && left == EscalationPolicy.standard.steps
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
      "steps": .array(steps.map(\.json)),
      "hadOwnSteps": .bool(hadOwnSteps),
      "notices": .array(notices.map { .string($0.text) }),
      "notice": .number(JSONNumber(notice)), "asksHeartRate": .bool(asksHeartRate),
    ]
    return object.text
  }

  /// Creates the settings from their kept form; anything unknown counts as none.
  init(json: String) {
    let object = try? JSONValue(parsing: json)
    steps = object?["steps"]?.array?.compactMap { EscalationStep(json: $0) } ?? []
    hadOwnSteps = object?["hadOwnSteps"]?.bool ?? false
    notices = object?["notices"]?.array?.compactMap { $0.string.map { PlanID($0) } } ?? []
    notice = object?["notice"]?.number?.integer ?? 0
    asksHeartRate = object?["asksHeartRate"]?.bool ?? false
  }
}

extension EscalationStep {
  /// The step as it is kept with the participant.
  fileprivate var json: JSONValue {
    [
      "minutes": .number(JSONNumber(minutes)), "channel": .string(channel.rawValue),
      "account": .string(recipient.account?.text ?? ""),
    ]
  }

  /// Creates a step from its kept form; nil if that is none.
  fileprivate init?(json: JSONValue) {
    guard let minutes = json["minutes"]?.number?.integer,
      let channel = json["channel"]?.string.flatMap({ ReminderChannel(rawValue: $0) }),
      let account = json["account"]?.string
    else { return nil }
    self.init(minutes, channel, account.isEmpty ? .acting : .family(AccountID(account)))
  }
}
