// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage
import Synchronization
import TestSupport

@testable import Accounts

/// Bytes that differ from call to call and are the same in every run.
final class CountingBytes: Sendable {
  private let state = Mutex<UInt64>(0x9E37_79B9_7F4A_7C15)

  var source: RandomBytes {
    { count in
      self.state.withLock { state in
        (0..<count).map { _ in
          state ^= state << 13
          state ^= state >> 7
          state ^= state << 17
          return UInt8(truncatingIfNeeded: state >> 24)
        }
      }
    }
  }
}

/// An empty database for tests of accounts, at a fixed time.
struct AccountFixtures {
  let database: Database
  let store: AccountStore
  let signIn: SignIn
  let gate = PasswordGate()
  let random: RandomBytes
  let now = Timestamp(milliseconds: 1_772_348_400_000)

  /// A low cost for quick tests; the real one is tested by its stored form.
  static let cheap = PasswordCost(logarithm: 10, blockSize: 8, parallelism: 1)

  init() async throws {
    random = CountingBytes().source
    let keys = try KeyRing.generate(random: random)
    database = try await TestDatabase.open(keys: keys)
    store = AccountStore(cipher: FieldCipher(keys: keys), consequences: [])
    signIn = SignIn(
      database: database, store: store, gate: gate, random: random, cost: Self.cheap)
  }

  func later(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: now.milliseconds + milliseconds)
  }

  /// Creates an account with a password.
  func makeAccount(
    _ email: String = "ann@example.org", password: String = "seven green bicycles",
    id: String = "account-1", patient: PatientID = "patient-1"
  ) async throws -> Account {
    let account = Account(
      id: AccountID(id), email: email, displayName: "Ann", patient: patient, isAdministrator: false,
      language: nil)
    let hash = try await signIn.hash(newPassword: password, rules: PasswordRules(), context: [])
    let store = store
    let now = now
    try await database.write { writer in
      try writer.addPerson(patient)
      try store.create(account, passwordHash: hash, at: now, by: "test", in: writer)
    }
    return account
  }
}
