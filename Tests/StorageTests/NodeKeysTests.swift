// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Storage

/// The reports about running nodes that a key rotation reads.
@Suite struct NodeKeysTests {
  private static let start: Int64 = 1_700_000_000_000
  private static let now = Timestamp(milliseconds: start)

  /// Returns keys as an operator provides them: a new one, and the previous one.
  private func handedOver() throws -> (old: FieldCipher, new: FieldCipher) {
    let old = try KeyRing.test
    return (
      FieldCipher(keys: old), FieldCipher(keys: try old.withNewFieldKey(random: seededBytes(9)))
    )
  }

  private func rotation(_ database: Database, _ cipher: FieldCipher) -> KeyRotation {
    KeyRotation(
      database: database, cipher: cipher, witness: KeyWitness(node: "own") { Self.now })
  }

  private func note(
    _ node: String, _ cipher: FieldCipher, ago: Int64 = 1000, in database: Database
  ) async throws {
    try await database.write {
      try NodeKeys.note(node, cipher, at: Timestamp(milliseconds: Self.start - ago), in: $0)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `keys still used by a running node are not dropped`(form: DatabaseForm) async throws {
    try await withTemporaryFolder { path in
      try await form.withDatabase { database in
        let place = KeyPlace.file(path: path + "/keys.json")
        let (old, new) = try handedOver()
        try await note("own", old, in: database)
        try await note("other", old, in: database)
        await #expect(throws: StorageError.nodesRunning) {
          try await rotation(database, new).perform(in: place, random: seededBytes(10))
        }
        await #expect(throws: StorageError.nodesRunning) {
          try await rotation(database, new).writeNext(
            to: path + "/next.json", random: seededBytes(10))
        }
        #expect(!PrivateFile.exists(path + "/next.json"))
        // It was started with the new keys.
        try await note("other", new, in: database)
        let result = try await rotation(database, new).perform(
          in: place, random: seededBytes(10))
        #expect(result.isRetired && result.key == new.keys.fields.current.id)
        // No other node can have a key that is created now.
        await #expect(throws: StorageError.nodesRunning) {
          try await rotation(database, new).perform(in: place, random: seededBytes(11))
        }
      }
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a stopped or long-silent node blocks no one`(form: DatabaseForm) async throws {
    try await withTemporaryFolder { path in
      try await form.withDatabase { database in
        let (old, new) = try handedOver()
        try await note("silent", old, ago: NodeKeys.lease, in: database)
        try await note("ended", old, in: database)
        try await database.write { try NodeKeys.forget("ended", in: $0) }
        let result = try await rotation(database, new).perform(
          in: .file(path: path + "/keys.json"), random: seededBytes(10))
        #expect(result.isRetired)
      }
    }
  }
}
