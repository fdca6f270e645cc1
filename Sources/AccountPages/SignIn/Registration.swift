// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Identifiers
import Localization
import People
import Storage
import Web

/// Creates an account together with its own patient, in one transaction.
package struct Registration: Sendable {
  let environment: ServerEnvironment

  /// Creates the registration of a server.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Returns a first name for an account of which only an address or number is known.
  ///
  /// It is the part before the at sign, at most 60 characters, or the last three digits of a
  /// number.
  package static func name(from address: SignInName) -> String {
    // Names are stored unsealed, unlike numbers, so only a few digits are used.
    if address.isPhone { return "… " + address.text.suffix(3) }
    let local = address.text.prefix { $0 != "@" }
    return String(local.prefix(60))
  }

  /// Creates the account and its patient.
  ///
  /// - Parameters:
  ///   - email: The sign-in address: an e-mail address or a phone number.
  ///   - passwordHash: The hash of the password; nil if the account has none yet.
  ///   - zone: The patient's IANA time zone; nil for the installation's own.
  ///   - onlyWhenEmpty: Refuses once any account exists; for the first visit.
  ///   - invitation: The secret of a link with which the owner chooses a password.
  ///   - moment: The time of creation; nil for now.
  ///   - actor: The account that the audit trail names as the creator.
  /// - Throws: ``AccountError``, for example for a missing or long name or a taken address.
  package func create(
    email: String, displayName: String, passwordHash: PasswordHash?, isAdministrator: Bool,
    language: Language?, zone: String? = nil, onlyWhenEmpty: Bool = false,
    invitation: Secret? = nil, at moment: Timestamp? = nil, by actor: AccountID
  ) async throws -> Account {
    let now = moment ?? environment.now()
    let new = try prepared(
      email: email, displayName: displayName, isAdministrator: isAdministrator,
      language: language, zone: zone, at: now)
    let accounts = environment.accounts
    try await environment.database.write { writer in
      if onlyWhenEmpty, try !accounts.isEmpty(in: writer) { throw AccountError.emailTaken }
      try write(new, passwordHash: passwordHash, by: actor, in: writer)
      if let invitation {
        try accounts.createInvitation(invitation, for: new.account.id, at: now, in: writer)
      }
    }
    environment.sessions.forget()
    return new.account
  }

  /// An account with the details of its own patient, not written yet.
  struct Prepared: Sendable {
    let account: Account
    let details: PatientDetails
    /// The context in which the account itself acts.
    let context: CommandContext
  }

  /// Returns a new account that is not stored yet.
  ///
  /// - Parameter id: The identifier of the account; nil to create one.
  func prepared(
    _ id: AccountID? = nil, email: String, displayName: String, isAdministrator: Bool,
    language: Language?, zone: String? = nil, at now: Timestamp
  ) throws(AccountError) -> Prepared {
    let trimmed = displayName.trimmingPrefix { $0.isWhitespace }
    guard !trimmed.isEmpty else { throw AccountError.nameMissing }
    guard trimmed.count <= 100 else { throw AccountError.nameTooLong(maximum: 100) }
    let account = Account(
      id: id ?? environment.newID(), email: email, displayName: String(trimmed),
      patient: environment.newID(), isAdministrator: isAdministrator, language: language)
    let details = PatientDetails(
      givenName: account.displayName, familyName: "", birthDate: nil, phone: "", email: "",
      language: language ?? .en, zone: zone ?? environment.settings.homeZone,
      rhythm: .standard)
    let context = environment.commandContext(
      for: Actor(
        accountID: account.id, kind: .session, relationships: [account.patient: .self_],
        scope: .session),
      byName: account.displayName, now: now)
    return Prepared(account: account, details: details, context: context)
  }

  /// Writes a new account and its patient.
  ///
  /// Throws ``AccountError/emailTaken`` if another account has the address.
  func write(
    _ new: Prepared, passwordHash: PasswordHash?, by actor: AccountID, in writer: any SQLWriter
  ) throws {
    try PeopleCommands.create(
      new.details, patient: new.account.patient, context: new.context, in: writer)
    try environment.accounts.create(
      new.account, passwordHash: passwordHash, at: new.context.now, by: actor, in: writer)
  }
}
