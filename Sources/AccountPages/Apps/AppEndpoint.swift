// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import Web

/// The addresses of the authorization server.
enum AppEndpoint {
  static let authorize = "/oauth/authorize"
  static let consent = "/oauth/consent"
  static let token = "/oauth/token"
  static let introspect = "/oauth/introspect"
  static let revoke = "/oauth/revoke"
  static let register = "/oauth/register"
  static let keys = "/oauth/jwks"
  static let style = "/oauth/smart-style.json"

  /// Returns an endpoint for programs, whose refusals have the form of OAuth.
  static func programs(
    _ path: String, _ answer: @escaping @Sendable (Call, FormBody) async throws -> Response
  ) -> Route {
    .open(.post, path, as: .api) { call in
      do {
        let form = try await FormBody.read(call)
        if let name = repeated(in: form.pairs) {
          throw OAuthFailure(.invalidRequest, "Send \(name) once.")
        }
        return try await answer(call, form)
      } catch let failure as OAuthFailure {
        return failure.response(call)
      }
    }.servingPrograms()
  }

  /// Returns a known parameter that was sent more than once, which OAuth forbids; nil if there is none.
  static func repeated(in pairs: [FormPair]) -> String? {
    var seen: Set<String> = []
    return pairs.map(\.name).first { !seen.insert($0).inserted && parameters.contains($0) }
  }

  private static let parameters: Set<String> = [
    "asked", "aud", "client_assertion", "client_assertion_type", "client_id", "client_secret",
    "code", "code_challenge", "code_challenge_method", "code_verifier", "dpop_jkt", "grant_type",
    "launch", "max_age", "nonce", "prompt", "redirect_uri", "refresh_token", "response_type",
    "scope", "state", "token", "token_type_hint",
  ]
}

extension Call {
  /// The base address of the FHIR API, for which apps ask for access.
  var fhirBase: String { "\(baseURL)/fhir" }
}

extension Response {
  /// Lets the forms of a page lead to other sites, because browsers apply the policy to redirects too.
  mutating func allowForms(to addresses: [String]) {
    let origins = Set(addresses.compactMap(Self.origin)).sorted()
    guard !origins.isEmpty, let policy = headers[.contentSecurityPolicy] else { return }
    let allowed = "form-action 'self' \(origins.joined(separator: " "))"
    headers[.contentSecurityPolicy] = policy.replacing("form-action 'self'", with: allowed)
  }

  /// Lets a page show the picture of an app, which comes from the app's own site.
  mutating func allowPicture(from address: String) {
    guard let origin = Self.origin(address), let policy = headers[.contentSecurityPolicy] else {
      return
    }
    headers[.contentSecurityPolicy] = policy.replacing(
      "img-src 'self'", with: "img-src 'self' \(origin)")
  }

  /// Returns the scheme, host and port of a registered address.
  private static func origin(_ address: String) -> String? {
    guard let start = address.firstRange(of: "://") else { return nil }
    let authority = address[start.upperBound...].prefix { !"/?#;, ".contains($0) }
    return authority.isEmpty ? nil : "\(address[..<start.upperBound])\(authority)"
  }
}
