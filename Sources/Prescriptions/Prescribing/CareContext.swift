// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import People
import Storage

/// The context of a practitioner's command, with the rights stored at the time of the transaction.
///
/// Care that has just ended gives none.
package enum CareContext {
  /// Returns the context with only the rights of the practitioner's grant, for prescribing.
  ///
  /// - Throws: ``CareTeamError/notFound`` without a grant that shares medicines,
  ///   ``CareTeamError/notConfirmed``.
  static func prescribing(
    _ context: CommandContext, patient: PatientID, accounts: AccountStore, in reader: any SQLReader
  ) throws -> CommandContext {
    let own = try looking(context, patient: patient, accounts: accounts, in: reader)
    guard own.actor.rights[patient]?.shares(.medicines) ?? false else {
      throw CareTeamError.notFound
    }
    guard try accounts.isPractitioner(own.actor.accountID, in: reader) else {
      throw CareTeamError.notConfirmed
    }
    return CommandContext(
      actor: own.actor, byName: own.byName, now: own.now, newIdentifier: own.newIdentifier,
      zones: own.zones, consequences: own.consequences, purpose: .prescribing)
  }

  /// Returns the context with only the rights of the practitioner's grant for a patient.
  ///
  /// - Throws: ``CareTeamError/notFound`` without a grant.
  package static func looking(
    _ context: CommandContext, patient: PatientID, accounts: AccountStore, in reader: any SQLReader
  ) throws -> CommandContext {
    let account = context.actor.accountID
    guard
      let right = try accounts.careRight(account, of: patient, at: context.now, in: reader)
    else { throw CareTeamError.notFound }
    return CommandContext(
      actor: Actor(
        accountID: account, kind: context.actor.kind, rights: [patient: right],
        scope: context.actor.scope),
      byName: context.byName, now: context.now, newIdentifier: context.newIdentifier,
      zones: context.zones, consequences: context.consequences)
  }
}
