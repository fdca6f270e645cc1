// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import People
import Reminders
import Storage
import Testing
import TestSupport

@testable import Studies

/// The steps that an arm adds to reminders: nothing of the person's own is lost, and all of it is taken back.
@Suite struct StudyStepTests {
  private static let patient = PatientID("p")
  private static let ann = AccountID("account-p")

  private func changes(_ text: String) throws -> StudyArmChanges {
    let tells = text.contains("family")
    let file = StudySample.file(
      escalating: text, consent: tells ? StudySample.consentWithFamily : StudySample.consent)
    return try StudyFile(Array(file.utf8)).definition.arms[1].changes
  }

  private static let texts = #"{"channels": [{"channel": "sms", "minutes": 45}], "family": 60}"#

  @Test func `a channel that is not set up gets no step`() throws {
    var steps = StudySteps(EscalationPolicy.standard.steps)
    steps.add(try changes(Self.texts), EscalationChoices(), ready: [.mail])
    #expect(steps.added.isEmpty && steps.all == EscalationPolicy.standard.steps)
  }

  @Test func `text messages that went along with mail still do`() throws {
    var steps = StudySteps(EscalationPolicy.standard.steps)
    steps.add(try changes(Self.texts), EscalationChoices(), ready: [.mail, .sms])
    #expect(steps.added == [EscalationStep(20, .sms), EscalationStep(45, .sms)])
    // With steps of its own, the channel needs nothing kept.
    var own = StudySteps([EscalationStep(0, .push), EscalationStep(9, .sms)])
    own.add(try changes(Self.texts), EscalationChoices(), ready: [.mail, .sms])
    #expect(own.added == [EscalationStep(45, .sms)])
  }

