// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import Logging
import Records
import Storage
import TimeZones

/// Everything that routes work with, made once by the composition root.
package struct ServerEnvironment: Sendable {
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
  /// Makes a new identifier: a lower-case UUID.
  package let newIdentifier: @Sendable () -> String
  /// Present while nobody has an account yet.
  package let setupCode: SetupCode?
  package let logger: Logger
  let sessions = SessionCache()
  let heartbeat = Heartbeat()
  /// Where the server listens; for links that are printed on the host.
  package let listening = ListeningAddress()

  package init(
    database: Database, accounts: AccountStore, signIn: SignIn, readAudit: ReadAudit,
    zones: ZoneCatalog, settings: ServerSettings, random: @escaping RandomBytes,
    now: @escaping @Sendable () -> Timestamp, newIdentifier: @escaping @Sendable () -> String,
    setupCode: SetupCode?, logger: Logger
  ) {
    self.database = database
    records = RecordStore()
    self.accounts = accounts
    self.signIn = signIn
    self.readAudit = readAudit
    self.zones = zones
    self.settings = settings
    self.random = random
    self.now = now
    self.newIdentifier = newIdentifier
    self.setupCode = setupCode
    self.logger = logger
  }

  /// The context in which a signed-in person's command runs.
  package func commandContext(for signedIn: SignedIn, now: Timestamp) -> CommandContext {
    CommandContext(
      actor: signedIn.actor, byName: signedIn.account.displayName, now: now,
      newIdentifier: newIdentifier, zones: zones)
  }
}
