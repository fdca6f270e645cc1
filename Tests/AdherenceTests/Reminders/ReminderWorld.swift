// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Identifiers
import Scheduling
import Storage
import TestSupport

@testable import Adherence
@testable import Dosing
@testable import Plans
@testable import Reminders

/// A household whose reminders a test plans, claims and completes by hand: Ann with an account and some
/// devices.
struct ReminderWorld: Sendable {
  static let ann = TestPlace.patient
  static let account = AccountID("account")
  static let minute: Int64 = 60_000

  let place: TestPlace
  let accounts: AccountStore
  var mailIsPossible = true
  private let identifiers = CountingIdentifiers(prefix: "r")

  /// Creates a household at an instant in Berlin, with one device for each name.
  init(
    at start: String = "2026-03-02T06:00:00+01:00", zone: String = "Europe/Berlin",
    devices: [String] = ["phone"], mail: Bool = true
  ) async throws {
    place = try await TestPlace(at: start, zone: zone)
    accounts = AccountStore(
      cipher: FieldCipher(
        keys: try KeyRing.generate { count in [UInt8](repeating: 9, count: count) }),
      consequences: [AdherenceAccountConsequence()])
    mailIsPossible = mail
    // Before the first dose, so that none counts as missed before reminders were enabled.
    try await addAccount(Self.account, patient: Self.ann)
    try await round()
    for device in devices { try await addDevice(device) }
  }

  var now: Timestamp { place.now }

  var context: ReminderContext {
    ReminderContext(
      now: place.now, newIdentifier: identifiers.next, zones: place.zones, accounts: accounts,
      mailIsPossible: mailIsPossible, publicURL: "https://regimen.example", sources: .all)
  }

  func addAccount(_ id: AccountID, patient: PatientID) async throws {
    let (accounts, now) = (accounts, now)
    try await place.database.write { writer in
      try writer.addPerson(patient)
      try accounts.create(
        Account(
          id: id, email: "\(id)@example.org", displayName: id.text, patient: patient,
          isAdministrator: false, language: nil),
        passwordHash: nil, at: now, by: id, in: writer)
    }
  }

  func grant(_ relationship: Relationship, of patient: PatientID, to account: AccountID)
    async throws
  {
    let (accounts, now) = (accounts, now)
    try await place.database.write { writer in
      try accounts.grant(relationship, of: patient, to: account, from: now, in: writer)
    }
  }

  @discardableResult
  func addDevice(_ name: String, account: AccountID = account, session: SessionID? = nil)
    async throws -> DeviceID
  {
    let context = context
    return try await place.database.write { writer in
      try writer.addAccount(account, patient: "\(account)-self")
      return try PushSubscriptions.add(
        PushSubscriptionDetails(
          endpoint: "https://push.example/\(name)", p256dh: "p-\(name)", auth: "a-\(name)",
          host: "push.example", label: name, session: session),
        account: account, context, in: writer
      ).id
    }
  }

  /// Adds a medicine taken once a day at a given time.
  @discardableResult
  func add(_ time: String, name: String = "Bisoprolol", start: String = "2026-03-02") async throws
    -> Plan
  {
    try await place.add(.tablet([time], name: name, start: start))
  }

  // MARK: The engine

  @discardableResult
  func round(limit: Int = 100) async throws -> [ReminderRound] {
    var rounds: [ReminderRound] = []
    while rounds.count < 200 {
      let context = context
      let round = try await place.database.write { writer in
        try ReminderEngine.tick(context.now, in: writer)
        return try ReminderEngine.plan(limit: limit, context, in: writer)
      }
      if round.count == 0 { break }
      rounds.append(round)
    }
    return rounds
  }

  func claim(limit: Int = 1_000, channel: ReminderChannel? = nil) async throws
    -> [ClaimedDelivery]
  {
    let context = context
    return try await place.database.write { writer in
      try ReminderEngine.claim(limit: limit, channel: channel, context, in: writer)
    }
  }

  func complete(
    _ claimed: [ClaimedDelivery], _ outcome: DeliveryResult.Outcome = .handedOver
  ) async throws {
    let context = context
    let results = claimed.map {
      DeliveryResult(
        delivery: $0.delivery, patient: $0.patient, attempt: $0.attempt, outcome: outcome,
        jitter: 0.5)
    }
    try await place.database.write { writer in
      try ReminderEngine.complete(results, context, in: writer)
    }
  }

  /// Plans, claims and hands over everything due now, and returns what was sent.
  @discardableResult
  func send(_ outcome: DeliveryResult.Outcome = .handedOver) async throws -> [ClaimedDelivery] {
    try await round()
    let claimed = try await claim()
    try await complete(claimed, outcome)
    return claimed
  }

  /// Sends everything due at a time of 2 March 2026, such as "08:05".
  @discardableResult
  func send(at time: String, _ outcome: DeliveryResult.Outcome = .handedOver) async throws
    -> [ClaimedDelivery]
  {
    set(time)
    return try await send(outcome)
  }

  func set(_ time: String) {
    place.clock.set("2026-03-02T\(time):00+01:00")
  }

  func shown(_ delivery: DeliveryID) async throws {
    let now = now
    try await place.database.write { writer in
      try ReminderCommands.shown(delivery, account: Self.account, at: now, in: writer)
    }
  }

  // MARK: Doses

  /// Returns Ann's doses around now, by due time.
  func doses(hours: Int64 = 30) async throws -> [Dose] {
    try await place.listing(
      from: now.adding(milliseconds: -hours * 3_600_000),
      until: now.adding(milliseconds: hours * 3_600_000)
    ).doses
  }

  func dose(of plan: Plan) async throws -> Dose? {
    try await doses(hours: 14).first { $0.plan == plan.id }
  }

  @discardableResult
  func answer(_ dose: DoseID?, _ action: AnswerAction, minutes: Int? = nil) async throws -> Bool {
    guard let dose else { return false }
    let context = place.context
    do {
      try await place.database.write { writer in
        _ = try AnswerCommands.answer(
          dose, patient: Self.ann,
          AnswerRequest(action: action, minutes: minutes, confirm: true), context: context,
          in: writer)
      }
      return true
    } catch is AnswerError {
      return false
    }
  }

  // MARK: Stored data

  func deliveries() async throws -> [Delivery] {
    let accounts = accounts
    return try await place.database.read { reader in
      try ReminderQueries.deliveries(
        patient: Self.ann, from: Timestamp(milliseconds: 0),
        until: Timestamp(milliseconds: .max), accounts: accounts, in: reader)
    }
  }

  func reminder(_ subject: ReminderID?) async throws -> Reminder? {
    guard let subject else { return nil }
    let now = now
    return try await place.database.read { reader in
      try ReminderQueries.reminder(subject, now: now, in: reader)
    }
  }

  func ringing() async throws -> [Reminder] {
    let now = now
    return try await place.database.read { reader in
      try ReminderQueries.ringing(patients: [Self.ann], now: now, in: reader)
    }
  }

  func nextMoment() async throws -> Timestamp? {
    try await place.database.read { try ReminderEngine.nextMoment(in: $0) }
  }

  func devices() async throws -> [PushSubscription] {
    let now = now
    return try await place.database.read { reader in
      try PushSubscriptions.list(Self.account, now: now, in: reader)
    }
  }
}

extension ClaimedDelivery {
  /// The channel, step and generation, such as "push 0 1".
  var line: String { "\(channel.rawValue) \(step) \(generation)" }

  var doseIDs: [String] { content.doses.map(\.id) }
}
