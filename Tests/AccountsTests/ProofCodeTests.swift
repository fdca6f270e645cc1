// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct ProofCodeTests {
  private static let number = "+47 900 12 345"

  private struct Asked {
    let fixtures: AccountFixtures
    let account: Account
    let code: ProofCode

    /// A code that was not sent.
    var wrong: String { code.text == "000000" ? "000001" : "000000" }

    func prove(_ typed: String, after milliseconds: Int64 = 0) async throws
      -> AccountStore.CodeProof
    {
      let (store, account, now) = (fixtures.store, account.id, fixtures.later(milliseconds))
      return try await fixtures.database.write { writer in
        try store.prove(code: typed, of: account, at: now, in: writer)
      }
    }
  }

  private func ask(_ typed: String = Self.number) async throws -> Asked {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let (store, now, random) = (fixtures.store, fixtures.now, fixtures.random)
    let code = ProofCode(random: random)
    let name = try SignInName(typed)
    try await fixtures.database.write { writer in
      try store.startAddressProof(
        Secret(prefix: Secret.addressPrefix, random: random), of: name, code: code,
        for: account.id, at: now, in: writer)
    }
    return Asked(fixtures: fixtures, account: account, code: code)
  }

  @Test(
    arguments: [
      ([0, 0, 0, 0, 0, 0, 0, 7], "000007"), ([0, 0, 0, 0, 0, 15, 66, 63], "999999"),
      ([0, 0, 0, 0, 0, 15, 66, 64], "000000"),
    ] as [([UInt8], String)])
  func `a code has six digits`(bytes: [UInt8], text: String) {
    #expect(ProofCode { _ in bytes }.text == text)
  }

  @Test func `a code is read as people type it`() {
    for typed in ["042917", "042 917", "042-917", " 042\u{A0}917 "] {
      #expect(ProofCode(typed)?.text == "042917", "\(typed)")
    }
    for typed in ["", "42917", "0429170", "04291x", "٠٤٢٩١٧", "042917042917"] {
      #expect(ProofCode(typed) == nil, "\(typed)")
    }
  }

  @Test func `the code assigns the number to the account, once`() async throws {
    let asked = try await ask()
    let (store, now) = (asked.fixtures.store, asked.fixtures.now)
    let id = asked.account.id
    let waiting = try await asked.fixtures.database.read {
      try store.numberToProve(of: id, at: now, in: $0)?.text
    }
    #expect(waiting == "+4790012345")
    #expect(try await asked.prove(asked.code.text) == .proved(asked.account))
    #expect(try await asked.prove(asked.code.text) == .over)
    let (email, proved) = try await asked.fixtures.database.read { reader in
      (try store.account(id, in: reader)?.email, try store.addressProved(of: id, in: reader))
    }
    #expect(email == "+4790012345" && proved == now)
  }

  @Test func `five wrong codes void it, and guessing is throttled`() async throws {
    let asked = try await ask()
    for _ in 0..<4 { #expect(try await asked.prove(asked.wrong) == .wrong) }
    #expect(try await asked.prove(asked.wrong) == .over)
    // The right code comes too late and has to wait as well.
    await #expect(throws: AccountError.tooManyAttempts(retryAfterSeconds: 1)) {
      try await asked.prove(asked.code.text)
    }
    #expect(try await asked.prove(asked.code.text, after: 5000) == .over)
  }

  @Test func `a code expires after ten minutes`() async throws {
    let asked = try await ask()
    #expect(try await asked.prove(asked.code.text, after: ProofCode.lifetime) == .over)
    #expect(
      try await asked.prove(asked.code.text, after: ProofCode.lifetime - 1)
        == .proved(asked.account))
  }

  @Test func `the database doesn't reveal the code`() async throws {
    let asked = try await ask()
    let rows = try await asked.fixtures.database.read { reader in
      try reader.query("SELECT code_index, address_sealed, digest FROM address_proofs").map {
        [try $0.blob(0), try $0.blob(1), try $0.blob(2)]
      }
    }
    let row = try #require(rows.first)
    #expect(row[0].count == 32)
    for bytes in row {
      #expect(!bytes.contains(Array(asked.code.text.utf8)) && !bytes.contains(Array("9001".utf8)))
    }
    // The secret of its row is never sent, and would not work as a link.
    let store = asked.fixtures.store
    let now = asked.fixtures.now
    let isLink = try await asked.fixtures.database.read { reader in
      try reader.first("SELECT 1 FROM address_proofs WHERE code_index IS NULL", []) != nil
        || store.addressProof(Secret(text: "rge_"), at: now, in: reader) != nil
    }
    #expect(!isLink)
  }

  @Test func `a number can't be taken from another account`() async throws {
    let asked = try await ask("+4790012345")
    _ = try await asked.fixtures.makeAccount(
      "+4790012345", id: "account-2", patient: "patient-2")
    await #expect(throws: AccountError.emailTaken) { try await asked.prove(asked.code.text) }
  }

  @Test func `the total number of texts is limited`() async throws {
    let fixtures = try await AccountFixtures()
    let (store, now, random) = (fixtures.store, fixtures.now, fixtures.random)
    var sent = 0
    for index in 0..<100 {
      let name = try SignInName("+47900\(10000 + index)")
      try await fixtures.database.write { writer in
        try writer.addAccount("account-\(index)", patient: "patient-\(index)")
      }
      let isSent = try? await fixtures.database.write { writer in
        try store.startAddressProof(
          Secret(prefix: Secret.addressPrefix, random: random), of: name,
          code: ProofCode(random: random), for: "account-\(index)", at: now, in: writer)
        return true
      }
      sent += isSent == true ? 1 : 0
    }
    #expect(sent == 60)
  }

  @Test func `only a verified number can reset a forgotten password`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount("+4790012345")
    let (store, now, random) = (fixtures.store, fixtures.now, fixtures.random)
    let name = try SignInName(account.email)
    let first = Secret(prefix: Secret.invitationPrefix, random: random)
    let second = Secret(prefix: Secret.invitationPrefix, random: random)
    try await fixtures.database.write { writer in
      #expect(try store.startRecovery(first, for: name, at: now, in: writer) == nil)
      #expect(try store.invited(by: first, at: now, in: writer) == nil)
      try store.rename(account, to: name, proved: now, at: now, in: writer)
      #expect(try store.startRecovery(second, for: name, at: now, in: writer)?.id == account.id)
      #expect(try store.invited(by: second, at: now, in: writer)?.id == account.id)
      let nobody = try SignInName("+4790099999")
      #expect(try store.startRecovery(second, for: nobody, at: now, in: writer) == nil)
    }
  }
}
