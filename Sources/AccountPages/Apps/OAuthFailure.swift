// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Logging
import Web

/// A refusal that an app understands (RFC 6749 sections 4.1.2.1 and 5.2).
package struct OAuthFailure: Error, Sendable, Hashable {
  /// A code that OAuth or OpenID Connect defines.
  package enum Code: String, Sendable, Hashable {
    case accessDenied = "access_denied"
    case consentRequired = "consent_required"
    case interactionRequired = "interaction_required"
    case invalidClient = "invalid_client"
    case invalidClientMetadata = "invalid_client_metadata"
    case invalidDPoPProof = "invalid_dpop_proof"
    case invalidGrant = "invalid_grant"
    case invalidRedirect = "invalid_redirect_uri"
    case invalidRequest = "invalid_request"
    case invalidScope = "invalid_scope"
    case loginRequired = "login_required"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
  }

  /// The code.
  package let code: Code
  /// An explanation in English, without anything that a person typed.
  package let detail: String

  /// Creates a refusal.
  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The refusal of a launch that is unknown, used, too old, or another account's.
  static let launchOver = OAuthFailure(
    .invalidRequest, "The launch is over. Start the app again.")

  /// Logs a request that was refused, so that attacks can be seen; the decision of a person is not one.
  ///
  /// The explanation is left out, because it may quote the description of an app that registers itself.
  func log(_ call: Call) {
    switch code {
    case .accessDenied, .consentRequired, .interactionRequired, .loginRequired: return
    default: break
    }
    call.context.logger.notice(
      "An app's request was refused",
      metadata: [
        "route": .string(call.context.endpointPath ?? "none"), "error": .string(code.rawValue),
      ])
  }

  /// Returns the answer of an endpoint for programs.
  func response(_ call: Call) -> Response {
    log(call)
    var headers: HTTPFields = [:]
    var status = HTTPResponse.Status.badRequest
    if code == .invalidClient {
      status = .unauthorized
      if call.request.headers[.authorization] != nil {
        headers[.wwwAuthenticate] = "Basic realm=\"Regimen\""
      }
    }
    return JSONResponse.make(
      ["error": .string(code.rawValue), "error_description": .string(detail)], status: status,
      headers: headers)
  }
}

extension OAuthFailure: FailureConvertible {
  /// The failure of a request that is not answered in the form of OAuth.
  package var failure: Failure { .badRequest(code.rawValue, detail) }
}

extension AppTokenRefusal {
  /// The refusal as the token endpoint answers it.
  var oauth: OAuthFailure {
    switch self {
    case .grant:
      OAuthFailure(.invalidGrant, "The code or token is unknown, used, ended or another app's.")
    case .scope: OAuthFailure(.invalidScope, "This was not granted.")
    }
  }
}
