// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Logging
import Outbound
import Storage
import Synchronization
import Testing
import TestSupport

@testable import AccountPages
@testable import Operations
@testable import Web

/// The addresses from which the public keys of apps are fetched.
@Suite struct AppKeyNetworkTests {
  @Test(arguments: [
    "https://127.0.0.1/keys", "https://10.0.0.1/keys", "https://[::1]/keys",
    "https://169.254.169.254/keys", "http://keys.example.org/keys",
    "https://keys.example.org:8443/keys", "file:///etc/passwd",
  ])
  func `private and unusual addresses are refused`(address: String) {
    #expect(throws: OutboundError.self) { try AppKeyNetwork.policy.check(address) }
  }

  @Test func `public https addresses are allowed`() throws {
    _ = try AppKeyNetwork.policy.check("https://keys.example.org/keys")
  }

  @Test func `a name that leads to a private address is not asked`() async throws {
    let asked = Mutex(0)
    let client = OutboundClient(
      policy: AppKeyNetwork.policy, monotonicNow: { 0 },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      resolver: { _ in
        asked.withLock { $0 += 1 }
        return ["10.0.0.1", "127.0.0.1", "169.254.169.254"].compactMap { IPAddress($0) }
      })
    let network = AppKeyNetwork(
      network: ProviderNetwork(client: client, policy: AppKeyNetwork.policy))
    await #expect(throws: ProviderError.unreachable) {
      _ = try await network.keySet(
        at: "https://keys.example.org/keys", with: nil, now: Timestamp(milliseconds: 0))
    }
    #expect(asked.withLock { $0 } == 1)
    await client.shutdown()
  }

  @Test func `an app whose keys can't be fetched is refused`() async throws {
    try await ServerHarness.run { harness in
      let account = try await harness.makeAccount()
      var registration = AppRegistration(
        name: "Service", kind: .backend, redirects: [], scopes: "system/Patient.rs")
      registration.keySetAddress = "https://127.0.0.1/keys"
      let line = try await Administration(environment: harness.environment)
        .perform(AdministrationCommand.app(.add(registration, email: account.email)))
      let app = String(line.dropFirst("client_id ".count))
      let claims: JSONValue = ["iss": .string(app), "sub": .string(app)]
      let header: JSONValue = ["alg": "ES384"]
      let token = [header, claims].map { Base64URL.encode($0.bytes) } + ["AAAA"]
      let response = try await harness.submit(
        "/oauth/token",
        [
          ("grant_type", "client_credentials"), ("scope", "system/Patient.rs"),
          ("client_assertion_type", ClientAssertion.type),
          ("client_assertion", token.joined(separator: ".")),
        ])
      #expect(response.status == .unauthorized)
      #expect(try response.json()["error"]?.string == "invalid_client")
    }
  }
}
