// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Logging
import Prescriptions
import Storage

extension HospitalSync {
  /// Returns true if the whole list must be read: once a day, and when the server lists a known prescription
  /// as deleted.
  func mustReadAll(
    _ comparison: HospitalComparison, _ connection: HospitalConnection, _ client: HospitalClient,
    at now: Timestamp
  ) async throws -> Bool {
    if comparison.isDue(at: now) { return true }
    let types = comparison.histories.intersection(connection.types)
    guard !types.isEmpty, let watched = comparison.watched else { return false }
    let places = try await known(connection).filter { !$0.prescription.isAsked }
      .flatMap(\.places)
    return try await HospitalDeletions(client: client).concern(places, types: types, since: watched)
  }

  /// Asks the person about prescriptions that the hospital no longer has.
  ///
  /// If suspiciously many are gone, a person must first confirm that this is right.
  func compare(
    _ presence: HospitalPresence, _ claim: ClaimedSync, _ client: HospitalClient, person: String,
    byName: String, into comparison: inout HospitalComparison
  ) async throws {
    guard !presence.isPartial || !presence.keys.isEmpty else { return }
    let connection = claim.connection
    let hasOtherRecord = try await hasOtherRecord(connection)
    let result = try await HospitalComparer(
      client: client, person: person, hasOtherRecord: hasOtherRecord
    ).compare(try await known(connection), with: presence)
    var gone = result.gone
    if result.isSuspicious, gone.count > comparison.allowed {
      context.logger.warning(
        "Many prescriptions are gone from a hospital at once, so nothing was proposed",
        metadata: [
          "connection": .string(connection.id.text), "count": .stringConvertible(gone.count),
        ])
      comparison.missing = gone.count
      gone = []
    } else if !presence.isPartial {
      comparison.missing = 0
      comparison.allowed = 0
    }
    guard !gone.isEmpty || !result.back.isEmpty else { return }
    let (make, account) = (context.commands, connection.account)
    let (patient, source) = (connection.patient, connection.base.text)
    let (ends, back) = (gone, result.back)
    try await context.database.write { writer in
      guard try HospitalConnectionStore.isHeld(by: claim, in: writer) else { return }
      let commands = make(account, byName)
      for prescription in ends {
        try ProposalCommands.proposeEnd(
          of: prescription, patient: patient, source: source, context: commands, in: writer)
      }
      for prescription in back {
        try ProposalCommands.withdrawEnd(
          of: prescription, patient: patient, source: source, context: commands, in: writer)
      }
    }
  }

  private func hasOtherRecord(_ connection: HospitalConnection) async throws -> Bool {
    let (patient, id, base) = (connection.patient, connection.id, connection.base)
    return try await context.database.read { reader in
      try HospitalRows.all(patient: patient, in: reader)
        .contains { $0.id != id && $0.base == base }
    }
  }

  private func known(_ connection: HospitalConnection) async throws -> [HospitalKnown] {
    let (patient, base) = (connection.patient, connection.base)
    return try await context.database.read { reader in
      try ForeignPrescriptions.known(from: base.text, patient: patient, in: reader)
        .compactMap { HospitalKnown($0, base: base) }
    }
  }
}
