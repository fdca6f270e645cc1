// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Records
import Storage

/// A reason why the pack of a dispense stays in its supply.
package enum DispenseRemovalError: Error, Sendable, Hashable {
  /// The supply was counted since, so that the pack is part of the count.
  case counted
  /// The pack is in a supply of a person for whom the account does not act.
  case elsewhere
}

/// Deletes records of dispenses.
///
/// A pack that a dispense became is removed first, as by *Undo* on a page.
package enum DispenseRemoval {
  /// Removes the pack of a dispense from its supply, withdraws the offer, and deletes the record.
  ///
  /// - Parameter ifVersion: The version that the client saw; nil to skip the check.
  /// - Returns: The version of the deletion; nil if the record was deleted before.
  /// - Throws: A ``DispenseRemovalError``, and what deleting a record throws.
  package static func delete(
    _ dispense: DispenseID, patient: PatientID, ifVersion: Int64?, context: CommandContext,
    in writer: any SQLWriter
  ) throws -> Int64? {
    let deleting = try DispenseCommands.authorization(.delete, patient, context)
    guard try DispenseRows.hasRecord(dispense, patient: patient, in: writer) else { return nil }
    let deletion = try RecordStore().delete(
      DispenseCommands.type, dispense.text, ifVersion: ifVersion, authorization: deleting,
      at: context.now, in: writer)
    if let pack = try DispenseRows.pack(of: dispense, patient: patient, in: writer) {
      try remove(pack, context, in: writer)
    }
    try DispenseStore.withdraw(dispense, of: patient, in: writer)
    return deletion.version
  }

  private static func remove(
    _ pack: DispensePackRow, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let commands = StockCommands(owner: pack.owner, context: context)
    do throws(StockError) {
      try commands.undo(pack.act, of: pack.stock, in: writer)
    } catch {
      switch error {
      case .cannotUndo: throw DispenseRemovalError.counted
      case .notFound, .notAuthorized: throw DispenseRemovalError.elsewhere
      case .invalid, .tooMany, .storage: throw error
      }
    }
  }
}
