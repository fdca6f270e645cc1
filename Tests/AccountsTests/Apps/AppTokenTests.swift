// SPDX-License-Identifier: Apache-2.0

import Access
import Encodings
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

/// An account with two apps, and what they do with codes and tokens.
struct AppFixtures {
  static let redirect = "https://app.example.org/return"
  static let verifier = String(repeating: "v", count: 43)
  static let scopes =
    "launch/patient offline_access openid patient/Observation.rs patient/Patient.r"

  let accounts: AccountFixtures
  let account: Account

  init() async throws {
    accounts = try await AccountFixtures()
    account = try await accounts.makeAccount()
    for id in ["tracker", "other"] { try await register(AppID(id)) }
  }

  var database: Database { accounts.database }
  var now: Timestamp { accounts.now }

  func register(_ id: AppID, _ change: (inout AppRegistration) -> Void = { _ in }) async throws {
    var registration = AppRegistration(
      name: "Tracker", kind: .open, redirects: [Self.redirect], scopes: Self.scopes)
    change(&registration)
    let (store, now, checked) = (accounts.store, now, registration)
    try await database.write { writer in
      _ = try store.register(
        checked, as: id, state: .enabled, secret: nil, at: now, by: .hostOperator, in: writer)
    }
  }

  /// Grants access and returns the code.
  func code(
    _ id: AppGrantID = "grant-1", scopes: String = AppFixtures.scopes, days: Int? = 30
  ) async throws -> Secret {
    let secret = Secret(prefix: Secret.appCodePrefix, random: accounts.random)
    let grant = AppGrant(
      id: id, app: "tracker", account: account.id, patient: account.patient,
      scopes: SMARTScopes(parsing: scopes), created: now,
      expires: AppLifetimes.end(days: days, at: now))
    let request = AppCodeRequest(
      challenge: Base64URL.encode(Fingerprint.digest(of: Array(Self.verifier.utf8))),
      redirect: Self.redirect, nonce: "n-1", proved: now)
    let store = accounts.store
    try await database.write { writer in
      try store.grant(grant, code: secret, for: request, in: writer)
    }
    return secret
  }

  func redeem(
    _ code: Secret, by app: AppID = "tracker", redirect: String = AppFixtures.redirect,
    verifier: String = AppFixtures.verifier, key: TokenKey? = nil, after milliseconds: Int64 = 0
  ) async throws -> Result<IssuedAppTokens, AppTokenRefusal> {
    let (store, random, at) = (accounts.store, accounts.random, accounts.later(milliseconds))
    return try await database.write { writer in
      try store.redeem(
        code: code, of: app, redirect: redirect, verifier: verifier, key: key, random: random,
        at: at, in: writer)
    }
  }

  func refresh(
    _ token: Secret?, by app: AppID = "tracker", scopes: String? = nil, key: TokenKey? = nil,
    after milliseconds: Int64 = 0
  ) async throws -> Result<IssuedAppTokens, AppTokenRefusal> {
    let token = try #require(token)
    let (store, random, at) = (accounts.store, accounts.random, accounts.later(milliseconds))
    return try await database.write { writer in
      try store.refresh(
        token, of: app, scopes: scopes.map { SMARTScopes(parsing: $0) }, key: key,
        random: random, at: at, in: writer)
    }
  }

  func signedIn(_ token: Secret, after milliseconds: Int64 = 0) async throws -> SignedIn? {
    let (store, at) = (accounts.store, accounts.later(milliseconds))
    return try await database.read { try store.signedIn(token: token, at: at, in: $0) }
  }
}

@Suite struct AppTokenTests {
  @Test func `a code becomes tokens that reach only the granted person`() async throws {
    let fixtures = try await AppFixtures()
    let issued = try await fixtures.redeem(try await fixtures.code()).get()
    #expect(issued.access.text.hasPrefix("rga_") && issued.refresh?.text.hasPrefix("rgr_") == true)
    #expect(issued.request?.nonce == "n-1" && issued.scopes.text == issued.grant.scopes.text)
    let signedIn = try #require(try await fixtures.signedIn(issued.access))
    #expect(signedIn.account.id == fixtures.account.id && signedIn.actor.kind == .token)
    #expect(signedIn.actor.scope.app?.patient == fixtures.account.patient)
    #expect(!signedIn.actor.isAdministrator)
    // A refresh token is no access token.
    let refresh = try #require(issued.refresh)
    #expect(try await fixtures.signedIn(refresh) == nil)
    #expect(try await fixtures.signedIn(issued.access, after: AppLifetimes.access - 1) != nil)
    #expect(try await fixtures.signedIn(issued.access, after: AppLifetimes.access) == nil)
  }

