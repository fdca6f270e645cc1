// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import Exchange
import Identifiers
import Logging
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
  package let settings: ServerSettings
  package let random: RandomBytes
  /// The wall clock, in milliseconds since 1970 UTC.
  package let now: @Sendable () -> Timestamp
  /// A clock that nobody sets, in nanoseconds since any moment.
  package let uptime: @Sendable () -> UInt64
  /// The time of the start by that clock.
  let started: UInt64
  /// Makes a new identifier: a lower-case UUID.
  package let newIdentifier: @Sendable () -> String
  /// Present while nobody has an account yet.
  package let setupCode: SetupCode?
  /// Present where the server serves https with certificates of its own.
  package var home: HomeCertificates?
  package let logger: Logger
  /// The ways on which reminders leave.
  package let channels: ReminderChannels
  /// Where else people may sign in.
  package var providers = SignInProviders.none
  /// The list by which medicines are checked.
  package var interactions = InteractionSource.shipped
  /// The count of log lines that could not be written.
  package var logLosses = LogLosses()
  /// The way to hospitals' servers.
  package var hospitals = HospitalNetwork.none
  /// Wakes the exchange with hospitals.
  let hospitalWake = WakeSignal()
  /// Told of every change; wakes open pages and the reminder loop.
  package let live = LiveEvents()
  /// What is known of the backups.
  package let backups = BackupWatch()
  /// Exports of Apple Health that are being taken over.
  let healthImports = HealthImportJobs()
  /// The faults that the operator must fix.
  let faults = InstallationFaults()
  /// Whether there is room for what people send.
  package let disk = DiskSpace()
  let sessions = SessionCache()
  /// Mail of the doors that waits to be sent.
  let doorMail = DoorMail()
  /// Slows down those who guess the codes of invitations.
  let codeThrottle: SignInThrottle
  let photos = PhotoReader()
  /// Under which name this process notes which keys it uses, once it serves.
  let nodeName = ListeningAddress()
  let heartbeat = Heartbeat()
  let reminderHeartbeat = Heartbeat()
  /// Raised once the doses of the next hours were planned for the first time since the start.
  let isPlanned = Flag()
  /// Where the server listens; for links that are printed on the host.
  package let listening = ListeningAddress()

  package init(
    database: Database, accounts: AccountStore, signIn: SignIn, readAudit: ReadAudit,
    zones: ZoneCatalog, settings: ServerSettings, random: @escaping RandomBytes,
    now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> UInt64,
    newIdentifier: @escaping @Sendable () -> String, setupCode: SetupCode?,
    channels: ReminderChannels, logger: Logger
  ) {
    self.database = database
    codeThrottle = SignInThrottle(database: database)
    records = RecordStore()
    self.accounts = accounts
    self.signIn = signIn
    self.readAudit = readAudit
    self.zones = zones
    self.settings = settings
    self.random = random
    self.now = now
    self.uptime = uptime
    started = uptime()
    self.newIdentifier = newIdentifier
    self.setupCode = setupCode
    self.channels = channels
    self.logger = logger
    // The one place where a change wakes what waits for it, whichever command made it.
    database.observeCommits { [live] in live.committed($0) }
    database.observeOthers { [live] in live.heard($0) }
  }

  /// The part that stands still; nil while doses are planned and reminders go round.
  func standstill(at now: Timestamp) -> String? {
    if !heartbeat.isAlive(at: now) { return "planning" }
    return reminderHeartbeat.isAlive(at: now) ? nil : "reminders"
  }

  /// The address for links in reminders, without a slash at the end.
  var baseURL: String {
    settings.publicURL ?? listening.current ?? "http://127.0.0.1:8080"
  }

  /// What the reminder engine works with.
  func reminderContext(at now: Timestamp) -> ReminderContext {
    ReminderContext(
      now: now, newIdentifier: newIdentifier, zones: zones, accounts: accounts,
      mailIsPossible: channels.mailIsPossible, publicURL: baseURL, sources: .all)
  }

  /// The context in which a signed-in person's command runs.
  package func commandContext(for signedIn: SignedIn, now: Timestamp) -> CommandContext {
    CommandContext(
      actor: signedIn.actor, byName: signedIn.account.displayName, now: now,
      newIdentifier: newIdentifier, zones: zones)
  }

  /// Returns an identifier that was never used before.
  func newID<ID: Identifier>() -> ID { ID(newIdentifier()) }
}
