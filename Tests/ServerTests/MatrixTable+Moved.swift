// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// Old addresses, which redirect everyone to the new ones.
  static let moved = Set(
    """
    open GET /care/:patient/heart
    open GET /care/:patient/times
    open GET /details
    open GET /doors
    open GET /doors/address
    open GET /doors/codes
    open GET /doors/device/:link
    open GET /doors/passkeys
    open GET /doors/password
    open GET /doors/prove
    open GET /doors/tokens
    open GET /heart
    open GET /heart/import
    open GET /heart/import/:job
    open GET /heart/phone
    open GET /heart/questions
    open GET /heart/warnings
    open GET /heart/warnings/:warning
    open GET /heart/watch
    open GET /heart/watch/graph
    open GET /heart/watch/limit
    open GET /heart/watch/settings
    open GET /heart/watch/start
    open GET /medicines/:plan/look
    open GET /medicines/times
    open GET /notices
    open GET /notices/rules
    open GET /notices/rules/:account
    open GET /privacy/looked
    """.split(separator: "\n").map(String.init))
}