  @Test func `a code fits one app, address, verifier and minute`() async throws {
    let fixtures = try await AppFixtures()
    let code = try await fixtures.code()
    let wrong = String(repeating: "w", count: 43)
    let refused = [
      try await fixtures.redeem(Secret(text: "rgc_unknown")),
      try await fixtures.redeem(code, by: "other"),
      try await fixtures.redeem(code, redirect: AppFixtures.redirect + "/"),
      try await fixtures.redeem(code, verifier: wrong),
      try await fixtures.redeem(code, verifier: ""),
      try await fixtures.redeem(code, after: AppLifetimes.code),
    ]
    for result in refused { #expect(throws: AppTokenRefusal.grant) { try result.get() } }
    _ = try await fixtures.redeem(code, after: AppLifetimes.code - 1).get()
  }

  @Test func `a code that comes twice ends what it gave`() async throws {
    let fixtures = try await AppFixtures()
    let code = try await fixtures.code()
    let issued = try await fixtures.redeem(code).get()
    let again = try await fixtures.redeem(code, after: 1000)
    #expect(throws: AppTokenRefusal.grant) { try again.get() }
    #expect(try await fixtures.signedIn(issued.access, after: 1000) == nil)
    let refreshed = try await fixtures.refresh(issued.refresh, after: 1000)
    #expect(throws: AppTokenRefusal.grant) { try refreshed.get() }
  }

  @Test func `a refresh token is replaced, and its second use ends the family`() async throws {
    let fixtures = try await AppFixtures()
    let first = try await fixtures.redeem(try await fixtures.code()).get()
    let second = try await fixtures.refresh(first.refresh).get()
    #expect(second.refresh != nil && second.refresh != first.refresh)
    #expect(try await fixtures.signedIn(second.access) != nil)
    let stolen = try await fixtures.refresh(first.refresh)
    #expect(throws: AppTokenRefusal.grant) { try stolen.get() }
    #expect(try await fixtures.signedIn(second.access) == nil)
    let late = try await fixtures.refresh(second.refresh)
    #expect(throws: AppTokenRefusal.grant) { try late.get() }
  }

  @Test func `a refresh narrows scopes and never widens them`() async throws {
    let fixtures = try await AppFixtures()
    let first = try await fixtures.redeem(try await fixtures.code()).get()
    for wider in ["patient/*.rs", "patient/Observation.cruds", "user/Observation.rs", "nonsense"] {
      let refused = try await fixtures.refresh(first.refresh, scopes: wider)
      #expect(throws: AppTokenRefusal.scope) { try refused.get() }
    }
    let narrow = try await fixtures.refresh(first.refresh, scopes: "patient/Patient.r").get()
    #expect(narrow.scopes.text == "patient/Patient.r")
    let whole = try await fixtures.refresh(narrow.refresh).get()
    #expect(whole.scopes.text == first.scopes.text)
    let other = try await fixtures.refresh(whole.refresh, by: "other")
    #expect(throws: AppTokenRefusal.grant) { try other.get() }
  }

  @Test func `without offline access there is no refresh token`() async throws {
    let fixtures = try await AppFixtures()
    let code = try await fixtures.code(scopes: "launch/patient patient/Patient.r", days: nil)
    let issued = try await fixtures.redeem(code).get()
    #expect(issued.refresh == nil && issued.expires == issued.grant.expires)
  }

  @Test func `ending access and disabling the app stop tokens at once`() async throws {
    let fixtures = try await AppFixtures()
    let (store, now, account) = (fixtures.accounts.store, fixtures.now, fixtures.account.id)
    let first = try await fixtures.redeem(try await fixtures.code("grant-1")).get()
    let second = try await fixtures.redeem(try await fixtures.code("grant-2")).get()
    try await fixtures.database.write { writer throws in
      #expect(try store.connectedApps(of: account, at: now, in: writer).count == 2)
      #expect(try !store.endAppGrant("grant-1", of: "another", at: now, in: writer))
      #expect(try store.endAppGrant("grant-1", of: account, at: now, in: writer))
      #expect(try !store.endAppGrant("grant-1", of: account, at: now, in: writer))
      let left = try store.connectedApps(of: account, at: now, in: writer)
      #expect(left.map(\.grant.id) == ["grant-2"] && left.map(\.name) == ["Tracker"])
    }
    #expect(try await fixtures.signedIn(first.access) == nil)
    #expect(try await fixtures.signedIn(second.access) != nil)
    try await fixtures.database.write { writer in
      try store.set(.disabled, of: "tracker", at: now, by: .hostOperator, in: writer)
    }
    #expect(try await fixtures.signedIn(second.access) == nil)
    await #expect(throws: AppError.unknown) {
      try await fixtures.database.write { writer in
        try store.set(.enabled, of: "nothing", at: now, by: .hostOperator, in: writer)
      }
    }
  }

