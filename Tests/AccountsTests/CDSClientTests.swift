// SPDX-License-Identifier: Apache-2.0

import Access
import Crypto
import FHIR
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

/// The systems that may ask for decision support, and the single use of their tokens.
@Suite struct CDSClientTests {
  private let maker = CDSTokenMaker()

  private func error(
    issuer: String = CDSTokenMaker.issuer, keys: JSONValue? = nil
  ) -> CDSClientError? {
    do throws(CDSClientError) {
      _ = try CDSClient(
        issuer: issuer, keys: keys ?? maker.keySet, account: "account-1",
        reachesEveryPatient: false, at: maker.now)
      return nil
    } catch {
      return error
    }
  }

  @Test func `the issuer is an address`() {
    #expect(error() == nil)
    #expect(error(issuer: "http://localhost:8080/ehr") == nil)
    for issuer in [
      "", "ehr.example.org", "https://", "ftp://ehr.example.org", "https://ehr example.org",
      "https://ehr.example.org\n", "https://" + String(repeating: "a", count: 500),
    ] {
      #expect(error(issuer: issuer) == .issuer, "\(issuer)")
    }
  }

  @Test func `only public keys for the two algorithms are taken`() {
    func changed(_ change: (inout JSONValue) -> Void) -> JSONValue {
      var key = maker.publicKey
      change(&key)
      return ["keys": [key]]
    }
    #expect(error(keys: [:]) == .keys)
    #expect(error(keys: ["keys": []]) == .keys)
    #expect(error(keys: changed { $0["crv"] = "P-256" }) == .keys)
    #expect(error(keys: changed { $0["use"] = "enc" }) == .keys)
    #expect(error(keys: changed { $0["d"] = "AAAA" }) == .privateKey)
    #expect(error(keys: ["keys": [["kty": "oct", "k": "AAAA"]]]) == .privateKey)
    let short: JSONValue = ["kty": "RSA", "e": "AQAB", "n": "AAAA"]
    #expect(error(keys: ["keys": [short]]) == .keys)
    #expect(error(keys: ["keys": [short, maker.publicKey]]) == nil)
    let padding = JSONValue.string(String(repeating: "a", count: 70_000))
    #expect(error(keys: changed { $0["x5c"] = padding }) == .keys)
  }

  private func prepared(
    reachesEveryPatient: Bool = false
  ) async throws -> (AccountFixtures, Account) {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let client = try maker.client(of: account.id, reachesEveryPatient: reachesEveryPatient)
    let (store, now) = (fixtures.store, fixtures.now)
    try await fixtures.database.write { writer in
      try store.putCDSClient(client, by: .hostOperator, at: now, in: writer)
    }
    return (fixtures, account)
  }

  private func signIn(
    _ fixtures: AccountFixtures, _ token: String, at now: Timestamp? = nil
  ) async throws -> SignedIn {
    try await fixtures.store.signedIn(
      cds: token, for: [CDSTokenMaker.service], at: now ?? fixtures.now, in: fixtures.database)
  }

  @Test func `a system has the rights of its account, and only reads`() async throws {
    let (fixtures, account) = try await prepared()
    let signedIn = try await signIn(fixtures, maker.token())
    #expect(signedIn.account == account)
    let actor = signedIn.actor
    #expect(actor.kind == .token && actor.scope == .reading && !actor.isAdministrator)
    #expect(Set(actor.rights.keys) == [account.patient])
    let (every, _) = try await prepared(reachesEveryPatient: true)
    #expect(try await signIn(every, maker.token()).actor.scope == .system)
  }

  @Test func `a token works once, even after it would have been forgotten`() async throws {
    let (fixtures, _) = try await prepared()
    _ = try await signIn(fixtures, maker.token())
    // Another signature over the same identifier is the same token.
    for seconds in [0, 60, 200, 229] as [Int64] {
      await #expect(throws: CDSTokenError.replayed) {
        _ = try await signIn(fixtures, maker.token(), at: fixtures.later(seconds * 1000))
      }
    }
    await #expect(throws: CDSTokenError.expired) {
      _ = try await signIn(fixtures, maker.token(), at: fixtures.later(231_000))
    }
    var claims = maker.claims
    claims["jti"] = "request-2"
    _ = try await signIn(fixtures, maker.token(claims: claims))
    #expect(try await used(fixtures) == 2)
    // A later use deletes what no longer matters.
    claims["jti"] = "request-3"
    claims["iat"] = .number(JSONNumber(maker.seconds + 300))
    claims["exp"] = .number(JSONNumber(maker.seconds + 400))
    _ = try await signIn(fixtures, maker.token(claims: claims), at: fixtures.later(300_000))
    #expect(try await used(fixtures) == 1)
  }

  private func used(_ fixtures: AccountFixtures) async throws -> Int64? {
    try await fixtures.database.read { reader in
      try reader.first("SELECT COUNT(*) FROM cds_used_tokens")?.integer(0)
    }
  }

  @Test func `a disabled, removed or unknown system is refused`() async throws {
    let (fixtures, account) = try await prepared()
    let (store, now) = (fixtures.store, fixtures.now)
    var claims = maker.claims
    claims["iss"] = "https://other.example"
    let foreign = try maker.token(claims: claims)
    await #expect(throws: CDSTokenError.issuer) { _ = try await signIn(fixtures, foreign) }
    let issuer = CDSTokenMaker.issuer
    try await fixtures.database.write { writer in
      try store.enableCDSClient(issuer, false, by: .hostOperator, at: now, in: writer)
    }
    await #expect(throws: CDSTokenError.issuer) { _ = try await signIn(fixtures, maker.token()) }
    try await fixtures.database.write { writer in
      try store.enableCDSClient(issuer, true, by: .hostOperator, at: now, in: writer)
    }
    _ = try await signIn(fixtures, maker.token())
    let listed = try await fixtures.database.read { try store.cdsClients(in: $0) }
    #expect(listed.map(\.issuer) == [issuer] && listed.map(\.used) == [now])
    // New keys end the old ones.
    let other = CDSTokenMaker()
    let replaced = try other.client(of: account.id)
    try await fixtures.database.write { writer in
      try store.putCDSClient(replaced, by: .hostOperator, at: now, in: writer)
    }
    claims = maker.claims
    claims["jti"] = "request-2"
    let outdated = try maker.token(claims: claims)
    await #expect(throws: CDSTokenError.signature) { _ = try await signIn(fixtures, outdated) }
    _ = try await signIn(fixtures, other.token(claims: claims))
    try await fixtures.database.write { writer in
      try store.removeCDSClient(issuer, by: .hostOperator, at: now, in: writer)
    }
    await #expect(throws: CDSTokenError.issuer) { _ = try await signIn(fixtures, other.token()) }
    await #expect(throws: CDSClientError.unknown) {
      try await fixtures.database.write { writer in
        try store.removeCDSClient(issuer, by: .hostOperator, at: now, in: writer)
      }
    }
    await #expect(throws: CDSClientError.unknown) {
      try await fixtures.database.write { writer in
        try store.enableCDSClient(issuer, true, by: .hostOperator, at: now, in: writer)
      }
    }
  }
}
