// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Testing
import TestSupport

@testable import Storage

@Suite struct KeyRotationTests {
  typealias Field = (column: SealedColumn, key: SQLValue, sealed: [UInt8])
  /// More than are re-encrypted in one transaction.
  private static let manySecrets = 450

  @Test(arguments: DatabaseForm.allCases)
  func `a key rotation reseals every field and drops the old key`(form: DatabaseForm) async throws {
    try await withFields(form) { database, cipher, path in
      let before = try await fields(database)
      #expect(before.count == 2 * SealedColumn.all.count + Self.manySecrets)
      let old = cipher.keys.fields.current
      let rotation = KeyRotation(database: database, cipher: cipher)
      let result = try await rotation.perform(
        in: .file(path: path), random: seededBytes(9))
      #expect(result.resealed == before.count && result.left.isEmpty && result.isRetired)
      let file = try String(contentsOfFile: path, encoding: .utf8)
      #expect(file.contains(result.key) && !file.contains(old.id))
      #expect(!PrivateFile.isOpenToOthers(path))
      // The cipher that a new start would use.
      let fresh = FieldCipher(keys: try KeyRing.read(path))
      for (column, key, sealed) in try await fields(database) {
        #expect(!sealed.starts(with: FieldCipher.header(of: old)))
        let text = try fresh.open(sealed, context: column.context(key))
        #expect(text == "\(column.table) \(column.column) \(column.context(key))")
      }
      // Another rotation creates another key.
      let again = try await rotation.perform(in: .file(path: path), random: seededBytes(10))
      #expect(again.key != result.key && again.resealed == before.count)
      #expect(cipher.keys.fields.older.isEmpty)
    }
  }

  /// The stage of a rotation at which the process was killed.
  enum Killed: CaseIterable {
    case beforeTheFirstField, halfWay, beforeTheKeyWasRetired
  }

  @Test(arguments: Killed.allCases)
  func `an interrupted key rotation continues with the same key`(killed: Killed) async throws {
    try await withFields { database, cipher, path in
      let ring = try cipher.keys.withNewFieldKey(random: seededBytes(9))
      try ring.write(to: path)
      // The next process has only the file.
      let next = FieldCipher(keys: try KeyRing.read(path))
      let all = try await fields(database)
      let done = killed == .beforeTheFirstField ? 0 : killed == .halfWay ? 3 : all.count
      for field in all.prefix(done) { try await reseal(field, next, in: database) }
      let result = try await KeyRotation(database: database, cipher: next).perform(
        in: .file(path: path), random: seededBytes(10))
      #expect(result.key == ring.fields.current.id && result.isRetired)
      #expect(result.resealed == all.count - done)
      let fresh = FieldCipher(keys: try KeyRing.read(path))
      #expect(fresh.keys.fields.older.isEmpty)
      for (column, key, sealed) in try await fields(database) {
        _ = try fresh.open(sealed, context: column.context(key))
      }
    }
  }

  @Test func `a key needed by unknown or damaged data is named and kept`() async throws {
    try await withFields { database, cipher, path in
      let unknown = try cipher.seal("chat", context: "notes:1:content")
      let elsewhere = try cipher.seal("x", context: "accounts:email:another")
      try await database.write { writer in
        try writer.execute(
          "INSERT INTO notes (patient, id, content) VALUES ('p', 1, $1)", [.blob(unknown)])
        try writer.execute(
          "UPDATE accounts SET email_sealed = $1 WHERE account = '1'", [.blob(elsewhere)])
      }
      for _ in 0..<2 {
        let result = try await KeyRotation(database: database, cipher: cipher).perform(
          in: .file(path: path), random: seededBytes(9))
        #expect(result.left == ["accounts.email_sealed", "notes.content"] && !result.isRetired)
        #expect(try cipher.open(unknown, context: "notes:1:content") == "chat")
        #expect(try KeyRing.read(path).fields.older.count == 1)
      }
    }
  }

  @Test func `data written during a key rotation can be opened afterwards`() async throws {
    try await withFields { database, cipher, path in
      async let writes: Void = {
        for number in 0..<200 {
          try await database.write { writer in
            let name = "during \(number)"
            let sealed = try cipher.seal(name, context: "secrets:\(name)")
            try writer.execute("INSERT INTO secrets VALUES ($1, $2)", [.text(name), .blob(sealed)])
          }
        }
      }()
      let result = try await KeyRotation(database: database, cipher: cipher).perform(
        in: .file(path: path), random: seededBytes(9))
      try await writes
      #expect(result.isRetired)
      let fresh = FieldCipher(keys: try KeyRing.read(path))
      for (column, key, sealed) in try await fields(database) {
        _ = try fresh.open(sealed, context: column.context(key))
      }
    }
  }

