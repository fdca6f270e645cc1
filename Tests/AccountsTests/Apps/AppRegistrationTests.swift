// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct AppRegistrationTests {
  @Test(arguments: [
    "https://app.example.org/return", "https://app.example.org:8443/a?b=c",
    "http://localhost:7000/back", "http://127.0.0.1/back",
  ])
  func `a redirect address is https, or http on the device`(address: String) {
    #expect(AppRegistration.isRedirect(address))
  }

  @Test(arguments: [
    "", "https://", "http://app.example.org/return", "https://app.example.org/#part",
    "https://*.example.org/", "https://user@app.example.org/", "javascript:alert(1)",
    "com.example.app:/return", "https://app.example.org/a b", "//app.example.org/",
    "http://localhost.example.org/", "https://app.example.org\\@evil.example/",
  ])
  func `other redirect addresses are refused`(address: String) async throws {
    #expect(!AppRegistration.isRedirect(address))
    let fixtures = try await AppFixtures()
    await #expect(throws: AppError.redirect(address)) {
      try await fixtures.register("new") { $0.redirects = [address] }
    }
  }

  @Test func `names, scopes and keys must fit the kind of app`() async throws {
    let fixtures = try await AppFixtures()
    await #expect(throws: AppError.name(maximum: 100)) {
      try await fixtures.register("new") { $0.name = "  " }
    }
    await #expect(throws: AppError.redirectCount(maximum: 20)) {
      try await fixtures.register("new") { $0.redirects = [] }
    }
    await #expect(throws: AppError.scopes("patient/Nothing.rs")) {
      try await fixtures.register("new") { $0.scopes = "patient/Nothing.rs" }
    }
    await #expect(throws: AppError.scopes("")) {
      try await fixtures.register("new") { $0.scopes = "" }
    }
    await #expect(throws: AppError.scopes("system/Patient.rs")) {
      try await fixtures.register("new") { $0.scopes = "system/Patient.rs" }
    }
    await #expect(throws: AppError.keys) {
      try await fixtures.register("new") { $0.keySetAddress = "https://app.example.org/keys" }
    }
    await #expect(throws: AppError.account) {
      try await fixtures.register("new") { $0.kind = .backend }
    }
    await #expect(throws: AppError.address("http://localhost/keys")) {
      try await fixtures.register("new") { registration in
        registration.kind = .confidential
        registration.keySetAddress = "http://localhost/keys"
      }
    }
  }

  @Test func `a backend service has keys, an account and system scopes only`() async throws {
    let fixtures = try await AppFixtures()
    let account = fixtures.account.id
    func backend(_ scopes: String) async throws {
      try await fixtures.register("service") { registration in
        registration.kind = .backend
        registration.account = account
        registration.keySet = ["keys": []]
        registration.scopes = scopes
      }
    }
    await #expect(throws: AppError.scopes("user/Patient.rs")) {
      try await backend("user/Patient.rs system/Patient.rs")
    }
    try await backend("system/Patient.rs")
    let store = fixtures.accounts.store
    let found = try await fixtures.database.read { try store.app("service", in: $0) }
    #expect(found?.redirects == [] && found?.account == account && found?.hasKeys == true)
  }
}
