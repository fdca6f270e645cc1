// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Logging
import Outbound
import Records
import Server
import Storage
import TimeZones

/// Makes the parts of the program with the real clock, identifiers and randomness: the only place
/// that may.
struct Composition {
  let environment: ServerEnvironment
  let folder: DataFolder
  private let outlets: Outlets

  static let random: RandomBytes = { count in
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    while bytes.count < count {
      // Each call asks the system: take all 8 bytes of it.
      withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
  }

  /// Opens the data folder under its lock and everything above it.
  ///
  /// - Parameter clockOffset: seconds that the clock is moved by; for tests.
  static func open(
    data: String, database address: PostgresAddress? = nil, settings: ServerSettings,
    reminders: ReminderOptions = ReminderOptions(),
    clockOffset: Int64, logger: Logger
  ) async throws -> Composition {
    let folder = try DataFolder(path: data)
    var settings = settings
    settings.dataFolder = folder.path
    let keys = try KeyRing.load(from: folder, random: random)
    let database = try Database.open(
      DatabaseChoice.location(address, in: folder), keys: keys, node: chainName, logger: logger)
    let accounts = AccountStore(cipher: FieldCipher(keys: keys))
    let isEmpty = try await database.read { try accounts.isEmpty(in: $0) }
    let signIn = SignIn(
      database: database, store: accounts, gate: PasswordGate(), throttle: SignInThrottle(),
      random: random)
    let outlets = try await outlets(
      reminders, publicURL: settings.publicURL, database: database, accounts: accounts,
      logger: logger)
    let environment = ServerEnvironment(
      database: database, accounts: accounts, signIn: signIn, readAudit: ReadAudit(),
      zones: ZoneCatalog(), settings: settings, random: random,
      now: {
        let now = database.clock?.milliseconds ?? wallClock()
        return Timestamp(milliseconds: now + clockOffset * 1000)
      },
      uptime: uptime, newIdentifier: { UUID().uuidString.lowercased() },
      setupCode: isEmpty ? SetupCode(random: random) : nil, channels: outlets.channels,
      logger: logger)
    return Composition(environment: environment, folder: folder, outlets: outlets)
  }

  /// Closes what was opened, the database last.
  func close() async {
    await outlets.client.shutdown()
    await environment.database.close()
  }

  /// Names the chain of audit rows: one for all nodes of a database.
  static let chainName = "node-1"

  private static func wallClock() -> Int64 {
    Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
  }

  /// The zone of this machine, for patients who have not said where they live.
  static var machineZone: String {
    TimeZone.current.identifier
  }
}
