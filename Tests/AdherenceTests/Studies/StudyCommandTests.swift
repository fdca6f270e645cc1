// SPDX-License-Identifier: Apache-2.0

import Access
import HeartRate
import Identifiers
import Localization
import People
import Reminders
import Storage
import Testing
import TestSupport

@testable import Studies

/// Joining with a consent, the settings of arms, and withdrawing.
@Suite struct StudyCommandTests {
  /// Returns the error of a command, if it is one of a study.
  private func refusal(_ body: () async throws -> Void) async throws -> StudyError? {
    do {
      try await body()
      return nil
    } catch let error as StudyError {
      return error
    }
  }

  @Test func `a person joins with a signed consent and gets the next place of the order`()
    async throws
  {
    let world = try await StudyWorld()
    let definition = try StudyFile(Array(StudySample.text.utf8)).definition
    let order = StudyAllocation(definition, seed: StudyWorld.seed).order(6)
    for number in 0..<6 {
      let patient = PatientID("p\(number)")
      try await world.add(patient)
      #expect(try await world.join(patient).arm == order[number])
    }
    let signature = try #require(
      try await world.database.read { reader in
        try StudyQueries.signature(of: "p0", to: StudyWorld.study, in: reader)
      })
    #expect(signature.name == "Ann Example" && signature.language == "de")
    #expect(signature.signed == StudyWorld.start && signature.account == "account-p0")
    #expect(try await refusal { try await world.join("p0") } == .alreadyJoined)
  }

  @Test func `no one is enrolled without conditions, understanding, a name and oneself`()
    async throws
  {
    let world = try await StudyWorld()
    try await world.add("p")
    let minor = StudyCandidate(age: 17, hasMedicine: true)
    let unknown = StudyCandidate(age: nil, hasMedicine: true)
    let healthy = StudyCandidate(age: 44, hasMedicine: false)
    #expect(
      try await refusal { try await world.join("p", candidate: minor) } == .notEligible(.age))
    #expect(
      try await refusal { try await world.join("p", candidate: unknown) }
        == .notEligible(.noBirthDate))
    #expect(
      try await refusal { try await world.join("p", candidate: healthy) }
        == .notEligible(.medicine))
    #expect(
      try await refusal { try await world.join("p", language: .th) } == .notEligible(.language))
    #expect(
      try await refusal { try await world.join("p", answers: ["phone": false]) }
        == .notEligible(.answers))
    #expect(
      try await refusal { try await world.join("p", answers: [:]) } == .notEligible(.answers))
    #expect(
      try await refusal { try await world.join("p", understanding: ["leave": "no"]) }
        == .misunderstood(["leave"]))
    #expect(
      try await refusal { try await world.join("p", understanding: [:]) }
        == .misunderstood(["leave"]))
    #expect(
      try await refusal { try await world.join("p", name: " ") }
        == .signature(maximum: StudyCommands.longestName))
    #expect(try await refusal { try await world.join("p", version: 2) } == .oldConsent)
    #expect(try await refusal { try await world.join("p", as: .guardian) } == .notOneself)
    #expect(try await world.participant("p") == nil)
    try await world.close(at: StudyWorld.start)
    #expect(try await refusal { try await world.join("p") } == .closed)
  }

  /// Joins people until one is in an arm, and returns that one.
  private func member(
    of arm: String, _ world: StudyWorld, from first: Int = 0
  ) async throws -> PatientID {
    for number in first..<first + 10 {
      let patient = PatientID("q\(number)")
      try await world.add(patient)
      if try await world.join(patient).arm == arm { return patient }
    }
    throw StudyError.notFound
  }

  private func reminders(
    of patient: PatientID, _ world: StudyWorld
  ) async throws -> (minutes: [Int], isOwn: Bool, lead: Int?) {
    let (accounts, context) = (world.accounts, world.context(patient))
    return try await world.database.read { reader in
      let choices = try EscalationCommands.choices(
        of: patient, account: context.actor.accountID, accounts: accounts, zones: context.zones,
        at: context.now, in: reader)
      let plan = try EscalationCommands.reminders(
        of: StudyWorld.plan(of: patient), patient: patient, in: reader)
      return (choices.escalation.steps.map(\.minutes), choices.isOwn, plan.lead)
    }
  }

  @Test func `an arm adds reminders, and a withdrawal takes them back`() async throws {
    let world = try await StudyWorld()
    let patient = try await member(of: "escalating", world)
    let added = try await reminders(of: patient, world)
    #expect(added.minutes == [0, 5, 10, 15, 20] && added.isOwn && added.lead == 10)
    let later = StudyWorld.start.adding(milliseconds: StudyWorld.day)
    try await world.withdraw(patient, erasing: false, at: later)
    let left = try await reminders(of: patient, world)
    #expect(left.minutes == [0, 5, 10, 20] && !left.isOwn && left.lead == nil)
    let participant = try #require(try await world.participant(patient))
    #expect(participant.withdrawn == later && !participant.isErased)
    // Later the person can still have everything left out.
    try await world.withdraw(patient, erasing: true, at: later.adding(milliseconds: 1))
    let erased = try #require(try await world.participant(patient))
    #expect(erased.withdrawn == later && erased.isErased)
  }

  @Test func `an arm can switch on questions about the heart rate, and only on`() async throws {
    let world = try await StudyWorld(
      StudySample.file(escalating: #"{"heartRateQuestions": "on"}"#))
    func isOn(_ patient: PatientID) async throws -> Bool {
      try await world.database.read { reader in
        try HeartRateQueries.settings(of: patient, in: reader).isOn
      }
    }
    let patient = try await member(of: "escalating", world)
    #expect(try await isOn(patient))
    try await world.withdraw(patient, erasing: false, at: StudyWorld.start)
    #expect(!(try await isOn(patient)))
    // Someone in the other arm who had them on keeps them.
    let other = try await member(of: "basic", world, from: 10)
    let context = world.context(other)
    try await world.database.write { writer in
      var settings = HeartRateSettings()
      settings.isOn = true
      try HeartRateCommands.save(settings, of: other, context, in: writer)
    }
    try await world.withdraw(other, erasing: false, at: StudyWorld.start)
    #expect(try await isOn(other))
  }

  @Test func `the other arm changes nothing`() async throws {
    let world = try await StudyWorld()
    let patient = try await member(of: "basic", world)
    let found = try await reminders(of: patient, world)
    #expect(found.minutes == [0, 5, 10, 20] && !found.isOwn && found.lead == nil)
  }

  @Test func `own choices made during the study stay`() async throws {
    let world = try await StudyWorld()
    let patient = try await member(of: "escalating", world)
    let context = world.context(patient)
    try await world.database.write { writer in
      let policy = try EscalationPolicy([.init(0, .push), .init(15, .push), .init(40, .push)])
      try EscalationCommands.keep(
        policy, of: patient, by: context.actor.accountID, at: context.now, in: writer)
    }
    try await world.withdraw(patient, erasing: false, at: StudyWorld.start)
    #expect(try await reminders(of: patient, world).minutes == [0, 40])
  }

  @Test func `closing takes back what arms added, and only then shows the order`() async throws {
    let world = try await StudyWorld()
    let patient = try await member(of: "escalating", world)
    let commands = world.commands
    func allocation() async throws -> [String] {
      try await world.database.write { writer in
        try commands.allocation(
          of: StudyWorld.study, by: "operator", at: StudyWorld.start, in: writer
        ).order
      }
    }
    #expect(try await refusal { _ = try await allocation() } == .open)
    try await world.close(at: StudyWorld.start)
    #expect(!(try await reminders(of: patient, world).isOwn))
    let order = try await allocation()
    #expect(order.last == "escalating" && !order.dropLast().contains("escalating"))
  }

  @Test func `a new version needs a higher number and the same allocation`() async throws {
    let world = try await StudyWorld()
    #expect(
      try await refusal { try await world.load(StudySample.text) } == .version(loaded: 1))
    #expect(
      try await refusal { try await world.load(StudySample.file(version: 2, blocks: "[4]")) }
        == .allocationChanged)
    try await world.load(StudySample.file(version: 2))
    try await world.add("p")
    #expect(try await refusal { try await world.join("p") } == .oldConsent)
    #expect(try await world.join("p", version: 2).version == 2)
  }

  @Test func `the seed is encrypted, and only its digest is readable`() async throws {
    let world = try await StudyWorld()
    let (row, sealed) = try await world.database.read { reader in
      (
        try StudyQueries.study(StudyWorld.study, in: reader),
        try reader.first(
          "SELECT sealed FROM secrets WHERE name = $1", [.text("study:reminders-2026")])?
          .value(as: [UInt8].self)
      )
    }
    #expect(row?.commitment == StudyAllocation.commitment(to: StudyWorld.seed))
    #expect(sealed != nil && sealed != StudyWorld.seed)
  }
}