  @Test func `no sealed value opens in another row, column or table`() async throws {
    try await withFields(manySecrets: 0) { database, cipher, _ in
      let all = try await fields(database)
      for (index, one) in all.enumerated() {
        for (other, place) in all.enumerated() {
          let opened = try? cipher.open(one.sealed, context: place.column.context(place.key))
          #expect(
            (opened != nil) == (index == other), "\(one.column.table) in \(place.column.table)")
        }
      }
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `every column with a sealed name is registered`(form: DatabaseForm) async throws {
    try await form.withDatabase { database in
      let catalogue = database.catalogue
      let named = try await database.read { reader in
        try catalogue.tables(in: reader).flatMap { table in
          table.columns.filter { $0.hasSuffix("sealed") }.map { "\(table.name).\($0)" }
        }
      }
      #expect(Set(named) == Set(SealedColumn.all.map { "\($0.table).\($0.column)" }))
    }
  }

  // MARK: Keys from a credential

  @Test func `legacy keys are read and written in the next format`() async throws {
    try await withTemporaryFolder { path in
      let folder = try DataFolder(path: path + "/data", credentials: path + "/credentials")
      let ring = try KeyRing.load(from: folder, random: seededBytes(3))
      #expect(folder.keyPlace == .file(path: folder.keysPath))
      let handedOver = "\(path)/credentials/\(KeyPlace.credentialName)"
      try FileManager.default.createDirectory(
        atPath: path + "/credentials", withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: folder.keysPath, toPath: handedOver)
      // With both, it would be unclear which one counts.
      #expect(throws: StorageError.self) { try KeyRing.existing(in: folder) }
      try FileManager.default.removeItem(atPath: folder.keysPath)
      #expect(folder.keyPlace == .credential(path: handedOver))
      let cipher = FieldCipher(keys: try KeyRing.existing(in: folder))
      #expect(cipher.keys.fields.current.id == ring.fields.current.id)
      let database = try Database.open(
        .folder(folder), keys: cipher.keys, node: "test", logger: .quiet,
        migrations: Migration.withTestTable)
      try await fill(database, cipher, manySecrets: 0)
      let rotation = KeyRotation(database: database, cipher: cipher)
      await #expect(throws: StorageError.keysReadOnly(path: handedOver)) {
        try await rotation.perform(in: folder.keyPlace, random: seededBytes(4))
      }
      let next = path + "/next.json"
      let key = try await rotation.writeNext(to: next, random: seededBytes(4))
      await #expect(throws: StorageError.self) {
        try await rotation.writeNext(to: next, random: seededBytes(5))
      }
      try FileManager.default.removeItem(atPath: handedOver)
      try FileManager.default.moveItem(atPath: next, toPath: handedOver)
      let second = KeyRotation(
        database: database, cipher: FieldCipher(keys: try KeyRing.existing(in: folder)))
      await #expect(throws: StorageError.self) {
        try await second.writeNext(to: next, random: seededBytes(6))
      }
      let result = try await second.perform(in: folder.keyPlace, random: seededBytes(6))
      #expect(result.key == key && result.left.isEmpty && !result.isRetired)
      #expect(try await second.writeNext(to: next, random: seededBytes(6)) == key)
      let last = FieldCipher(keys: try KeyRing.read(next))
      #expect(last.keys.fields.older.isEmpty)
      for (column, key, sealed) in try await fields(database) {
        _ = try last.open(sealed, context: column.context(key))
      }
      await database.close()
    }
  }
}

