// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Logging
import People
import Records
import Secrecy
import Storage
import TimeZones

/// The services and settings that routes use, created once by the composition root.
///
/// Every request hands it on many times; as an object, each time costs one reference instead of one per service.
package final class ServerEnvironment: Sendable, Unprintable {
  /// The database of all features.
  package let database: Database
  /// The store of FHIR resources.
  package let records: RecordStore
  /// The store of accounts, sessions, tokens and grants.
  package let accounts: AccountStore
  /// The checks of passwords, codes and passkeys that open sessions.
  package let signIn: SignIn
  /// The audit of read access.
  package let readAudit: ReadAudit
  /// The time zones that the server knows, with their rules.
  package let zones: ZoneCatalog
  /// The changes that follow from a command, made in the same transaction.
  package let consequences: Consequences
  /// The settings of this server, fixed at the start.
  package let settings: ServerSettings
  /// The source of secure random bytes.
  package let random: RandomBytes
  /// The wall clock, in milliseconds since 1970 UTC.
  package let now: @Sendable () -> Timestamp
  /// A monotonic clock, in nanoseconds since an arbitrary moment.
  package let uptime: @Sendable () -> UInt64
  /// The time of the server's start on the ``uptime`` clock, in nanoseconds.
  package let started: UInt64
  /// Returns a new identifier: a UUID in lower case.
  package let newIdentifier: @Sendable () -> String
  /// The code that creates the first account; nil if the server started with an account.
  package let setupCode: SetupCode?
  /// The certificates for https without a proxy; nil without `--home`.
  package let home: HomeCertificates?
  /// The server's log; it must never contain anything that a person typed.
  package let logger: Logger
  /// The values of features, each under its type.
  package let features: FeatureValues
  /// The signals that wake open pages and the reminder loop after each change.
  package let live: LiveEvents
  /// The monitor of free disk space; without space, the server refuses writes.
  package let disk: DiskSpace
  /// The cache of recently used credentials and their owners.
  package let sessions: SessionCache
  /// The memory of used proofs of possession.
  package let keyProofs: UsedKeyProofs
  /// The count of the requests of apps.
  package let appRequests: AppRequestLimit
  /// The throttle for repeated guesses, for example of invitation and emergency card codes.
  package let codeThrottle: SignInThrottle
  /// The address that the server listens on, for links that are printed on the host.
  package let listening: ListeningAddress

  /// Creates the environment and connects the database's changes to ``live``.
  ///
  /// - Parameters:
  ///   - uptime: A monotonic clock, in nanoseconds.
  ///   - setupCode: The code that creates the first account; nil if there is an account.
  package init(
    database: Database, accounts: AccountStore, signIn: SignIn, readAudit: ReadAudit,
    zones: ZoneCatalog, consequences: Consequences, settings: ServerSettings,
    random: @escaping RandomBytes,
    now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> UInt64,
    newIdentifier: @escaping @Sendable () -> String, setupCode: SetupCode?,
    features: FeatureValues, logger: Logger
  ) {
    self.database = database
    codeThrottle = SignInThrottle(database: database)
    records = RecordStore()
    self.accounts = accounts
    self.signIn = signIn
    self.readAudit = readAudit
    self.zones = zones
    self.consequences = consequences
    self.settings = settings
    self.random = random
    self.now = now
    self.uptime = uptime
    started = uptime()
    self.newIdentifier = newIdentifier
    self.setupCode = setupCode
    self.features = features
    self.logger = logger
    home = nil
    live = LiveEvents()
    disk = DiskSpace()
    sessions = SessionCache()
    keyProofs = UsedKeyProofs()
    appRequests = AppRequestLimit()
    listening = ListeningAddress()
    // Every commit passes through here, so every command wakes its listeners.
    let signIns = signInMetrics
    database.observeCommits { [live] entries in
      live.committed(entries)
      signIns.committed(entries)
    }
    databaseMetrics.watch(database, uptime: uptime)
    database.observeOthers { [live] in live.heard($0) }
  }

  private init(
    _ other: ServerEnvironment, home: HomeCertificates?, features: FeatureValues
  ) {
    database = other.database
    records = other.records
    accounts = other.accounts
    signIn = other.signIn
    readAudit = other.readAudit
    zones = other.zones
    consequences = other.consequences
    settings = other.settings
    random = other.random
    now = other.now
    uptime = other.uptime
    started = other.started
    newIdentifier = other.newIdentifier
    setupCode = other.setupCode
    logger = other.logger
    live = other.live
    disk = other.disk
    sessions = other.sessions
    keyProofs = other.keyProofs
    appRequests = other.appRequests
    codeThrottle = other.codeThrottle
    listening = other.listening
    self.home = home
    self.features = features
  }

  /// Returns the same services, with these certificates for https without a proxy.
  package func with(home: HomeCertificates?) -> ServerEnvironment {
    ServerEnvironment(self, home: home, features: features)
  }

  /// Returns the same services, with other values of features.
  package func with(features: FeatureValues) -> ServerEnvironment {
    ServerEnvironment(self, home: home, features: features)
  }

  /// The address for links in messages, without a slash at the end.
  ///
  /// It is the public address if one is set, else the listening address.
  package var baseURL: String {
    settings.publicURL ?? listening.current ?? "http://127.0.0.1:8080"
  }

  /// Returns the context in which a signed-in person's command runs.
  package func commandContext(for signedIn: SignedIn, now: Timestamp) -> CommandContext {
    commandContext(for: signedIn.actor, byName: signedIn.account.displayName, now: now)
  }

  /// Returns an identifier that has never been used.
  package func newID<ID: Identifier>() -> ID { ID(newIdentifier()) }
}
