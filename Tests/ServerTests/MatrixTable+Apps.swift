// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The authorization server for apps, and the pages of connected apps.
  static let apps = Set(
    """
    open GET /.well-known/openid-configuration
    open GET /.well-known/smart-configuration
    open GET /fhir/.well-known/smart-configuration
    open GET /oauth/authorize
    open POST /oauth/authorize
    open POST /oauth/introspect
    open GET /oauth/jwks
    open POST /oauth/register
    open POST /oauth/revoke
    open GET /oauth/smart-style.json
    open POST /oauth/token
    closed GET /me/apps
    closed POST /me/apps/end
    closed GET /me/apps/start
    closed POST /me/apps/start
    closed GET /oauth/consent
    closed POST /oauth/consent
    """.split(separator: "\n").map(String.init))
}
