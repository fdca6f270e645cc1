// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import CareTeam
@testable import Dosing
@testable import Observations
@testable import People
@testable import Plans
@testable import Prescriptions
@testable import Presentation
@testable import Reminders
@testable import Supply
@testable import Web

/// The data that each role is shown, created by the commands of the pages.
extension MatrixPlan {
  /// Adds an allergy, a weight and a photo.
  static func care(
    _ harness: ServerHarness, of account: Account
  ) async throws -> (allergy: String, weight: String) {
    let environment = harness.environment
    let actor = Actor(
      accountID: account.id, kind: .session, relationships: [account.patient: .self_],
      scope: .session)
    let context = environment.commandContext(for: actor, byName: "Ann", now: harness.clock.now)
    let (patient, now) = (account.patient, harness.clock.now)
    guard
      case .allow(let authorization) = decide(
        actor: actor, action: .update, patient: patient, resource: "Patient", purpose: .care)
    else { throw Failure.notFound }
    return try await environment.database.write { writer in
      try HealthProfileCommands.addAllergy(
        "\(secretName) allergy", reaction: "", patient: patient, context, in: writer)
      try HealthProfileCommands.addWeight(
        "71.5", on: "2026-02-01", source: "By hand", zone: Zone.utc, patient: patient, context,
        in: writer)
      try PersonPhotos.save(
        [0xFF, 0xD8, 0xFF], width: 1, height: 1, of: patient, authorization: authorization,
        id: "a-photo", at: now, in: writer)
      let allergy = try writer.first(
        "SELECT id FROM resources WHERE type = 'AllergyIntolerance' AND patient = $1",
        [SQLValue(patient)])
      let weight = try writer.first(
        "SELECT observation FROM vital_days WHERE patient = $1", [SQLValue(patient)])
      return (try #require(allergy).text(0), try #require(weight).text(0))
    }
  }

  /// Adds a doctor with whom messages are shared, and her message.
  static func chat(
    _ harness: ServerHarness, of account: Account
  ) async throws -> (conversation: ConversationID, message: String) {
    let dora = try await harness.makeAccount("Dora-\(String(account.displayName.reversed()))")
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    try await harness.environment.database.write { writer in
      try accounts.grant(
        .practitioner, of: account.patient, to: dora.id, from: now.adding(milliseconds: -1000),
        categories: [.messages], in: writer)
    }
    let conversation = Conversation.id(patient: account.patient, member: dora.id)
    let sent = try await harness.send(
      .post, "/api/v1/conversations/\(conversation)/messages", harness.token(of: dora),
      json: ["text": .string("\(secretName) in a message")])
    // Other tests count alarms.
    try await harness.environment.database.write { writer in
      try writer.execute("DELETE FROM reminders WHERE kind = 'message'", [])
    }
    return (conversation, try #require(try sent.json()["id"]?.string, "\(sent.text)"))
  }

  /// The id of the photo of the plan's medicine.
  static let photo = "a-picture"

  /// Adds the appearance of the plan's medicine, with the secret as its imprint, and a photo.
  static func look(_ harness: ServerHarness, of account: Account, plan: PlanID) async throws {
    let environment = harness.environment
    let actor = Actor(
      accountID: account.id, kind: .session, relationships: [account.patient: .self_],
      scope: .session)
    let commands = AppearanceCommands(
      patient: account.patient,
      context: CommandContext(
        actor: actor, byName: "Ann", now: harness.clock.now, newIdentifier: { photo },
        zones: environment.zones, consequences: environment.consequences))
    let cipher = environment.accounts.cipher
    try await environment.database.write { writer in
      try commands.keep(
        MedicineAppearance(shape: .round, color: .white, imprint: secretName), ofPlan: plan,
        in: writer)
      try commands.keep(
        MedicinePictures(large: [0xFF, 0xD8, 0xFF], small: [0xFF, 0xD8], width: 1, height: 1),
        at: 1, ofPlan: plan, cipher: cipher, in: writer)
    }
  }

  /// The id of a medicine that the account is adding.
  static let draft = "a-draft"

  /// Adds a draft of a medicine, with the secret as its name.
  static func beginDraft(_ harness: ServerHarness, of account: Account) async throws {
    let now = harness.clock.now
    try await harness.environment.database.write { writer in
      try MedicineDrafts.start(
        PlanID(draft), name: secretName, fields: "name=\(secretName)&often=once",
        of: account.id, for: account.patient, at: now, in: writer)
    }
  }

  /// Adds a pack of the plan's medicine.
  static func stock(
    _ harness: ServerHarness, of account: Account, plan: PlanID
  ) async throws -> StockID {
    let environment = harness.environment
    let actor = Actor(
      accountID: account.id, kind: .session, relationships: [account.patient: .self_],
      scope: .session)
    let commands = StockCommands(
      owner: account.patient,
      context: environment.commandContext(for: actor, byName: "Ann", now: harness.clock.now))
    return try await environment.database.write { writer in
      try commands.create(
        StockDraft(name: "\(secretName) pack", unit: StockUnit(unit: "tablet")),
        pack: StockPack(amount: StockQuantity(millionths: 9_000_000)),
        uses: [StockUse(patient: account.patient, medicine: plan.text)], in: writer)
    }
  }

  /// The id of a question about the heart rate.
  static func warning(_ account: Account) -> String { "a-warning-\(account.id)" }

  /// Adds a message to oneself, a question, an address for widgets, and a sticker.
  static func watch(_ harness: ServerHarness, of account: Account) async throws {
    let patient = account.patient
    try await harness.environment.database.write { writer in
      try writer.execute(
        """
        INSERT INTO heart_rate_warnings (patient, warning, kind, day, created, method, is_monitored,
          heart_rate, usual, boundary, doses_in_doubt)
        VALUES ($1, $2, 'heart', '2026-03-01', 1772348400000, 'dynamic', 1, 74000, 61000, 68000, 0)
        """, [.text(patient), .text(warning(account))])
      try writer.execute(
        "INSERT INTO heart_rate_messages VALUES ($1, 'a-message', $2, 5)",
        [.text(patient), .text("\(secretName) words")])
      // Adds notes on interactions, and an imported table.
      try writer.execute(
        """
        INSERT INTO interaction_notes (patient, note, warning, said, account, by_name)
        VALUES ($1, 'a-note', $2, 5, 'a', 'Ann')
        """, [.text(patient), .text("\(secretName) warning")])
      try writer.execute(
        "INSERT INTO stated_conditions VALUES ($1, 'cond:asthma', 5, 'a', 'Ann')",
        [.text(patient)])
      try writer.execute(
        "INSERT INTO ingredient_limits VALUES ($1, 'paracetamol', '4000', 'mg', 24, 5, 'a', 'Ann')",
        [.text(patient)])
      try writer.execute(
        """
        INSERT INTO table_imports (patient, import, file_name, made, account, by_name, keys)
        VALUES ($1, 'a-table', $2, 5, 'a', 'Ann', 'urn:regimen:table|0-0-x')
        """, [.text(patient), .text("\(secretName).csv")])
      try writer.execute(
        "INSERT INTO heart_rate_glances VALUES ($1, 'a-glance', $2, $3, 5)",
        [.text(patient), .blob(Array(account.id.text.utf8)), .text(account.id)])
      try writer.execute(
        "INSERT INTO widget_addresses VALUES ($1, 'a-widget', $2, $3, 1, 5, NULL)",
        [.text(patient), .blob(Array(account.id.text.utf8)), .text(account.id)])
      try writer.execute(
        "INSERT INTO stickers VALUES ($1, 'a-sticker', $2, $3, NULL, NULL, 5, NULL)",
        [.text(patient), .blob(Array(account.id.text.utf8)), .text("\(secretName) shelf")])
    }
  }

  static func topic(_ harness: ServerHarness, of account: Account) async throws -> String {
    let context = harness.environment.reminderContext(at: harness.clock.now)
    let id = try await harness.environment.database.write { writer in
      try ChannelAddresses.add(
        ChannelSettings(server: "https://ntfy.example", topic: secretName), form: .ntfy,
        host: "ntfy.example", account: account.id, context, in: writer)
    }
    return try #require(id)
  }

  static func invite(
    _ harness: ServerHarness, of account: Account
  ) async throws -> String {
    let environment = harness.environment
    let actor = Actor(
      accountID: account.id, kind: .session, relationships: [account.patient: .self_],
      scope: .session)
    let code = InvitationCode(random: environment.random)
    let now = harness.clock.now
    return try await environment.database.write { writer in
      try environment.accounts.invite(
        .init(.family, categories: [.medicines]), of: account.patient, id: "an-invitation",
        code: code, by: actor, at: now, in: writer
      ).text
    }
  }

  /// Adds a passkey with which no one could sign.
  static func makePasskey(
    _ harness: ServerHarness, of account: Account
  ) async throws -> String {
    try await harness.environment.database.write { writer in
      try writer.execute(
        """
        INSERT INTO passkeys (credential_digest, passkey, account, credential, public_key,
          algorithm, relying_party, signs, name, created, used)
        VALUES ($1, 'a-passkey', $2, $3, $4, -7, 'localhost', 0, 'Matrix', 0, NULL)
        """, [.blob(Array(account.id.text.utf8)), .text(account.id), .blob([1]), .blob([1])])
      return "a-passkey"
    }
  }

  static func letIn(
    _ harness: ServerHarness, of account: Account
  ) async throws -> String {
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    let secret = Secret(prefix: "rgd_", random: harness.environment.random)
    return try await harness.environment.database.write { writer in
      try accounts.startDeviceSignIn(secret, number: 47, for: account.id, at: now, in: writer)
    }
  }

  /// Adds an open proposal and a file under review.
  static func waiting(
    _ harness: ServerHarness, of account: Account
  ) async throws -> (proposal: ProposalID, upload: String) {
    var request = resource(of: account, id: "other")
    request["medicationCodeableConcept"] = ["text": .string("\(secretName) proposed")]
    let bytes = request.bytes
    var reader = ImportFileReader(fileName: "")
    reader.append(bytes)
    let file = reader.finish()
    let environment = harness.environment
    let context = environment.commandContext(
      for: .host(accountID: "test"), byName: "", now: harness.clock.now)
    let patient = account.patient
    _ = try await ImportRun(
      database: environment.database, patient: patient, source: "test", accept: false,
      dispenses: DispenseCommands(), context: { context }
    ).perform(file)
    let proposal = try await environment.database.read {
      try ProposalQueries.open(patient: patient, in: $0).first?.id
    }
    try await ImportUploads(database: environment.database, patient: patient).add(
      bytes, piece: 0, to: "upload", account: account.id, fileName: "\(secretName).json",
      at: harness.clock.now)
    return (try #require(proposal), "upload")
  }
}
