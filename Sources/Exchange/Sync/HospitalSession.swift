// SPDX-License-Identifier: Apache-2.0

import Accounts
import Storage

/// The current token of a connection, refreshed when necessary.
struct HospitalSession: Sendable {
  let context: HospitalContext
  let connection: HospitalConnection

  /// Returns the token, refreshed if it expires soon; nil for an open server.
  func token(_ credentials: HospitalCredentials?) async throws -> String? {
    guard connection.access != .open else { return nil }
    guard let credentials, let access = credentials.access else { throw HospitalTrouble.expired }
    guard credentials.isStale(at: context.now()) else { return access }
    return try await renewed()
  }

  /// Refreshes the token and stores it at once, because servers accept each refresh token only once.
  func renewed() async throws -> String? {
    let (id, patient, cipher) = (connection.id, connection.patient, context.accounts.cipher)
    // Another task may have refreshed it meanwhile.
    let current = try await context.database.read { reader in
      try HospitalRows.credentials(id, patient: patient, cipher: cipher, in: reader)
    }
    guard let current else { throw HospitalTrouble.expired }
    let renewed = try await current.renewed(
      base: connection.base, network: context.network, now: context.now())
    try await context.database.write { writer in
      try HospitalConnectionStore.keep(
        renewed, of: id, patient: patient, cipher: cipher, in: writer)
    }
    return renewed.access
  }
}
