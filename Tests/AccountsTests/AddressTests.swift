// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct AddressTests {
  @Test(arguments: [
    ("+47 900 12 345", "+4790012345"), ("0047 90012345", "+4790012345"),
    (" +49 (151) 234-5678/9 ", "+4915123456789"), ("+66\u{A0}81.234.5678", "+66812345678"),
  ])
  func `phone numbers are accepted in common spellings`(typed: String, text: String) throws {
    let name = try SignInName(typed)
    #expect(name.text == text && name.folded == text && name.isPhone)
  }

  @Test(arguments: [
    "90012345", "+0123456789", "+123456", "+1234567890123456", "++4790012345", "+47 900 12 34x",
    "+47;90012345", "47+90012345", "+٤٧٩٠٠١٢٣٤٥ 1", "000047900",
  ])
  func `numbers without a valid country code are refused`(typed: String) {
    #expect(throws: AccountError.phoneMalformed) { try SignInName(typed) }
  }

  @Test func `a new number needs 8 digits, but an old one of 7 is still found`() async throws {
    #expect(try SignInName("+1234567").text == "+1234567")
    #expect(throws: AccountError.phoneMalformed) { try SignInName(new: "+1234567") }
    #expect(try SignInName(new: "+12345678").text == "+12345678")
    #expect(try SignInName(new: "Ann@example.org").folded == "ann@example.org")
  }

  @Test func `with an at sign it is an address`() throws {
    let name = try SignInName(" 4790012345@Example.org")
    #expect(!name.isPhone && name.folded == "4790012345@example.org")
    #expect(throws: AccountError.emailMissing) { try SignInName("  ") }
    #expect(throws: AccountError.emailMalformed) { try SignInName("ann") }
  }

  @Test func `an account with a phone number can sign in and keeps the number`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount("+47 900 12 345")
    let store = fixtures.store
    let found = try await fixtures.database.read {
      try store.account(named: try SignInName("004790012345"), in: $0)?.account
    }
    #expect(found?.id == account.id && found?.email == "+4790012345" && found?.isByPhone == true)
    _ = try await fixtures.signIn.open(
      email: "0047-900-12-345", password: "seven green bicycles", at: fixtures.now)
    await #expect(throws: AccountError.emailTaken) {
      _ = try await fixtures.makeAccount("+4790012345", id: "account-2", patient: "patient-2")
    }
    let sealed = try await fixtures.database.read { reader in
      try reader.query("SELECT email_sealed, by_phone FROM accounts").map {
        (String(decoding: try $0.blob(0), as: UTF8.self), try $0.bool(1))
      }
    }
    #expect(sealed.count == 1 && sealed[0].1 && !sealed[0].0.contains("90012345"))
  }

  @Test func `an address is verified by its link, once and within a day`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let (store, now) = (fixtures.store, fixtures.now)
    let (first, secret) = (
      Secret(prefix: Secret.addressPrefix, random: fixtures.random),
      Secret(prefix: Secret.addressPrefix, random: fixtures.random)
    )
    let invitation = Secret(prefix: Secret.invitationPrefix, random: fixtures.random)
    let new = try SignInName("New@example.org")
    let late = fixtures.later(AccountStore.addressProofLifetime)
    try await fixtures.database.write { writer in
      try store.startAddressProof(first, of: new, for: account.id, at: now, in: writer)
      try store.startAddressProof(secret, of: new, for: account.id, at: now, in: writer)
      try store.createInvitation(invitation, for: account.id, at: now, in: writer)
      #expect(try store.addressProof(first, at: now, in: writer) == nil, "one at a time")
      #expect(try store.addressProof(secret, at: late, in: writer) == nil)
      #expect(try store.addressProof(secret, at: now, in: writer)?.name == new)
      #expect(try store.account(account.id, in: writer)?.email == account.email)
      #expect(try store.prove(address: secret, at: now, in: writer)?.email == account.email)
      #expect(try store.account(account.id, in: writer)?.email == "New@example.org")
      #expect(try store.addressProved(of: account.id, in: writer) == now)
      #expect(try store.prove(address: secret, at: now, in: writer) == nil)
      // An earlier link in the mailbox no longer works.
      #expect(try store.invited(by: invitation, at: now, in: writer) == nil)
    }
    await #expect(throws: AccountError.signInRefused) {
      try await fixtures.signIn.open(
        email: account.email, password: "seven green bicycles", at: now)
    }
    _ = try await fixtures.signIn.open(
      email: "new@example.org", password: "seven green bicycles", at: now)
  }

  @Test func `a new password cancels a pending address change`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let (store, now) = (fixtures.store, fixtures.now)
    let secret = Secret(prefix: Secret.addressPrefix, random: fixtures.random)
    let hash = try await fixtures.signIn.hash(
      newPassword: "nine yellow tricycles", rules: PasswordRules(), context: [])
    try await fixtures.database.write { writer in
      try store.startAddressProof(
        secret, of: try SignInName("thief@example.org"), for: account.id, at: now, in: writer)
      try store.setPassword(hash, of: account.id, at: now, in: writer)
      #expect(try store.prove(address: secret, at: now, in: writer) == nil)
      #expect(try store.account(account.id, in: writer)?.email == account.email)
    }
  }

  @Test func `an address can't be taken from another account`() async throws {
    let fixtures = try await AccountFixtures()
    let ann = try await fixtures.makeAccount()
    let bob = try await fixtures.makeAccount(
      "bob@example.org", id: "account-2", patient: "patient-2")
    let (store, now) = (fixtures.store, fixtures.now)
    let secret = Secret(prefix: Secret.addressPrefix, random: fixtures.random)
    try await fixtures.database.write { writer in
      try store.startAddressProof(
        secret, of: try SignInName("BOB@example.org"), for: ann.id, at: now, in: writer)
    }
    await #expect(throws: AccountError.emailTaken) {
      try await fixtures.database.write {
        _ = try store.prove(address: secret, at: now, in: $0)
      }
    }
    let emails = try await fixtures.database.read { reader in
      try [ann.id, bob.id].map { try store.account($0, in: reader)?.email }
    }
    #expect(emails == [ann.email, bob.email])
  }

  @Test func `the number of links sent to someone is limited`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let (store, now, random) = (fixtures.store, fixtures.now, fixtures.random)
    var sent = 0
    for _ in 0..<20 {
      let isSent = try? await fixtures.database.write { writer in
        try store.startAddressProof(
          Secret(prefix: Secret.addressPrefix, random: random),
          of: try SignInName("victim@example.org"), for: account.id, at: now, in: writer)
        return true
      }
      sent += isSent == true ? 1 : 0
    }
    #expect(sent == 5)
  }
}
