// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage
import Testing
import TestSupport

@testable import People
@testable import Reminders

/// Consent changes between planning and sending: nothing is sent to those who may no longer know.
@Suite("Reminders and grants")
struct ReminderGrantTests {
  @Test(arguments: UInt64(1)...15)
  func `nothing is sent to someone whose grant has ended`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let world = try await ReminderWorld(mail: seed % 2 == 0)
    let others: [AccountID] = ["mother", "father", "aunt"]
    for account in others {
      try await world.place.addPatient("\(account)-self", zone: "Europe/Berlin")
      try await world.addAccount(account, patient: "\(account)-self")
      try await world.addDevice("\(account)-phone", account: account)
    }
    for hour in 7...20 {
      try await world.add("\(hour < 10 ? "0" : "")\(hour):00", name: "M\(hour)")
    }
    var sent = 0
    for step in 0..<80 {
      let comment: Comment = "seed \(seed), step \(step)"
      world.place.clock.advance(milliseconds: Int64.random(in: 0...900_000, using: &random))
      try await world.place.extendHorizon()
      try await world.round()
      // Now everything is planned and nothing sent, and people change their consent.
      for account in others where Bool.random(using: &random) {
        let relationship: Relationship =
          [.guardian, .family, .practitioner].randomElement(using: &random) ?? .guardian
        if Bool.random(using: &random) {
          try await world.grant(relationship, of: ReminderWorld.ann, to: account)
        } else {
          try await world.end(of: ReminderWorld.ann, to: account)
        }
      }
      let claimed = try await world.claim()
      let acting = try await world.acting(for: ReminderWorld.ann)
      for delivery in claimed {
        #expect(acting.contains(delivery.recipient), comment)
        sent += 1
      }
      let outcomes: [DeliveryResult.Outcome] = [
        .handedOver, .retry(afterSeconds: nil, trouble: "timeout"),
      ]
      try await world.complete(claimed, outcomes.randomElement(using: &random) ?? .handedOver)
    }
    #expect(sent > 0)
  }

  @Test func `people of one account are distinguished by the chosen label`() async throws {
    let world = try await ReminderWorld()
    try await world.place.addPatient("child", zone: "Europe/Berlin")
    try await world.grant(.guardian, of: "child", to: ReminderWorld.account)
    try await world.add("08:00")
    #expect(try await world.send(at: "08:00").map(\.content.label).first == "AE")
    for (label, expected) in [
      (PersonLabel(.nickname, colour: .blue, nickname: "Grandma"), "Grandma"),
      (PersonLabel(.colour, colour: .blue), "Blue"),
    ] {
      let place = world.place
      try await place.database.write { writer in
        try writer.execute(
          "UPDATE people SET label = $1, nickname = $2, colour = $3 WHERE patient = $4",
          [
            .text(label.kind.rawValue), .text(label.nickname),
            .text(label.colour?.rawValue ?? ""), .text(ReminderWorld.ann),
          ])
      }
      world.place.clock.advance(minutes: 5)
      #expect(try await world.send().map(\.content.label) == [expected])
    }
  }
}

extension ReminderWorld {
  /// Ends all relationships of an account to a patient.
  func end(of patient: PatientID, to account: AccountID) async throws {
    let now = now
    try await place.database.write { writer in
      try writer.execute(
        "UPDATE grants SET ends = $1 WHERE patient = $2 AND account = $3",
        [SQLValue(now), SQLValue(patient), SQLValue(account)])
    }
  }

  /// Returns the accounts that currently act for a patient.
  func acting(for patient: PatientID) async throws -> Set<AccountID> {
    let (accounts, now) = (accounts, now)
    return try await place.database.read { reader in
      Set(
        try accounts.grants(of: patient, at: now, in: reader)
          .filter(\.right.relationship.actsForPatient).map(\.account))
    }
  }
}
