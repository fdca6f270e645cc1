// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import Secrecy
import Storage
import Web

/// The providers that people may sign in with, and the exchanges with them.
package struct SignInProviders: Sendable {
  /// The configured providers, in the order in which the pages show them.
  package let all: [SignInProvider]
  private let network: ProviderNetwork
  private let directory: ProviderDirectory

  /// Creates the list of providers, reached through the given connection.
  package init(_ providers: [SignInProvider], network: ProviderNetwork) {
    all = providers
    self.network = network
    directory = ProviderDirectory(network: network)
  }

  /// The empty list, for an operator who configured no provider.
  package static let none = SignInProviders(
    [], network: ProviderNetwork { _ throws(ProviderError) in throw .unreachable })

  subscript(name: String) -> SignInProvider? { all.first { $0.name == name } }

  /// Returns the address at the provider to which the browser is sent.
  func address(
    of provider: SignInProvider, visit: ProviderVisit, returnAddress: String, at now: Timestamp
  ) async throws(ProviderError) -> String {
    var fields = [
      ("response_type", "code"), ("client_id", provider.clientID),
      ("redirect_uri", returnAddress), ("state", visit.state.text),
      ("code_challenge", visit.codeChallenge), ("code_challenge_method", "S256"),
    ]
    switch provider.kind {
    case .openID(let issuer):
      fields += [("scope", "openid email"), ("nonce", visit.nonce)]
      let metadata = try await directory.metadata(issuer: issuer, at: now)
      return QueryText.address(metadata.authorization, fields)
    case .facebook(let addresses):
      fields.append(("scope", "public_profile"))
      return QueryText.address(addresses.dialog, fields)
    }
  }

  /// Returns the identity of the person who came back with a code.
  func identity(
    at provider: SignInProvider, code: String, visit: ProviderVisit, returnAddress: String,
    now: Timestamp
  ) async throws(ProviderError) -> ProvenIdentity {
    let fields = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", returnAddress),
      ("code_verifier", visit.codeVerifier), ("client_id", provider.clientID),
    ]
    switch provider.kind {
    case .openID(let issuer):
      return try await openID(provider, issuer: issuer, fields, visit, now)
    case .facebook(let addresses):
      return try await facebook(provider, addresses, fields)
    }
  }

  private func openID(
    _ provider: SignInProvider, issuer: String, _ fields: [(String, String)],
    _ visit: ProviderVisit, _ now: Timestamp
  ) async throws(ProviderError) -> ProvenIdentity {
    let metadata = try await directory.metadata(issuer: issuer, at: now)
    var fields = fields
    var authorization: String?
    if let secret = provider.clientSecret?.revealed {
      if metadata.takesBasic {
        // Form-encoded first (RFC 6749 section 2.3.1), so that the id contains no colon.
        let id = QueryText.encode(provider.clientID).replacing(":", with: "%3A")
        let pair = "\(id):\(QueryText.encode(secret))"
        authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
      } else {
        fields.append(("client_secret", secret))
      }
    }
    let answer = try await network.post(metadata.token, fields, authorization: authorization)
    guard let token = answer["id_token"]?.string else { throw .untrustworthy("no ID token") }
    let expected = IDToken.Expectation(
      issuer: issuer, clientID: provider.clientID, nonce: visit.nonce,
      accessToken: answer["access_token"]?.string, now: now)
    let proven = try await directory.check(token, keysAt: metadata.keys, expected, at: now)
    return ProvenIdentity(
      provider: provider.name, issuer: issuer, subject: proven.subject,
      label: proven.label ?? proven.subject)
  }

  /// Returns the identity from Facebook, which must confirm that the token was issued to this app.
  private func facebook(
    _ provider: SignInProvider, _ addresses: FacebookAddresses, _ fields: [(String, String)]
  ) async throws(ProviderError) -> ProvenIdentity {
    let secret = provider.clientSecret?.revealed ?? ""
    let answer = try await network.post(
      "\(addresses.graph)/oauth/access_token", fields + [("client_secret", secret)])
    guard let token = answer["access_token"]?.string else { throw .untrustworthy("no token") }
    let inspected = try await network.document(
      QueryText.address(
        "\(addresses.graph)/debug_token",
        [("input_token", token), ("access_token", "\(provider.clientID)|\(secret)")]))
    let data = inspected["data"]
    guard data?["app_id"]?.string == provider.clientID, data?["is_valid"]?.bool == true,
      let subject = data?["user_id"]?.string, (1...255).contains(subject.utf8.count)
    else { throw .untrustworthy("not a token of this app") }
    let person = try await network.document(
      QueryText.address("\(addresses.graph)/me", [("fields", "id,name"), ("access_token", token)]))
    guard person["id"]?.string == subject else { throw .untrustworthy("another person") }
    return ProvenIdentity(
      provider: provider.name, issuer: provider.issuer, subject: subject,
      label: String((person["name"]?.string ?? subject).prefix(200)))
  }
}

extension SignInProviders: FeatureValue {
  /// The empty list, as for an operator who configured no provider.
  package static let absent = none
}

extension ServerEnvironment {
  /// The providers that people may sign in with.
  package var providers: SignInProviders { features[SignInProviders.self] }
}