  @Test func `a person with the most steps possible keeps them`() throws {
    let full = (0..<EscalationPolicy.mostOfChannel).map { EscalationStep($0 * 5, .push) }
    var steps = StudySteps(full)
    steps.add(
      try changes(#"{"moreReminders": [60], "family": 60}"#), EscalationChoices(), ready: [])
    #expect(steps.added.isEmpty && steps.all == full)
  }

  @Test func `a step that the person has is not the arm's`() throws {
    var steps = StudySteps([EscalationStep(0, .push), EscalationStep(15, .push)])
    steps.add(
      try changes(#"{"moreReminders": [15, 30], "family": 60}"#), EscalationChoices(), ready: [])
    #expect(steps.added == [EscalationStep(30, .push)])
  }

  @Test func `added steps survive being kept`() throws {
    var settings = StudySettings()
    settings.steps = [EscalationStep(45, .sms), EscalationStep(60, .push, .family("bob"))]
    settings.hadOwnSteps = true
    #expect(StudySettings(json: settings.json) == settings)
    #expect(StudySettings(json: "no JSON") == StudySettings())
  }

  // MARK: With relatives

  /// Returns the steps in force, such as "30 push bob".
  private func inForce(_ world: StudyWorld) async throws -> [String] {
    let (accounts, context) = (world.accounts, world.context(Self.patient))
    return try await world.database.read { reader in
      try EscalationCommands.choices(
        of: Self.patient, account: Self.ann, accounts: accounts, zones: context.zones,
        at: context.now, in: reader
      ).escalation.steps.map { step in
        "\(step.minutes) \(step.channel.rawValue) \(step.recipient.account?.text ?? "")"
      }
    }
  }

  /// Shares doses with Bob, who is offered to be told about missed doses, and makes Carol a guardian who waits.
  private func addRelatives(_ world: StudyWorld, bobAgrees: Bool) async throws {
    let (accounts, now) = (world.accounts, StudyWorld.start)
    try await world.add(Self.patient)
    try await world.database.write { writer in
      try writer.addAccount(Self.ann, patient: Self.patient)
      try writer.addAccount("bob", patient: "bob")
      try writer.addAccount("carol", patient: "carol")
      try accounts.grant(.self_, of: Self.patient, to: Self.ann, from: now, in: writer)
      try accounts.grant(.family, of: Self.patient, to: "bob", from: now, in: writer)
      try accounts.grant(.guardian, of: Self.patient, to: "carol", from: now, in: writer)
      _ = try EscalationCommands.offer(
        to: "bob", of: Self.patient, by: Self.ann, at: now, in: writer)
      if bobAgrees {
        _ = try EscalationCommands.accept(Self.patient, account: "bob", at: now, in: writer)
      }
      _ = try EscalationStandby.choose(
        true, of: Self.patient, account: "carol", accounts: accounts, at: now, in: writer)
    }
  }

  @Test(arguments: [true, false])
  func `relatives who agreed are told once more, and hear what they heard before`(
    bobAgrees: Bool
  ) async throws {
    let world = try await StudyWorld()
    try await addRelatives(world, bobAgrees: bobAgrees)
    let (accounts, context) = (world.accounts, world.context(Self.patient))
    let changes = try changes(#"{"family": 45}"#)
    let before = try await inForce(world)
    let usual = bobAgrees ? ["30 push bob", "40 push carol"] : ["30 push carol"]
    #expect(before == ["0 push ", "5 push ", "10 ntfy ", "20 mail "] + usual)
    let settings = try await world.database.write { writer in
      try StudySettings.add(
        changes, to: Self.patient, accounts: accounts, context, in: writer)
    }
    let more = bobAgrees ? ["45 push bob", "45 push carol"] : ["45 push carol"]
    #expect(try await inForce(world) == before + more)
    try await world.database.write { writer in
      try settings.remove(from: Self.patient, context, in: writer)
    }
    #expect(try await inForce(world) == before)
    let own = try await world.database.read { reader in
      try EscalationCommands.ownSteps(of: Self.patient, in: reader)
    }
    #expect(own == nil)
  }

  @Test func `only a confirmed address makes a channel ready, unless it was silenced`()
    async throws
  {
    let world = try await StudyWorld()
    try await world.add(Self.patient)
    func ready(_ silenced: Set<ReminderChannel> = []) async throws -> Set<ReminderChannel> {
      try await world.database.read { reader in
        try StudySteps.ready(Self.ann, silenced: silenced, in: reader)
      }
    }
    try await world.database.write { writer in
      try writer.addAccount(Self.ann, patient: Self.patient)
      try writer.execute(
        """
        INSERT INTO channel_addresses (address, account, channel, form, host, settings_sealed, created)
        VALUES ('a', $1, 'sms', 'sms', '+49 …', $2, 1)
        """, [.text(Self.ann), .blob([1])])
    }
    #expect(try await ready() == [.mail])
    try await world.database.write { writer in
      try writer.execute("UPDATE channel_addresses SET confirmed = 2 WHERE address = 'a'", [])
    }
    #expect(try await ready() == [.mail, .sms])
    #expect(try await ready([.sms, .mail]) == [])
  }

  @Test func `steps of a waiting guardian in the person's own list stay`() async throws {
    let world = try await StudyWorld()
    try await addRelatives(world, bobAgrees: true)
    let (accounts, context) = (world.accounts, world.context(Self.patient))
    let changes = try changes(#"{"moreReminders": [15]}"#)
    try await world.database.write { writer in
      let own = try EscalationPolicy([
        EscalationStep(0, .push), EscalationStep(50, .push, .guardian("carol")),
      ])
      try EscalationCommands.keep(
        own, of: Self.patient, by: Self.ann, at: StudyWorld.start, in: writer)
    }
    let before = try await inForce(world)
    #expect(before == ["0 push ", "30 push bob", "50 push carol"])
    let settings = try await world.database.write { writer in
      try StudySettings.add(
        changes, to: Self.patient, accounts: accounts, context, in: writer)
    }
    #expect(
      try await inForce(world) == ["0 push ", "15 push ", "30 push bob", "50 push carol"])
    try await world.database.write { writer in
      try settings.remove(from: Self.patient, context, in: writer)
    }
    #expect(try await inForce(world) == before)
  }
}
