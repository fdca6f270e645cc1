// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Accounts

@Suite struct AccountConsequenceTests {
  /// Logs its calls, and throws if asked to.
  private final class Log: AccountConsequence {
    private let state = Mutex<[String]>([])
    let refuses: Bool

    init(refuses: Bool = false) {
      self.refuses = refuses
    }

    var entries: [String] { state.withLock { $0 } }

    func passwordWasReplaced(
      of account: AccountID, in writer: any SQLWriter
    ) throws(StorageError) {
      try add("password \(account)", in: writer)
    }

    func willErase(_ account: AccountID, in writer: any SQLWriter) throws(StorageError) {
      try add("erase \(account)", in: writer)
    }

    private func add(_ entry: String, in writer: any SQLWriter) throws(StorageError) {
      if refuses { throw .unexpectedValue(column: 0, expected: .text) }
      let accounts = try writer.query("SELECT account FROM accounts")
      state.withLock { $0.append("\(entry) of \(accounts.count)") }
    }
  }

  private func store(_ fixtures: AccountFixtures, _ logs: [Log]) -> AccountStore {
    AccountStore(cipher: fixtures.store.cipher, consequences: logs)
  }

  private func hash(_ fixtures: AccountFixtures) async throws -> PasswordHash {
    try await fixtures.signIn.hash(
      newPassword: "eight blue bicycles", rules: PasswordRules(), context: [])
  }

  @Test func `every module hears of a new password or an erasure before it happens`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let logs = [Log(), Log()]
    let (store, now) = (store(fixtures, logs), fixtures.now)
    let hash = try await hash(fixtures)
    try await fixtures.database.write { writer in
      try store.setPassword(hash, of: account.id, at: now, in: writer)
      try store.erase(account.id, at: now, by: "test", in: writer)
    }
    for log in logs {
      #expect(log.entries == ["password account-1 of 1", "erase account-1 of 1"])
    }
  }

  @Test func `setting the first password ends no sessions`() async throws {
    let fixtures = try await AccountFixtures()
    let account = Account(
      id: "account-1", email: "ann@example.org", displayName: "Ann", patient: "patient-1",
      isAdministrator: false, language: nil)
    let log = Log()
    let (store, now) = (store(fixtures, [log]), fixtures.now)
    let hash = try await hash(fixtures)
    try await fixtures.database.write { writer in
      try writer.addPerson(account.patient)
      try store.create(account, passwordHash: nil, at: now, by: "test", in: writer)
      try store.setPassword(hash, of: account.id, at: now, in: writer)
    }
    #expect(log.entries.isEmpty)
  }

  @Test func `an account is never erased without its consequences`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let (store, now) = (store(fixtures, [Log(refuses: true)]), fixtures.now)
    await #expect(throws: StorageError.unexpectedValue(column: 0, expected: .text)) {
      try await fixtures.database.write { writer in
        try store.erase(account.id, at: now, by: "test", in: writer)
      }
    }
    let left = try await fixtures.database.read { try store.account(account.id, in: $0) }
    #expect(left == account)
  }
}