extension KeyRotationTests {
  private func withFields(
    _ form: DatabaseForm = .allCases.last ?? .postgres, manySecrets: Int = manySecrets,
    _ body: (Database, FieldCipher, _ keysPath: String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { path in
      let ring = try KeyRing.test
      try ring.write(to: path + "/keys.json")
      try await form.withDatabase { database in
        let cipher = FieldCipher(keys: ring)
        try await fill(database, cipher, manySecrets: manySecrets)
        try await body(database, cipher, path + "/keys.json")
      }
    }
  }

  /// Inserts two rows for each encrypted column, each with its place as text.
  private func fill(
    _ database: Database, _ cipher: FieldCipher, manySecrets: Int
  ) async throws {
    try await database.write { writer in
      func seal(_ table: String, _ column: String, _ key: SQLValue) throws -> SQLValue {
        let found = try #require(
          SealedColumn.all.first { $0.table == table && $0.column == column })
        let context = found.context(key)
        return .blob(try cipher.seal("\(table) \(column) \(context)", context: context))
      }
      for name in (0..<manySecrets).map({ "many \($0)" }) {
        try writer.execute(
          "INSERT INTO secrets VALUES ($1, $2)",
          [.text(name), try seal("secrets", "sealed", .text(name))])
      }
      try writer.addPerson("p")
      try writer.execute(
        "INSERT INTO chat_conversations VALUES ('p', 'c', 'a', 'A', 'family', 1, 2, 1)", [])
      for name in ["1", "2"] {
        let id = SQLValue.text(name)
        let index = SQLValue.blob(Array(name.utf8))
        let digest = SQLValue.blob([UInt8(name.utf8.first ?? 0), 0xAB])
        try writer.execute(
          """
          INSERT INTO accounts (account, email_sealed, email_index, display_name, patient,
            administrator, created, changed) VALUES ($1, $2, $3, 'A', 'p', 0, 1, 1)
          """, [id, try seal("accounts", "email_sealed", id), index])
        try writer.execute(
          """
          INSERT INTO grant_invitations (patient, invitation, code_index, code_sealed, relationship,
            categories, ends, hands_over, invited_by, created, expires, state, accepted_by, changed)
            VALUES ('p', $1, $2, $3, 'family', '', NULL, 0, 'a', 1, 2, 'open', NULL, 1)
          """, [id, index, try seal("grant_invitations", "code_sealed", id)])
        try writer.execute(
          "INSERT INTO care_notes VALUES ('p', $1, 'a', 'A', $2, 1)",
          [id, try seal("care_notes", "text_sealed", id)])
        try writer.execute(
          """
          INSERT INTO push_subscriptions (subscription, account, endpoint_sealed, endpoint_index,
            keys_sealed, host, created, handed_over, unshown)
            VALUES ($1, $1, $2, $3, $4, 'h', 1, 0, 0)
          """,
          [
            id, try seal("push_subscriptions", "endpoint_sealed", id), index,
            try seal("push_subscriptions", "keys_sealed", id),
          ])
        try writer.execute(
          "INSERT INTO feedback VALUES ($1, $1, $2, 1, 0, 1)",
          [id, try seal("feedback", "text_sealed", id)])
        try writer.execute(
          """
          INSERT INTO hospital_connections (patient, connection, account, base, label, version,
            access, credentials_sealed, identity, types, state, accepts, created, next_at, attempt,
            failures) VALUES ('p', $1, 'a', 'https://h', 'H', 'R4', 'token', $2, '', '', 'working',
            'ask', 1, 1, 0, 0)
          """, [id, try seal("hospital_connections", "credentials_sealed", id)])
        try writer.execute(
          "INSERT INTO secrets VALUES ($1, $2)", [id, try seal("secrets", "sealed", id)])
        try writer.execute(
          "INSERT INTO reply_texts VALUES ($1, $1, $2, 1, 0, 2)",
          [id, try seal("reply_texts", "text_sealed", id)])
        try writer.execute(
          "INSERT INTO app_keys VALUES ($1, $2, 1)",
          [id, try seal("app_keys", "private_sealed", id)])
        try writer.execute(
          """
          INSERT INTO fhir_subscriptions (subscription, account, credential, topic, version,
            changed, state, body_sealed, secret_sealed, events, delivered, looked, next_try,
            attempt, failures)
          VALUES ($1, $1, 't', 'prescription', 1, 1, 'active', $2, $3, 0, 0, 1, 1, 0, 0)
          """,
          [
            id, try seal("fhir_subscriptions", "body_sealed", id),
            try seal("fhir_subscriptions", "secret_sealed", id),
          ])
        try writer.execute(
          """
          INSERT INTO export_jobs (job, account, state, created, written, content_sealed, attempt)
          VALUES ($1, $1, 'done', 1, 0, $2, 1)
          """, [id, try seal("export_jobs", "content_sealed", id)])
        try writer.execute(
          "INSERT INTO code_apps VALUES ($1, $2, 0, 1)",
          [id, try seal("code_apps", "seed_sealed", id)])
        try writer.execute(
          """
          INSERT INTO device_sign_ins (digest, account, secret_sealed, device, number, state,
            created, expires) VALUES ($1, $2, $3, '', 1, 'open', 1, 2)
          """, [digest, id, try seal("device_sign_ins", "secret_sealed", digest)])
        try writer.execute(
          "INSERT INTO message_preferences VALUES ($1, 480, NULL, $2)",
          [id, try seal("message_preferences", "phone_sealed", id)])
        try writer.execute(
          """
          INSERT INTO emergency_cards (patient, card, secret_hash, secret_sealed, code_sealed,
            shows_code, account, created, expires)
          VALUES ('p', $1, $2, $3, $4, 1, 'a', 1, 2)
          """,
          [
            id, digest, try seal("emergency_cards", "secret_sealed", id),
            try seal("emergency_cards", "code_sealed", id),
          ])
        try writer.execute(
          """
          INSERT INTO channel_addresses (address, account, channel, form, host, settings_sealed,
            created) VALUES ($1, $1, 'ntfy', 'ntfy', 'h', $2, 1)
          """, [id, try seal("channel_addresses", "settings_sealed", id)])
        try writer.execute(
          """
          INSERT INTO address_proofs (digest, account, address_sealed, created, expires)
          VALUES ($1, $2, $3, 1, 2)
          """,
          [digest, id, try seal("address_proofs", "address_sealed", digest)])
        try writer.execute(
          "INSERT INTO calendar_feeds VALUES ('p', $1, $2, $3, 0, 1, NULL)",
          [id, digest, try seal("calendar_feeds", "secret_sealed", digest)])
        try writer.execute(
          "INSERT INTO identities VALUES ($1, $1, 'city', $2, $3, 1, NULL)",
          [id, index, try seal("identities", "label_sealed", id)])
        try writer.execute(
          """
          INSERT INTO chat_messages VALUES ('p', 'c', $1, $2, $2, 'a', 'patient', 'self', 1, 1, $3, 0,
            '', '', NULL, 1)
          """, [.integer(Int64(name) ?? 0), id, try seal("chat_messages", "body_sealed", id)])
        try writer.execute(
          "INSERT INTO chat_photos VALUES ('p', $1, 1, 1, $2)",
          [id, try seal("chat_photos", "bytes_sealed", id)])
        try writer.execute(
          """
          INSERT INTO plans (patient, plan, request_version, status, medicine_name, ingredients,
            policy, era, kind, anchor, anchor_date, active_from, planned_through, created, changed)
          VALUES ('p', $1, 1, 'active', 'M', '', 'follow', 1, 'none', 0, '2026-03-01', 0, 0, 0, 0)
          """, [id])
        try writer.execute(
          """
          INSERT INTO medicine_photos (patient, plan, place, photo, width, height, byte_count,
            large_sealed, small_sealed, created) VALUES ('p', $1, 1, $1, 1, 1, 1, $2, $3, 1)
          """,
          [
            id, try seal("medicine_photos", "large_sealed", id),
            try seal("medicine_photos", "small_sealed", id),
          ])
        try writer.execute(
          "INSERT INTO diary_photos VALUES ('p', $1, 'e', 1, 1, $2, 1)",
          [id, try seal("diary_photos", "bytes_sealed", id)])
        try writer.execute(
          "INSERT INTO communications VALUES ('p', $1, 'completed', 1, 1, 'a', $2)",
          [id, try seal("communications", "body_sealed", id)])
        try writer.execute(
          "INSERT INTO identity_offers VALUES ($1, $2, 'city', $3, $4, 9)",
          [digest, id, index, try seal("identity_offers", "label_sealed", digest)])
      }
    }
  }

  /// Returns every encrypted field: its column, its row's key and the stored value.
  private func fields(_ database: Database) async throws -> [Field] {
    try await database.read { reader in
      try SealedColumn.all.flatMap { column in
        var select: SQLText = "SELECT "
        select.appendIdentifiers([column.key, column.column])
        select.append(" FROM ")
        select.appendIdentifiers([column.table])
        return try reader.query(dynamic: select, []).map { (column, $0[0], try $0.blob(1)) }
      }
    }
  }

  /// Re-encrypts a field with the current key, as a rotation does.
  private func reseal(
    _ field: Field, _ cipher: FieldCipher, in database: Database
  ) async throws {
    let context = field.column.context(field.key)
    let text = try cipher.open(field.sealed, context: context)
    let sealed = try cipher.seal(text, context: context)
    var update: SQLText = "UPDATE "
    update.appendIdentifiers([field.column.table])
    update.append(" SET ")
    update.appendIdentifiers([field.column.column])
    update.append(" = $1 WHERE ")
    update.appendIdentifiers([field.column.key])
    update.append(" = $2")
    let (statement, key) = (update, field.key)
    try await database.write { writer in
      try writer.execute(dynamic: statement, [.blob(sealed), key])
    }
  }
}
