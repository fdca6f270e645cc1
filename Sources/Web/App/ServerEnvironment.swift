// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Logging
import People
import Records
import Secrecy
import Storage
import TimeZones

/// Everything that routes work with, made once by the composition root.
package struct ServerEnvironment: Sendable, Unprintable {
  package let database: Database
  package let records: RecordStore
  package let accounts: AccountStore
  package let signIn: SignIn
  package let readAudit: ReadAudit
  package let zones: ZoneCatalog
  /// Everything that follows from what commands change.
  package let consequences: Consequences
  package let settings: ServerSettings
  package let random: RandomBytes
  /// The wall clock, in milliseconds since 1970 UTC.
  package let now: @Sendable () -> Timestamp
  /// A clock that nobody sets, in nanoseconds since any moment.
  package let uptime: @Sendable () -> UInt64
  /// The time of the start by that clock.
  package let started: UInt64
  /// Makes a new identifier: a lower-case UUID.
  package let newIdentifier: @Sendable () -> String
  /// Present while nobody has an account yet.
  package let setupCode: SetupCode?
  /// Present where the server serves https with certificates of its own.
  package var home: HomeCertificates?
  package let logger: Logger
  /// The values that features keep here, each under its type.
  package var features: FeatureValues
  /// Told of every change; wakes open pages and the reminder loop.
  package let live = LiveEvents()
  /// Whether there is room for what people send.
  package let disk = DiskSpace()
  package let sessions = SessionCache()
  /// Slows down those who guess the codes of invitations.
  package let codeThrottle: SignInThrottle
  /// Where the server listens; for links that are printed on the host.
  package let listening = ListeningAddress()

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
    // The one place where a change wakes what waits for it, whichever command made it.
    database.observeCommits { [live] in live.committed($0) }
    database.observeOthers { [live] in live.heard($0) }
  }

  /// The address for links in reminders, without a slash at the end.
  package var baseURL: String {
    settings.publicURL ?? listening.current ?? "http://127.0.0.1:8080"
  }

  /// The context in which a signed-in person's command runs.
  package func commandContext(for signedIn: SignedIn, now: Timestamp) -> CommandContext {
    commandContext(for: signedIn.actor, byName: signedIn.account.displayName, now: now)
  }

  /// Returns an identifier that was never used before.
  package func newID<ID: Identifier>() -> ID { ID(newIdentifier()) }
}
