// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Storage
import Testing
import TestSupport

@testable import Records

/// Compares records with the rows of the audit trail that were written with them.
@Suite struct RecordAuditCheckTests {
  private let store = RecordStore()

  /// Creates five versions of three records for two patients; one version is a deletion.
  private func fill(_ database: Database) async throws {
    let store = store
    try await database.write { writer in
      _ = try store.create(
        try request(), type: "MedicationRequest", id: "a", authorization: try allowed(.create),
        at: time(1), in: writer)
      _ = try store.create(
        try request(patient: "p2"), type: "MedicationRequest", id: "b",
        authorization: try allowed(.create, "p2"), at: time(2), in: writer)
    }
    try await database.write { writer in
      _ = try store.update(
        try request(status: "completed"), type: "MedicationRequest", id: "a", ifVersion: 1,
        authorization: try allowed(.update), at: time(3), in: writer)
      _ = try store.create(
        try request(), type: "MedicationRequest", id: "c", authorization: try allowed(.create),
        at: time(4), in: writer)
      _ = try store.delete(
        "MedicationRequest", "c", ifVersion: nil, authorization: try allowed(.delete),
        at: time(5), in: writer)
    }
  }

  private func check(_ database: Database) async throws -> RecordAuditCheck.Result {
    let seal = database.contentSeal
    return try await database.read { try RecordAuditCheck.perform(seal, in: $0) }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `records agree with the audit trail`(form: DatabaseForm) async throws {
    try await form.withDatabase { database in
      #expect(try await check(database).versions == 0)
      try await fill(database)
      let found = try await check(database)
      #expect(found.faults == [] && found.versions == 5)
      // A deletion has no content.
      #expect(found.digests == 4)
    }
  }

  struct Change: Sendable {
    let sql: StaticString
    let faults: [RecordFault]
  }

  @Test(arguments: [
    // A changed dose, in the current version and an earlier one.
    Change(
      sql: "UPDATE resources SET body = replace(body, 'completed', 'active') WHERE id = 'a'",
      faults: [RecordFault(kind: .changed, type: "MedicationRequest", id: "a", version: 2)]),
    Change(
      sql: "UPDATE resource_versions SET body = body || ' ' WHERE id = 'a'",
      faults: [RecordFault(kind: .changed, type: "MedicationRequest", id: "a", version: 1)]),
    // The current version replaced by an earlier genuine one.
    Change(
      sql: """
        UPDATE resources SET body = (SELECT body FROM resource_versions WHERE id = 'a')
        WHERE id = 'a'
        """,
      faults: [RecordFault(kind: .changed, type: "MedicationRequest", id: "a", version: 2)]),
    Change(
      sql: "DELETE FROM resources WHERE id = 'b'",
      faults: [RecordFault(kind: .missing, type: "MedicationRequest", id: "b", version: 1)]),
    // The trail truncated, or emptied as a whole.
    Change(
      sql: "DELETE FROM audit WHERE sequence > 2",
      faults: [
        RecordFault(kind: .unrecorded, type: "MedicationRequest", id: "a", version: 2),
        RecordFault(kind: .unrecorded, type: "MedicationRequest", id: "c", version: 2),
        RecordFault(kind: .unrecorded, type: "MedicationRequest", id: "c", version: 1),
      ]),
  ])
  func `a change on either side is detected`(change: Change) async throws {
    try await DatabaseForm.allCases[0].withDatabase { database in
      try await fill(database)
      let sql = change.sql
      try await database.write { _ = try $0.execute(sql, []) }
      let found = try await check(database)
      #expect(found.faults == change.faults)
      #expect(found.faultCount == change.faults.count)
    }
  }

  @Test func `an emptied trail is detected from records without any anchor`() async throws {
    try await DatabaseForm.allCases[0].withDatabase { database in
      try await fill(database)
      try await database.write { writer in
        try writer.execute("DELETE FROM audit", [])
        try writer.execute("DELETE FROM audit_heads", [])
      }
      #expect(try await check(database).faultCount == 5)
    }
  }

  @Test func `rows older than the digests only prove that a version was written`() async throws {
    try await DatabaseForm.allCases[0].withDatabase { database in
      try await fill(database)
      try await database.write { try $0.execute("UPDATE audit SET digest = NULL", []) }
      let found = try await check(database)
      #expect(found.faults == [] && found.digests == 0 && found.versions == 5)
    }
  }

  @Test func `an erased person is not reported as missing`() async throws {
    try await DatabaseForm.allCases[0].withDatabase { database in
      try await fill(database)
      try await database.write { writer in
        try writer.execute("DELETE FROM people WHERE patient = 'p1'", [])
        writer.audit(
          AuditEntry(
            at: time(9), actor: "ann", kind: .delete, patient: "p1", resource: "Erasure",
            purpose: "care"))
      }
      let found = try await check(database)
      #expect(found.faults == [] && found.versions == 1)
    }
  }
}
