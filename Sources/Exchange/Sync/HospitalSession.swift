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
    return try await renewed(insteadOf: access)
  }

  /// The next step of renewing a token.
  private enum Step: Sendable {
    /// Someone else has renewed it.
    case use(String)
    /// This task renews it.
    case renew(HospitalCredentials)
    /// Another task or node is renewing it.
    case wait
  }

  private static let pause: Duration = .milliseconds(200)
  private static let maximumPauses = 300

  /// Returns a token in place of one that has expired.
  ///
  /// Servers accept each refresh token only once and may end the access at a second use, so only one task
  /// of one node renews it, and the others wait for the result.
  func renewed(insteadOf used: String?) async throws -> String? {
    let (id, patient, cipher) = (connection.id, connection.patient, context.accounts.cipher)
    for _ in 0..<Self.maximumPauses {
      let now = context.now()
      let step = try await context.database.write { writer -> Step in
        let current = try HospitalRows.credentials(
          id, patient: patient, cipher: cipher, in: writer)
        guard let current else { throw HospitalTrouble.expired }
        if let access = current.access, access != used { return .use(access) }
        let isMine = try HospitalRenewals.lease(id, patient: patient, at: now, in: writer)
        return isMine ? .renew(current) : .wait
      }
      switch step {
      case .use(let access): return access
      case .renew(let current): return try await renew(current)
      case .wait: try await Task.sleep(for: Self.pause)
      }
    }
    throw HospitalTrouble.unreachable
  }

  /// Renews the token and stores it at once.
  private func renew(_ current: HospitalCredentials) async throws -> String? {
    let (id, patient, cipher) = (connection.id, connection.patient, context.accounts.cipher)
    do {
      let renewed = try await current.renewed(
        base: connection.base, network: context.network, now: context.now())
      try await context.database.write { writer in
        try HospitalConnectionStore.keep(
          renewed, of: id, patient: patient, cipher: cipher, in: writer)
        try HospitalRenewals.release(id, patient: patient, in: writer)
      }
      return renewed.access
    } catch {
      try? await context.database.write { writer in
        try HospitalRenewals.release(id, patient: patient, in: writer)
      }
      throw error
    }
  }
}
