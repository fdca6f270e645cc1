// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Storage
import Web

/// Registers apps that present themselves (RFC 7591), if the operator allows it.
enum RegistrationEndpoint {
  static let routes: [Route] = [
    Route.open(.post, AppEndpoint.register, as: .api, register).servingPrograms()
  ]

  private static let closed = Failure(
    .forbidden, code: "forbidden", detail: "The operator registers apps on this server.")

  private static func register(_ call: Call) async throws -> Response {
    let environment = call.environment
    let policy = environment.settings.appRegistration
    guard policy != .closed else { throw closed }
    let accounts = environment.accounts
    let buckets: [SignInThrottle.Bucket] =
      [call.clientNetwork].compactMap(\.self).map {
        .origin(accounts.attemptKey("app-registration", $0))
      } + [.everywhere(accounts.attemptKey("app-registration-everywhere", ""))]
    try await environment.codeThrottle.admit(buckets, at: call.now)
    do {
      let json = try await BodyReader.json(of: call)
      let registration = try registration(json)
      let secret =
        registration.needsSecret
        ? Secret(prefix: Secret.appSecretPrefix, random: environment.random) : nil
      let (id, now): (AppID, Timestamp) = (environment.newID(), call.now)
      let state: App.State = policy == .open ? .enabled : .pending
      let app = try await environment.database.write { writer in
        try accounts.register(
          registration, as: id, state: state, secret: secret, at: now, by: .server, in: writer)
      }
      return JSONResponse.make(answer(app, secret, json), status: .created)
    } catch let failure as OAuthFailure {
      return failure.response(call)
    } catch let error as AppError {
      let code: OAuthFailure.Code
      switch error {
      case .redirect, .redirectCount: code = .invalidRedirect
      default: code = .invalidClientMetadata
      }
      return OAuthFailure(code, error.failure.detail).response(call)
    }
  }

  private static func registration(_ json: JSONValue) throws -> AppRegistration {
    func text(_ name: String) throws -> String? {
      guard let value = json[name], !value.isNull else { return nil }
      guard let text = value.string else {
        throw OAuthFailure(.invalidClientMetadata, "\(name) must be a text.")
      }
      return text
    }
    let kind: App.Kind
    switch try text("token_endpoint_auth_method") ?? "client_secret_basic" {
    case "none": kind = .open
    case "client_secret_basic", "client_secret_post", "private_key_jwt": kind = .confidential
    default:
      throw OAuthFailure(
        .invalidClientMetadata,
        "token_endpoint_auth_method must be none, client_secret_basic, client_secret_post or "
          + "private_key_jwt.")
    }
    var registration = AppRegistration(
      name: try text("client_name") ?? "", kind: kind,
      redirects: json["redirect_uris"]?.array?.compactMap(\.string) ?? [],
      scopes: try text("scope") ?? "")
    registration.addresses = AppAddresses(
      launch: try text("initiate_login_uri"), logo: try text("logo_uri"),
      policy: try text("policy_uri"), terms: try text("tos_uri"))
    registration.keySetAddress = try text("jwks_uri")
    if let keys = json["jwks"], !keys.isNull { registration.keySet = keys }
    if try text("token_endpoint_auth_method") == "private_key_jwt", registration.needsSecret {
      throw OAuthFailure(.invalidClientMetadata, "private_key_jwt needs jwks or jwks_uri.")
    }
    return registration
  }

  private static func answer(_ app: App, _ secret: Secret?, _ json: JSONValue) -> JSONValue {
    var answer = JSONObject()
    answer["client_id"] = .string(app.id.text)
    answer["client_id_issued_at"] = .number(JSONNumber(app.created.milliseconds / 1000))
    if let secret {
      answer["client_secret"] = .string(secret.text)
      answer["client_secret_expires_at"] = 0
    }
    answer["client_name"] = .string(app.name)
    answer["redirect_uris"] = .array(app.redirects.map(JSONValue.string))
    answer["scope"] = .string(app.scopes.text)
    answer["token_endpoint_auth_method"] =
      json["token_endpoint_auth_method"] ?? "client_secret_basic"
    let addresses = app.addresses
    let described: [(name: String, value: String?)] = [
      ("initiate_login_uri", addresses.launch), ("logo_uri", addresses.logo),
      ("policy_uri", addresses.policy), ("tos_uri", addresses.terms),
      ("jwks_uri", app.keySetAddress),
    ]
    for (name, value) in described { answer[name] = value.map(JSONValue.string) }
    answer["grant_types"] = ["authorization_code", "refresh_token"]
    answer["response_types"] = ["code"]
    return .object(answer)
  }
}
