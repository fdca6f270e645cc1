// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Identifiers
import Storage

@testable import HomeDevices
@testable import Web

extension MatrixTable {
  /// The addresses of devices in the home.
  ///
  /// A device reports with its own token, which opens nothing else.
  static let homeDevices = Set(
    """
    closed GET /api/v1/home-devices
    closed POST /api/v1/home-devices
    closed GET /api/v1/home-devices/registered/:device
    closed PUT /api/v1/home-devices/registered/:device
    closed DELETE /api/v1/home-devices/registered/:device
    open POST /api/v1/home-devices/events
    open GET /api/v1/home-devices/broker
    closed GET /home-devices
    closed POST /home-devices
    closed GET /home-devices/:device
    closed POST /home-devices/:device
    closed POST /home-devices/:device/remove
    closed POST /home-devices/:device/revoke
    closed POST /home-devices/:device/token
    closed GET /home-devices/new
    """.split(separator: "\n").map(String.init))
}

extension MatrixPlan {
  /// The id of a device of an account.
  static func homeDevice(_ account: Account) -> HomeDeviceID { HomeDeviceID("box-\(account.id)") }

  /// Adds a pill box whose events are only noted, and returns its token.
  @discardableResult
  static func addHomeDevice(
    _ harness: ServerHarness, of account: Account, named id: HomeDeviceID
  ) async throws -> Secret {
    let secret = Secret(text: "\(Secret.homeDevicePrefix)\(id)")
    let commands = HomeDeviceCommands(
      patient: account.patient, account: account.id, now: harness.clock.now)
    try await harness.environment.database.write { writer in
      try commands.add(
        .pillBox, name: secretName, byName: "Pill box \(secretName)",
        compartments: [HomeDeviceCompartment("", .note)], id: id, token: secret, in: writer)
    }
    return secret
  }
}
