// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import Identifiers
import Storage

/// A standalone launch in progress: to the hospital's sign-in page and back (SMART App Launch 2).
package struct SmartLaunch: AuthorizationVisit {
  /// The secret that travels through the address to the hospital and back.
  package let state: Secret
  /// The secret that stays in the browser's cookie.
  package let browser: Secret

  /// The prefix of the secret in the address.
  package static let statePrefix = "rgh_"
  /// The prefix of the secret in the cookie.
  package static let browserPrefix = "rgb_"
  /// The name that separates nonces and code verifiers from those of other sign-ins.
  package static let derivation = "hospital-"

  /// Creates a launch from its two secrets.
  package init(state: Secret, browser: Secret) {
    self.state = state
    self.browser = browser
  }

  /// Returns the address of the sign-in page to which the browser is sent.
  ///
  /// - Parameter returnAddress: The address of this server to which the hospital sends the browser
  ///   back.
  package func address(
    _ configuration: SmartConfiguration, clientID: String, base: HospitalAddress,
    returnAddress: String
  ) -> String {
    let scope =
      "launch/patient patient/*.read patient/MedicationAdministration.write offline_access"
      + (configuration.provesIdentity ? " openid fhirUser" : "")
    let fields = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", returnAddress),
      ("scope", scope), ("state", state.text), ("aud", base.text), ("nonce", nonce),
      ("code_challenge", codeChallenge), ("code_challenge_method", "S256"),
    ]
    let mark = configuration.authorization.contains("?") ? "&" : "?"
    return configuration.authorization + mark + FormEncoding.encode(fields)
  }

  /// Exchanges the code for credentials; returns them with the identifier of the person, if the
  /// answer names one.
  ///
  /// - Throws: ``HospitalTrouble/signIn`` if the code or the ID token is not valid, and
  ///   ``HospitalTrouble/audience`` if a token was made for another server.
  package func token(
    _ configuration: SmartConfiguration, clientID: String, base: HospitalAddress, code: String,
    returnAddress: String, network: HospitalNetwork, now: Timestamp
  ) async throws(HospitalTrouble) -> (HospitalCredentials, patient: String?) {
    let answer = try await Self.post(
      configuration,
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", returnAddress),
        ("code_verifier", codeVerifier), ("client_id", clientID),
      ], network)
    var credentials = HospitalCredentials()
    credentials.launch = configuration
    credentials.clientID = clientID
    try credentials.take(answer, base: base, now: now)
    if configuration.provesIdentity, let proof = answer["id_token"]?.string {
      try await checkIdentity(
        proof, configuration, clientID: clientID, access: credentials.access, network, now)
    }
    return (credentials, answer["patient"]?.string)
  }

  private func checkIdentity(
    _ token: String, _ configuration: SmartConfiguration, clientID: String, access: String?,
    _ network: HospitalNetwork, _ now: Timestamp
  ) async throws(HospitalTrouble) {
    guard let issuer = configuration.issuer, let address = configuration.keys else { return }
    let answer = try await network.send(
      HospitalRequest(url: address, headers: ["Accept": "application/json"]))
    guard answer.status == 200, let keys = SigningKeys(try HospitalClient.json(answer.body)) else {
      throw .signIn
    }
    do throws(IDTokenError) {
      _ = try await IDToken(
        token, keys: keys,
        IDToken.Expectation(
          issuer: issuer, clientID: clientID, nonce: nonce, accessToken: access, now: now))
    } catch {
      throw error == .audience || error == .authorizedParty ? .audience : .signIn
    }
  }

  static func post(
    _ configuration: SmartConfiguration, _ fields: [(String, String)], _ network: HospitalNetwork
  ) async throws(HospitalTrouble) -> JSONValue {
    let answer = try await network.send(form(fields, to: configuration.token))
    switch answer.status {
    case 200: return try HospitalClient.json(answer.body)
    // The code or refresh token was already used or was revoked.
    case 400, 401, 403: throw .signIn
    default: throw HospitalClient.trouble(answer)
    }
  }

  static func form(_ fields: [(String, String)], to address: String) -> HospitalRequest {
    HospitalRequest(
      method: "POST", url: address,
      headers: ["Accept": "application/json", "Content-Type": FormEncoding.mediaType],
      body: Array(FormEncoding.encode(fields).utf8))
  }
}

extension HospitalCredentials {
  /// Applies the response of a token endpoint.
  mutating func take(_ answer: JSONValue, base: HospitalAddress, now: Timestamp)
    throws(HospitalTrouble)
  {
    guard let token = answer["access_token"]?.string, Self.isToken(token),
      answer["token_type"]?.string?.lowercased() == "bearer"
    else { throw .signIn }
    try Self.checkAudience(token, base: base)
    access = token
    if let new = answer["refresh_token"]?.string, Self.isToken(new) { refresh = new }
    expires = answer["expires_in"]?.number.flatMap { Int64($0.text) }
      .map { now.adding(milliseconds: min(max($0, 0), 31_536_000) * 1_000) }
  }

  /// Returns true if the access token should be renewed before it is used.
  func isStale(at now: Timestamp) -> Bool {
    guard refresh != nil, launch != nil, let expires else { return false }
    return expires <= now.adding(milliseconds: 60_000)
  }

  /// Returns the credentials with a new access token.
  func renewed(base: HospitalAddress, network: HospitalNetwork, now: Timestamp)
    async throws(HospitalTrouble) -> HospitalCredentials
  {
    guard let refresh, let launch, let clientID else { throw .expired }
    var renewed = self
    do throws(HospitalTrouble) {
      try renewed.take(
        try await SmartLaunch.post(
          launch,
          [("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_id", clientID)],
          network), base: base, now: now)
    } catch {
      // The person must sign in again after a revocation.
      throw error == .signIn ? .expired : error
    }
    return renewed
  }

  /// Asks the hospital to end the access of a sign-in (RFC 7009).
  ///
  /// It is asked once and briefly. If it can't be reached, the access ends there when it expires; nothing here
  /// uses it any more.
  package func revoke(network: HospitalNetwork) async {
    guard let launch, let clientID, let address = launch.revocation, let token = refresh ?? access
    else { return }
    var request = SmartLaunch.form(
      [
        ("token", token),
        ("token_type_hint", refresh == nil ? "access_token" : "refresh_token"),
        ("client_id", clientID),
      ], to: address)
    request.timeoutSeconds = 5
    _ = try? await network.send(request)
  }
}
