// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Encodings
import FHIR
import Identifiers
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Exchange

/// Sign-in at a hospital: PKCE, state, audience, refresh.
@Suite struct SmartLaunchTests {
  private let base = HospitalAddress("https://fhir.example/r4")
  private let now = Timestamp(milliseconds: 1_772_348_400_000)

  private func configuration(
    _ methods: String = #"["S256"]"#, more: String = ""
  ) throws -> SmartConfiguration? {
    let json = try JSONValue(
      parsing: Array(
        """
        {"authorization_endpoint":"https://auth.example/authorize",
         "token_endpoint":"https://auth.example/token",
         "code_challenge_methods_supported":\(methods)\(more)}
        """.utf8))
    return SmartConfiguration(json, base: try #require(base))
  }

  @Test func `the verifier of RFC 7636 is kept by the browser, its challenge goes out`() throws {
    let launch = SmartLaunch(state: Secret(text: "state"), browser: Secret(text: "browser"))
    let digest = Array(SHA256.hash(data: Array(launch.codeVerifier.utf8)))
    #expect(launch.codeChallenge == Base64URL.encode(digest))
    #expect((43...128).contains(launch.codeVerifier.utf8.count))
    #expect(launch.nonce != launch.codeVerifier)
    let other = SmartLaunch(state: Secret(text: "state"), browser: Secret(text: "another"))
    #expect(other.codeVerifier != launch.codeVerifier)
    let address = launch.address(
      try #require(try configuration()), clientID: "regimen", base: try #require(base),
      returnAddress: "https://here.example/hospitals/return")
    for part in [
      "response_type=code", "client_id=regimen", "code_challenge_method=S256", "state=state",
      "aud=https%3A%2F%2Ffhir.example%2Fr4", "launch%2Fpatient",
      "redirect_uri=https%3A%2F%2Fhere.example%2Fhospitals%2Freturn",
    ] {
      #expect(address.contains(part), "\(part)")
    }
    #expect(!address.contains(launch.codeVerifier))
  }

  @Test(arguments: [#"["plain"]"#, "[]", "null"])
  func `a launch requires S256`(methods: String) throws {
    #expect(try configuration(methods) == nil)
  }

  private func token(_ answer: String, status: Int = 200) async throws
    -> (HospitalCredentials, patient: String?)
  {
    let network = HospitalNetwork { _ in
      HospitalAnswer(status: status, body: Array(answer.utf8))
    }
    let launch = SmartLaunch(state: Secret(text: "s"), browser: Secret(text: "b"))
    return try await launch.token(
      try #require(try configuration()), clientID: "regimen", base: try #require(base),
      code: "code", returnAddress: "https://here.example/return", network: network, now: now)
  }

  @Test func `a token is stored with its expiry and its person`() async throws {
    let (credentials, patient) = try await token(
      #"{"access_token":"abc","token_type":"Bearer","expires_in":300,"refresh_token":"r","patient":"p1"}"#
    )
    #expect(patient == "p1")
    #expect(credentials.access == "abc" && credentials.refresh == "r")
    #expect(credentials.expires == now.adding(milliseconds: 300_000))
    #expect(!credentials.isStale(at: now))
    #expect(credentials.isStale(at: now.adding(milliseconds: 250_000)))
    #expect(HospitalCredentials(kept: credentials.text) == credentials)
  }

  private static func jwt(_ claims: String) -> String {
    "eyJhbGciOiJSUzI1NiJ9.\(Base64URL.encode(Array(claims.utf8))).c2ln"
  }

  @Test(arguments: [
    (#"{"aud":"https://fhir.example/r4"}"#, true),
    (#"{"aud":["x","https://fhir.example/r4/"]}"#, true),
    (#"{"aud":"https://fhir.example"}"#, true), (#"{"aud":"https://other.example/r4"}"#, false),
    (#"{"aud":["https://a.example","https://b.example"]}"#, false), (#"{"sub":"x"}"#, true),
    (#"{"aud":"some-name"}"#, true),
  ])
  func `a token for another server is refused`(claims: String, fits: Bool) async throws {
    let base = try #require(base)
    let jwt = Self.jwt(claims)
    if fits {
      try HospitalCredentials.checkAudience(jwt, base: base)
    } else {
      #expect(throws: HospitalTrouble.audience) {
        try HospitalCredentials.checkAudience(jwt, base: base)
      }
      await #expect(throws: HospitalTrouble.audience) {
        _ = try await token(#"{"access_token":"\#(jwt)","token_type":"Bearer"}"#)
      }
    }
  }

  @Test(arguments: [
    (400, "{}"), (200, "{}"), (200, #"{"access_token":"a b","token_type":"Bearer"}"#),
    (200, #"{"access_token":"abc","token_type":"mac"}"#),
  ])
  func `a response without a token signs no one in`(status: Int, body: String) async throws {
    await #expect(throws: HospitalTrouble.signIn) { _ = try await token(body, status: status) }
  }

  @Test func `a token is renewed, and a revoked one has expired`() async throws {
    let base = try #require(base)
    var credentials = HospitalCredentials(access: "old")
    credentials.refresh = "r1"
    credentials.clientID = "regimen"
    credentials.launch = try configuration()
    let sent = Mutex<[HospitalRequest]>([])
    let good = HospitalNetwork { request in
      sent.withLock { $0.append(request) }
      return HospitalAnswer(
        status: 200,
        body: Array(#"{"access_token":"new","token_type":"bearer","refresh_token":"r2"}"#.utf8))
    }
    let renewed = try await credentials.renewed(base: base, network: good, now: now)
    #expect(renewed.access == "new" && renewed.refresh == "r2")
    let body = String(decoding: sent.withLock { $0.first?.body ?? [] }, as: UTF8.self)
    #expect(body.contains("grant_type=refresh_token") && body.contains("refresh_token=r1"))
    let bad = HospitalNetwork { _ in HospitalAnswer(status: 400) }
    await #expect(throws: HospitalTrouble.expired) {
      _ = try await credentials.renewed(base: base, network: bad, now: now)
    }
  }

  /// Returns the requests that ending a sign-in sends.
  private func endings(
    _ configuration: SmartConfiguration?, access: String?, refresh: String?,
    answer: Result<HospitalAnswer, HospitalTrouble> = .success(HospitalAnswer(status: 200))
  ) async -> [HospitalRequest] {
    var credentials = HospitalCredentials(access: access)
    credentials.refresh = refresh
    credentials.clientID = "regimen"
    credentials.launch = configuration
    let sent = Mutex<[HospitalRequest]>([])
    let network = HospitalNetwork { request throws(HospitalTrouble) in
      sent.withLock { $0.append(request) }
      return try answer.get()
    }
    await credentials.revoke(network: network)
    return sent.withLock { $0 }
  }

  @Test func `a sign-in that ends here is ended at the hospital`() async throws {
    let address = "https://auth.example/revoke"
    let offers = try configuration(more: #","revocation_endpoint":"\#(address)""#)
    let both = await endings(offers, access: "a", refresh: "r")
    #expect(both.map(\.url) == [address] && both.map(\.method) == ["POST"])
    #expect(both.first?.timeoutSeconds == 5)
    let body = String(decoding: both.first?.body ?? [], as: UTF8.self)
    #expect(body == "token=r&token_type_hint=refresh_token&client_id=regimen")
    let short = await endings(offers, access: "a", refresh: nil)
    let shortBody = String(decoding: short.first?.body ?? [], as: UTF8.self)
    #expect(shortBody.hasPrefix("token=a&"))
    // A hospital that fails or can't be reached is asked once.
    let down = await endings(offers, access: "a", refresh: "r", answer: .failure(.unreachable))
    #expect(down.count == 1)
    #expect(await endings(offers, access: nil, refresh: nil).isEmpty)
    #expect(await endings(nil, access: "a", refresh: nil).isEmpty, "a token that was entered")
    let without = try configuration()
    #expect(await endings(without, access: "a", refresh: "r").isEmpty)
    let plain = try configuration(more: #","revocation_endpoint":"http://auth.example/revoke""#)
    #expect(await endings(plain, access: "a", refresh: "r").isEmpty)
  }

  @Test func `the address that ends access is kept with the credentials`() throws {
    var credentials = HospitalCredentials(access: "a")
    credentials.launch = try configuration(
      more: #","revocation_endpoint":"https://auth.example/revoke""#)
    #expect(HospitalCredentials(kept: credentials.text) == credentials)
  }
}
