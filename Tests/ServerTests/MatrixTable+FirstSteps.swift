// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// Signing up in the browser, and the first pages of a new account.
  static let firstSteps = Set(
    """
    closed GET /device/start
    open GET /sign-up
    open POST /sign-up
    closed GET /start
    closed GET /start/for
    closed POST /start
    """.split(separator: "\n").map(String.init))
}
