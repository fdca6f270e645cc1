// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Storage

/// The parts of an OpenID provider's metadata that are used (OpenID Connect Discovery 1.0).
struct ProviderMetadata: Sendable, Hashable {
  let authorization: String
  let token: String
  let keys: String
  /// True if the client's secret goes into a header, false if it goes into the form.
  let takesBasic: Bool

  /// Reads a document; nil unless it is from this issuer and its addresses are safe.
  init?(_ json: JSONValue, issuer: String) {
    guard json["issuer"]?.string == issuer,
      let authorization = json["authorization_endpoint"]?.string,
      let token = json["token_endpoint"]?.string, let keys = json["jwks_uri"]?.string,
      Self.isSafe(authorization, issuer: issuer)
    else { return nil }
    self.authorization = authorization
    self.token = token
    self.keys = keys
    let methods = json["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
    takesBasic = methods?.contains("client_secret_basic") ?? true
  }

  /// Returns true for https, or for plain http at the configured issuer itself, which the operator
  /// allowed.
  private static func isSafe(_ address: String, issuer: String) -> Bool {
    address.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !address.contains("#")
      && (address.hasPrefix("https://")
        || (issuer.hasPrefix("http://") && address.hasPrefix(issuer + "/")))
  }
}

/// The published addresses and keys of the configured providers, fetched again after an hour.
package actor ProviderDirectory {
  private struct Kept<Value: Sendable>: Sendable {
    let value: Value
    let at: Timestamp
  }

  private let network: ProviderNetwork
  private var metadata: [String: Kept<ProviderMetadata>] = [:]
  private var keys: [String: Kept<SigningKeys>] = [:]

  /// The milliseconds after which a document is fetched again.
  private static let lifetime: Int64 = 3_600_000
  /// The milliseconds during which an unknown key causes no further fetch, so that forged tokens
  /// can't make the server flood the provider.
  private static let pause: Int64 = 30_000

  /// Creates an empty directory.
  package init(network: ProviderNetwork) {
    self.network = network
  }

  func metadata(issuer: String, at now: Timestamp) async throws(ProviderError) -> ProviderMetadata {
    if let kept = metadata[issuer], isFresh(kept.at, now, Self.lifetime) { return kept.value }
    let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    let json = try await network.document(base + "/.well-known/openid-configuration")
    guard let found = ProviderMetadata(json, issuer: issuer) else { throw .unreachable }
    metadata[issuer] = Kept(value: found, at: now)
    return found
  }

  /// Checks a token with the known keys, and once more with fetched ones if its key is unknown:
  /// providers rotate their keys.
  func check(
    _ token: String, keysAt address: String, _ expected: IDToken.Expectation, at now: Timestamp
  ) async throws(ProviderError) -> IDToken {
    do throws(IDTokenError) {
      guard let kept = keys[address], isFresh(kept.at, now, Self.lifetime) else {
        throw .unknownKey
      }
      return try await IDToken(token, keys: kept.value, expected)
    } catch {
      guard error == .unknownKey else { throw .untrustworthy(error.rawValue) }
    }
    if let kept = keys[address], isFresh(kept.at, now, Self.pause) {
      throw .untrustworthy(IDTokenError.unknownKey.rawValue)
    }
    guard let found = SigningKeys(try await network.document(address)) else { throw .unreachable }
    keys[address] = Kept(value: found, at: now)
    do throws(IDTokenError) {
      return try await IDToken(token, keys: found, expected)
    } catch {
      throw .untrustworthy(error.rawValue)
    }
  }

  private func isFresh(_ then: Timestamp, _ now: Timestamp, _ lifetime: Int64) -> Bool {
    (0..<lifetime).contains(now.milliseconds - then.milliseconds)
  }
}
