// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The places of the app: settings as short pages, progress, search and help.
  static let places = Set(
    """
    open GET /help
    open GET /me/appearance
    closed GET /me
    closed GET /me/account
    closed GET /me/connections
    closed GET /me/contacts
    closed GET /me/health-profile
    closed GET /me/my-health
    closed GET /me/programs
    closed GET /me/reminders
    closed GET /me/routine
    closed GET /progress
    closed GET /search
    closed POST /me/account
    closed POST /me/appearance
    closed POST /me/contacts
    closed POST /me/health-profile
    closed POST /me/health-profile/allergies
    closed POST /me/health-profile/allergies/:allergy/remove
    closed POST /me/health-profile/photo
    closed POST /me/health-profile/photo/remove
    closed POST /me/health-profile/weights
    closed POST /me/health-profile/weights/:weight/remove
    closed POST /me/routine
    """.split(separator: "\n").map(String.init))
}
