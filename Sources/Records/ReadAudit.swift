// SPDX-License-Identifier: Apache-2.0
import Access
import Identifiers
import Storage
import Synchronization

/// The audit of reads: one row per actor, app, patient, type, purpose and minute with a count, written by
/// ``flush(into:)``, which a service calls within each second.
///
/// An actor's first read of a patient, and each one in an emergency, is written before the response is sent.
package final class ReadAudit: Sendable {
  /// The maximum number of actor-patient pairs remembered; beyond it, the cache is cleared and filled again
  /// from the database.
  private static let rememberedLooks = 50_000

  private struct Key: Hashable {
    let kind: AuditEntry.Kind
    let actor: AccountID
    let app: AppID?
    let patient: PatientID?
    let resource: String
    let purpose: String
    let minute: Int64
  }

  private struct Batch {
    var count: Int
    var earliest: Timestamp
    var latest: Timestamp
  }

  private struct AccessedRecord: Hashable {
    let actor: AccountID
    let patient: PatientID
  }

  private struct State {
    var batches: [Key: Batch] = [:]
    /// The earliest reads of those that are being written.
    var beingWritten: [Timestamp] = []
    var looks: Set<AccessedRecord> = []

    mutating func ended(_ earliest: Timestamp) {
      if let place = beingWritten.firstIndex(of: earliest) { beingWritten.remove(at: place) }
    }
  }

  private let state = Mutex(State())

  /// Creates an empty audit.
  package init() {}

  /// Records that `count` records of one patient were read.
  package func note(
    _ authorization: Authorization, count: Int, at: Timestamp, in database: Database
  ) async throws {
    try await note(
      kind: authorization.action == .search ? .search : .read, actor: authorization.actor,
      patients: [authorization.patient], resource: authorization.resource,
      purpose: authorization.purpose, count: count, at: at, in: database)
  }

  /// Records a search that found `count` records of the patients.
  ///
  /// A search that found nothing counts as one for the patient it asked for, if there was one. Of several
  /// patients each gets a count of one.
  package func note(
    _ authorization: SearchAuthorization, patients: Set<PatientID>, count: Int, at: Timestamp,
    in database: Database
  ) async throws {
    var asked: [PatientID?] = patients.sorted()
    if asked.isEmpty {
      if case .only(let only) = authorization.patients, only.count == 1 {
        asked = only
      } else {
        asked = [nil]
      }
    }
    try await note(
      kind: .search, actor: authorization.actor, patients: asked,
      resource: authorization.resource, purpose: authorization.purpose,
      count: asked.count == 1 ? count : 1, at: at, in: database)
  }

  /// The time of the earliest read that was not written yet; nil if all were.
  package var earliestWaiting: Timestamp? {
    state.withLock { ($0.batches.values.map(\.earliest) + $0.beingWritten).min() }
  }

  /// Writes the recorded reads.
  ///
  /// If that fails, they are kept for the next time and the error is thrown.
  package func flush(into database: Database) async throws {
    let (batches, found) = state.withLock { state in
      let batches = state.batches
      let earliest = batches.values.map(\.earliest).min()
      state.batches = [:]
      if let earliest { state.beingWritten.append(earliest) }
      return (batches, earliest)
    }
    guard let earliest = found else { return }
    defer { state.withLock { $0.ended(earliest) } }
    let entries = batches.map { Self.entry($0, $1) }.sorted { $0.at < $1.at }
    do {
      try await database.write { writer in
        for entry in entries { writer.audit(entry) }
      }
    } catch {
      state.withLock { state in
        for (key, batch) in batches { Self.add(batch, under: key, to: &state) }
      }
      throw error
    }
  }

  private func note(
    kind: AuditEntry.Kind, actor: Actor, patients: [PatientID?], resource: String, purpose: Purpose,
    count: Int, at: Timestamp, in database: Database
  ) async throws {
    let batch = Batch(count: max(1, count), earliest: at, latest: at)
    let keys = patients.map { patient in
      Key(
        kind: kind, actor: actor.accountID, app: actor.scope.app?.app,
        patient: patient == PatientID.shared ? nil : patient, resource: resource,
        purpose: purpose.rawValue, minute: at.milliseconds / 60_000)
    }
    guard purpose != .emergency else {
      let entries = keys.map { Self.entry($0, batch) }
      return try await database.write { writer in
        for entry in entries { writer.audit(entry) }
      }
    }
    let unseen = state.withLock { state in
      var unseen: [Key] = []
      for key in keys {
        if let patient = key.patient,
          !state.looks.contains(AccessedRecord(actor: key.actor, patient: patient))
        {
          unseen.append(key)
        } else {
          Self.add(batch, under: key, to: &state)
        }
      }
      return unseen
    }
    guard !unseen.isEmpty else { return }
    let known = try await recordFirstLooks(unseen, batch, at: at, in: database)
    state.withLock { state in
      if state.looks.count + unseen.count > Self.rememberedLooks { state.looks = [] }
      for key in unseen {
        if let patient = key.patient {
          state.looks.insert(AccessedRecord(actor: key.actor, patient: patient))
        }
      }
      for key in known { Self.add(batch, under: key, to: &state) }
    }
  }

  /// Writes first reads with their audit entries, and returns the reads that were not the first.
  private func recordFirstLooks(
    _ keys: [Key], _ batch: Batch, at: Timestamp, in database: Database
  ) async throws -> [Key] {
    try await database.write { writer in
      var known: [Key] = []
      for key in keys {
        let new = try writer.execute(
          """
          INSERT INTO first_looks (patient, actor, at)
          SELECT $1, $2, CAST($3 AS BIGINT) WHERE EXISTS (SELECT 1 FROM people WHERE patient = $1)
          ON CONFLICT (patient, actor) DO NOTHING
          """,
          [SQLValue(key.patient), .text(key.actor), SQLValue(at)])
        if new == 1 {
          writer.audit(Self.entry(key, batch))
        } else {
          known.append(key)
        }
      }
      return known
    }
  }

  private static func entry(_ key: Key, _ batch: Batch) -> AuditEntry {
    AuditEntry(
      at: batch.latest, actor: key.actor, app: key.app, kind: key.kind, patient: key.patient,
      resource: key.resource, purpose: key.purpose, count: batch.count)
  }

  private static func add(_ batch: Batch, under key: Key, to state: inout State) {
    guard var sum = state.batches[key] else {
      state.batches[key] = batch
      return
    }
    sum.count += batch.count
    sum.earliest = min(sum.earliest, batch.earliest)
    sum.latest = max(sum.latest, batch.latest)
    state.batches[key] = sum
  }
}
