// SPDX-License-Identifier: Apache-2.0

import Access
import AccountPages
import Accounts
import Adherence
import Exchange
import Foundation
import HomeAutomation
import Identifiers
import ImportPages
import Knowledge
import Logging
import Operations
import Outbound
import Presentation
import Records
import Reminders
import Server
import Storage
import TimeZones
import Web

/// Creates the parts of the program with the real clock, identifiers and randomness; only this type
/// may use them.
struct Composition {
  let environment: ServerEnvironment
  let folder: DataFolder
  private let outlets: Outlets
  private let providerClient: OutboundClient
  private let appClient: OutboundClient

  static let random: RandomBytes = { count in
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 7)
    while bytes.count < count {
      // Each call asks the system, so all 8 bytes are used.
      withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
  }

  /// Opens the data folder under its lock and everything above it.
  ///
  /// - Parameters:
  /// - clockOffset: The seconds by which the clock is shifted, for tests.
  /// - beginsAnew: If true, keys without data start an empty installation instead of an error.
  static func open(
    data: String, database address: PostgresAddress? = nil, settings: ServerSettings,
    reminders: ReminderOptions = ReminderOptions(), providers: ProviderOptions = ProviderOptions(),
    clockOffset: Int64, beginsAnew: Bool = false, logger: Logger
  ) async throws -> Composition {
    let folder = try DataFolder(path: data, credentials: credentials)
    DiskSpace.makeRoom(in: folder.path)
    if beginsAnew {
      guard !folder.hasDatabase else {
        throw CommandFailure(
          description: "\(folder.databasePath) already contains an installation. Leave out --new.")
      }
      try folder.setNew(true)
    }
    var settings = settings
    settings.dataFolder = folder.path
    settings.keyPlace = folder.keyPlace
    let keys = try KeyRing.load(from: folder, random: random)
    // A folder that joins a shared database has no anchors yet.
    let anchoring: AuditAnchoring =
      address != nil && !DatabaseChoice.isRemembered(in: folder) ? .begins : .expected
    let database = try Database.open(
      DatabaseChoice.location(address, in: folder), keys: keys, node: chainName, logger: logger,
      anchoring: anchoring, outside: settings.auditOutside)
    let zones = ZoneCatalog()
    do {
      try await load(zones, in: database)
      try await completeSearchIndex(of: database, logger: logger)
      if address != nil { try DatabaseChoice.remember(address, in: folder) }
    } catch {
      await database.close()
      throw error
    }
    let accounts = AccountStore(
      cipher: FieldCipher(keys: keys), consequences: AccountConsequences.all)
    let isEmpty = try await database.read { reader in
      try accounts.requireKeys(in: reader)
      return try accounts.isEmpty(in: reader)
    }
    let signIn = SignIn(
      database: database, store: accounts, gate: PasswordGate(), random: random)
    let outlets = try await outlets(
      reminders, publicURL: settings.publicURL, database: database, accounts: accounts,
      logger: logger)
    let environment = ServerEnvironment(
      database: database, accounts: accounts, signIn: signIn, readAudit: ReadAudit(),
      zones: zones, consequences: .all, settings: settings, random: random,
      now: {
        let now = database.clock?.milliseconds ?? wallClock()
        return Timestamp(milliseconds: now + clockOffset * 1000)
      },
      uptime: uptime, newIdentifier: { UUID().uuidString.lowercased() },
      setupCode: isEmpty ? SetupCode(random: random) : nil,
      features: RegimenServer.features(channels: outlets.channels), logger: logger)
    try await recordConflict(environment)
    var features = environment.features
    features[InteractionSource.self] = interactions(settings, logger: logger)
    features[LogLosses.self] = LogOutput.standard.losses
    LogOutput.standard.spare(environment.disk, of: folder.path)
    let providerClient = providers.client(logger: logger)
    features[SignInProviders.self] = providers.providers(through: providerClient)
    let appClient = OutboundClient(
      policy: AppKeyNetwork.policy, monotonicNow: uptime, logger: logger)
    features[ifSet: AppKeyNetwork.self] = AppKeyNetwork(
      network: ProviderNetwork(client: appClient, policy: AppKeyNetwork.policy))
    features[HospitalExchange.self] = HospitalExchange(network: outlets.hospitals)
    features[ifSet: HomeBroker.self] = reminders.broker?.broker
    return Composition(
      environment: environment.with(features: features), folder: folder, outlets: outlets,
      providerClient: providerClient,
      appClient: appClient)
  }

  /// Records in the audit trail that this start found a conflict: the row stays even if the file
  /// about it is removed.
  private static func recordConflict(_ environment: ServerEnvironment) async throws {
    guard environment.database.auditConflict != nil else { return }
    let now = environment.now()
    try await environment.database.write { writer in
      writer.audit(
        AuditEntry(
          at: now, actor: .server, kind: .administration, patient: nil,
          resource: "AuditTrail",
          resourceID: "conflict", purpose: Purpose.administration.rawValue))
    }
  }

  /// Returns the shipped list of interactions with the operator's own on top; its mistakes are
  /// logged and shown.
  private static func interactions(
    _ settings: ServerSettings, logger: Logger
  ) -> InteractionSource {
    let usual = settings.dataFolder.map { "\($0)/\(InteractionSource.fileName)" }
    let found = usual.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    guard let path = settings.interactionsFile ?? found else { return .shipped }
    let source = InteractionSource.load(path)
    if let problem = source.problem {
      logger.warning("The operator's interaction list was not loaded: \(problem)")
    }
    for refused in source.list.own?.refused ?? [] {
      logger.warning(
        "A row of the operator's interaction list was skipped",
        metadata: ["line": "\(refused.line)", "problem": "\(refused.problem.code)"])
    }
    return source
  }

  /// Builds the search index of the records, if an upgrade changed its rules or a start was interrupted.
  private static func completeSearchIndex(of database: Database, logger: Logger) async throws {
    let count = try await RecordIndexUpgrade.perform(in: database) {
      logger.notice("building the search index of the records: this happens once after an upgrade")
    }
    if count > 0 {
      logger.notice("the search index is complete", metadata: ["records": "\(count)"])
    }
  }

  /// Loads every time zone that people and plans use.
  private static func load(_ zones: ZoneCatalog, in database: Database) async throws {
    let missing = try await database.read { try ZonesInUse.load(zones, in: $0) }
    guard missing.isEmpty else {
      throw CommandFailure(
        description: """
          The time zone files of \(missing.joined(separator: ", ")) are missing or damaged on this \
          machine, so reminders would come at wrong times. Install the package tzdata (for old \
          names, tzdata-legacy too).
          """)
    }
  }

  /// Closes everything that was opened, the database last.
  func close() async {
    for client in outlets.clients { await client.shutdown() }
    await providerClient.shutdown()
    await appClient.shutdown()
    await environment.database.close()
  }

  /// The name of the chain of audit rows: one for all nodes of a database.
  static let chainName = "node-1"

  /// The folder for credentials from the service manager, such as the keys.
  static var credentials: String? {
    ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
  }

  /// The milliseconds since 1970 UTC of this machine's clock.
  static func wallClock() -> Int64 {
    Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))
  }

  /// The time zone of this machine, for patients who have not chosen one.
  static var machineZone: String {
    TimeZone.current.identifier
  }
}