  @Test func `revoking an access token keeps the rest, a refresh token ends all`() async throws {
    let fixtures = try await AppFixtures()
    let (store, now) = (fixtures.accounts.store, fixtures.now)
    let issued = try await fixtures.redeem(try await fixtures.code()).get()
    let refresh = try #require(issued.refresh)
    try await fixtures.database.write { writer throws in
      try store.revoke(issued.access, of: "other", at: now, in: writer)
      #expect(try store.facts(aboutAppToken: issued.access, at: now, in: writer) != nil)
      try store.revoke(issued.access, of: "tracker", at: now, in: writer)
      #expect(try store.facts(aboutAppToken: issued.access, at: now, in: writer) == nil)
      #expect(try store.facts(aboutAppToken: refresh, at: now, in: writer)?.kind == .refresh)
      try store.revoke(refresh, of: "tracker", at: now, in: writer)
      #expect(try store.facts(aboutAppToken: refresh, at: now, in: writer) == nil)
    }
  }

  @Test func `revoking a replaced refresh token ends its family for its app`() async throws {
    let fixtures = try await AppFixtures()
    let (store, now) = (fixtures.accounts.store, fixtures.now)
    let first = try await fixtures.redeem(try await fixtures.code()).get()
    let replaced = try #require(first.refresh)
    let second = try await fixtures.refresh(replaced).get()
    try await fixtures.database.write { writer throws in
      try store.revoke(replaced, of: "other", at: now, in: writer)
      try store.revoke(Secret(text: "rgr_unknown"), of: "tracker", at: now, in: writer)
    }
    #expect(try await fixtures.signedIn(second.access) != nil)
    try await fixtures.database.write { writer throws in
      try store.revoke(replaced, of: "tracker", at: now, in: writer)
      try store.revoke(replaced, of: "tracker", at: now, in: writer)
    }
    for issued in [first, second] { #expect(try await fixtures.signedIn(issued.access) == nil) }
    let late = try await fixtures.refresh(second.refresh)
    #expect(throws: AppTokenRefusal.grant) { try late.get() }
  }

  @Test func `the use of a token is recorded at its grant`() async throws {
    let fixtures = try await AppFixtures()
    let issued = try await fixtures.redeem(try await fixtures.code()).get()
    let (store, account, later) = (
      fixtures.accounts.store, fixtures.account.id, fixtures.accounts.later(60_000)
    )
    try await fixtures.database.write { writer in
      try store.touch(token: SessionID(issued.access), at: later, in: writer)
    }
    let used = try await fixtures.database.read {
      try store.connectedApps(of: account, at: later, in: $0).map(\.grant.used)
    }
    #expect(used == [later])
  }

  // MARK: Bound tokens

  private static let key = TokenKey(thumbprint: "key-1", bindsRefresh: true)
  private static let other = TokenKey(thumbprint: "key-2", bindsRefresh: true)

  @Test func `a refresh token of a key works only with the key`() async throws {
    let fixtures = try await AppFixtures()
    let first = try await fixtures.redeem(try await fixtures.code(), key: Self.key).get()
    #expect(first.keyThumbprint == "key-1")
    #expect(try await fixtures.signedIn(first.access)?.keyThumbprint == "key-1")
    for key in [nil, Self.other] {
      let stolen = try await fixtures.refresh(first.refresh, key: key)
      #expect(throws: AppTokenRefusal.grant) { try stolen.get() }
    }
    // A thief without the key could not end the family either.
    let second = try await fixtures.refresh(first.refresh, key: Self.key).get()
    let late = try await fixtures.refresh(first.refresh, key: Self.other)
    #expect(throws: AppTokenRefusal.grant) { try late.get() }
    #expect(try await fixtures.signedIn(second.access)?.keyThumbprint == "key-1")
    // The owner of the key ends it by using the old token again.
    let again = try await fixtures.refresh(first.refresh, key: Self.key)
    #expect(throws: AppTokenRefusal.grant) { try again.get() }
    #expect(try await fixtures.signedIn(second.access) == nil)
  }

  @Test func `an app that proves itself otherwise may change its key`() async throws {
    let fixtures = try await AppFixtures()
    let (one, two) = (
      TokenKey(thumbprint: "key-1", bindsRefresh: false),
      TokenKey(thumbprint: "key-2", bindsRefresh: false)
    )
    let first = try await fixtures.redeem(try await fixtures.code(), key: one).get()
    let second = try await fixtures.refresh(first.refresh, key: two).get()
    #expect(try await fixtures.signedIn(second.access)?.keyThumbprint == "key-2")
    let plain = try await fixtures.refresh(second.refresh).get()
    #expect(plain.keyThumbprint == nil)
    #expect(try await fixtures.signedIn(plain.access)?.keyThumbprint == nil)
  }
}
