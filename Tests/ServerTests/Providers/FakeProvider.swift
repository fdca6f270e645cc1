// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Encodings
import FHIR
import Foundation
import Secrecy
import Storage
import Synchronization

@testable import AccountPages
@testable import Web

/// A provider without a network: an OpenID issuer and Facebook's graph, whose answers a test can
/// change.
final class FakeProvider: Sendable {
  struct State: Sendable {
    var subject = "ann-17"
    var keyID = "k1"
    var key = P256.Signing.PrivateKey()
    var publishes = true
    var isReachable = true
    /// The parameters of the authorization address, for the next callback.
    var nonce = ""
    var challenge = ""
    /// Changes the claims of the next tokens.
    var bend: @Sendable (inout JSONValue) -> Void = { _ in }
    var inspection: JSONValue = [:]
    var requests: [ProviderNetwork.Request] = []
  }

  static let issuer = "https://id.example.org"
  let state = Mutex(State())
  let clock: @Sendable () -> Timestamp

  init(clock: @escaping @Sendable () -> Timestamp) { self.clock = clock }

  var network: ProviderNetwork {
    ProviderNetwork { request throws(ProviderError) in
      self.state.withLock { $0.requests.append(request) }
      guard self.state.withLock({ $0.isReachable }) else { throw .unreachable }
      return self.answer(request)
    }
  }

  var providers: SignInProviders {
    SignInProviders(
      [
        SignInProvider(
          name: "city", label: "City", kind: .openID(issuer: Self.issuer), clientID: "regimen",
          clientSecret: Concealed("a:secret")),
        SignInProvider(
          name: "facebook", label: "Facebook",
          kind: .facebook(
            .init(dialog: "https://fb.example/dialog", graph: "https://fb.example/g")),
          clientID: "app-1", clientSecret: Concealed("app-secret")),
      ], network: network)
  }

  /// The requested addresses, in order, without their queries.
  var asked: [String] {
    state.withLock { $0.requests.map { String($0.url.prefix { $0 != "?" }) } }
  }

  private func answer(_ request: ProviderNetwork.Request) -> ProviderNetwork.Answer {
    let path = String(request.url.prefix { $0 != "?" })
    let fields = FormBody(pairs: FormBody.pairs(of: request.body))
    switch path {
    case "\(Self.issuer)/.well-known/openid-configuration":
      return .init(status: 200, body: Self.document)
    case "\(Self.issuer)/keys":
      return .init(status: 200, body: ["keys": .array(publicKeys)])
    case "\(Self.issuer)/token":
      return proves(fields)
        ? .init(status: 200, body: ["access_token": "at", "id_token": .string(token())])
        : .init(status: 400, body: ["error": "invalid_grant"])
    case "https://fb.example/g/oauth/access_token":
      return proves(fields) && fields.text("client_secret") == "app-secret"
        ? .init(status: 200, body: ["access_token": "fb-token"])
        : .init(status: 400, body: ["error": [:]])
    case "https://fb.example/g/debug_token":
      return .init(status: 200, body: ["data": state.withLock { $0.inspection }])
    case "https://fb.example/g/me":
      let subject = state.withLock { $0.subject }
      return .init(status: 200, body: ["id": .string(subject), "name": "Ann Example"])
    default: return .init(status: 404, body: nil)
    }
  }

  static let document: JSONValue = [
    "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
    "token_endpoint": .string("\(issuer)/token"), "jwks_uri": .string("\(issuer)/keys"),
  ]

  /// PKCE: the caller must have the value behind the challenge.
  private func proves(_ fields: FormBody) -> Bool {
    let verifier = fields.text("code_verifier") ?? ""
    let digest = Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
    return fields.text("code") == "a-code" && digest == state.withLock { $0.challenge }
      && verifier.utf8.count >= 43
  }

  private var publicKeys: [JSONValue] {
    state.withLock { state in
      guard state.publishes else { return [] }
      let point = Array(state.key.publicKey.x963Representation)
      return [
        [
          "kty": "EC", "crv": "P-256", "kid": .string(state.keyID),
          "x": .string(Base64URL.encode(Array(point[1..<33]))),
          "y": .string(Base64URL.encode(Array(point[33...]))),
        ]
      ]
    }
  }

  private func token() -> String {
    let now = clock().milliseconds / 1000
    return state.withLock { state in
      var claims: JSONValue = [
        "iss": .string(Self.issuer), "aud": "regimen", "sub": .string(state.subject),
        "nonce": .string(state.nonce), "exp": .number(JSONNumber(now + 300)),
        "iat": .number(JSONNumber(now)), "email": "ann@example.org",
      ]
      state.bend(&claims)
      let header: JSONValue = ["alg": "ES256", "kid": .string(state.keyID)]
      let parts = [header, claims].map { Base64URL.encode($0.bytes) }
      let signed = Array(parts.joined(separator: ".").utf8)
      let signature = (try? state.key.signature(for: signed).rawRepresentation).map(Array.init)
      return (parts + [Base64URL.encode(signature ?? [])]).joined(separator: ".")
    }
  }
}
