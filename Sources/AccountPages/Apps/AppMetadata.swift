// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Storage
import Web

/// The documents from which apps learn how to connect.
enum AppMetadata {
  static let routes: [Route] = [
    .open(.get, "/.well-known/smart-configuration", as: .api, configuration).withoutData(),
    .open(.get, "/fhir/.well-known/smart-configuration", as: .fhir, configuration).withoutData(),
    .open(.get, "/.well-known/openid-configuration", as: .api, openID).withoutData(),
    .open(.get, AppEndpoint.keys, as: .api, keys),
    .open(.get, AppEndpoint.style, as: .api, style).withoutData(),
  ]

  private static let scopes: JSONValue = [
    "openid", "fhirUser", "profile", "launch", "launch/patient", "offline_access",
    "patient/*.cruds", "patient/*.rs", "user/*.cruds", "user/*.rs", "system/*.cruds",
    "system/*.rs",
  ]

  private static let capabilities: JSONValue = [
    "launch-standalone", "launch-ehr", "authorize-post", "client-public",
    "client-confidential-symmetric", "client-confidential-asymmetric", "sso-openid-connect",
    "context-standalone-patient", "context-ehr-patient", "context-banner", "context-style",
    "permission-offline", "permission-patient", "permission-user", "permission-v1",
    "permission-v2",
  ]

  private static let authentication: JSONValue = [
    "none", "client_secret_basic", "client_secret_post", "private_key_jwt",
  ]

  private static let assertionAlgorithms: JSONValue = ["ES384", "RS384"]

  private static func shared(_ call: Call) -> JSONObject {
    let base = call.baseURL
    var document = JSONObject()
    document["issuer"] = .string(base)
    document["jwks_uri"] = .string(base + AppEndpoint.keys)
    document["authorization_endpoint"] = .string(base + AppEndpoint.authorize)
    document["token_endpoint"] = .string(base + AppEndpoint.token)
    document["introspection_endpoint"] = .string(base + AppEndpoint.introspect)
    document["revocation_endpoint"] = .string(base + AppEndpoint.revoke)
    if call.environment.settings.appRegistration != .closed {
      document["registration_endpoint"] = .string(base + AppEndpoint.register)
    }
    document["grant_types_supported"] = [
      "authorization_code", "refresh_token", "client_credentials",
    ]
    document["response_types_supported"] = ["code"]
    document["code_challenge_methods_supported"] = ["S256"]
    document["token_endpoint_auth_methods_supported"] = authentication
    document["token_endpoint_auth_signing_alg_values_supported"] = assertionAlgorithms
    document["dpop_signing_alg_values_supported"] = .array(
      KeyProof.algorithms.map(JSONValue.string))
    document["scopes_supported"] = scopes
    document["authorization_response_iss_parameter_supported"] = true
    return document
  }

  private static func configuration(_ call: Call) async throws -> Response {
    var document = shared(call)
    document["capabilities"] = capabilities
    return JSONResponse.make(.object(document))
  }

  private static func openID(_ call: Call) async throws -> Response {
    var document = shared(call)
    document["subject_types_supported"] = ["public"]
    document["id_token_signing_alg_values_supported"] = ["ES256"]
    document["prompt_values_supported"] = ["none", "login", "consent"]
    document["claims_supported"] = [
      "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "fhirUser", "name", "profile",
    ]
    return JSONResponse.make(.object(document))
  }

  /// Publishes the keys that sign ID tokens; the first request makes the first one.
  private static func keys(_ call: Call) async throws -> Response {
    let (accounts, now, random) = (call.environment.accounts, call.now, call.environment.random)
    var keys = try await call.environment.database.read { reader in
      try accounts.signingKeys(at: now, in: reader)
    }
    if keys.isEmpty {
      keys = try await call.environment.database.write { writer in
        [try accounts.signingKey(random: random, at: now, in: writer)]
      }
    }
    return JSONResponse.make(["keys": .array(keys.map(\.publicKey))])
  }

  /// The colours of the pages, for apps that want to look alike.
  private static func style(_ call: Call) async throws -> Response {
    JSONResponse.make([
      "color_background": "#ffffff", "color_error": "#b3261e", "color_highlight": "#0b5d57",
      "color_success": "#1b6e3c", "color_txt": "#1a1c1e", "dim_border_radius": "8px",
      "dim_font_size": "16px", "dim_spacing_size": "16px",
    ])
  }
}
