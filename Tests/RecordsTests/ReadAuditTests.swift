// SPDX-License-Identifier: Apache-2.0
import Access
import Dispatch
import FHIR
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Records

@Suite struct ReadAuditTests {
  @Test(arguments: DatabaseForm.allCases)
  func `a first view is logged at once, later ones in batches`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let audit = ReadAudit()
      let read = try allowed(.read)
      try await audit.note(read, count: 1, at: time(0), in: database)
      #expect(try await database.auditLines() == ["read p1 MedicationRequest - - 1"])
      #expect(audit.earliestWaiting == nil)
      for second in 1..<30 { try await audit.note(read, count: 2, at: time(second), in: database) }
      #expect(audit.earliestWaiting == time(1))
      try await audit.note(read, count: 1, at: time(61), in: database)
      #expect(try await database.auditLines().count == 1)
      try await audit.flush(into: database)
      #expect(
        try await database.auditLines() == [
          "read p1 MedicationRequest - - 1", "read p1 MedicationRequest - - 58",
          "read p1 MedicationRequest - - 1",
        ])
      #expect(audit.earliestWaiting == nil)
      try await audit.flush(into: database)
      #expect(try await database.auditLines().count == 3)
      #expect(try await database.verifyAudit().isIntact)
    }
  }

  @Test func `reads that are being written still wait`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      let (audit, read) = (ReadAudit(), try allowed(.read))
      try await audit.note(read, count: 1, at: time(0), in: database)
      try await audit.note(read, count: 1, at: time(9), in: database)
      let (held, holding) = AsyncStream<Void>.makeStream()
      let release = DispatchSemaphore(value: 0)
      let other = Task {
        try await database.write { _ in
          holding.finish()
          release.wait()
        }
      }
      for await _ in held {}
      let flush = Task { try await audit.flush(into: database) }
      while database.inProgress(.write) < 2 { await Task.yield() }
      #expect(audit.earliestWaiting == time(9))
      release.signal()
      try await other.value
      try await flush.value
      #expect(audit.earliestWaiting == nil)
    }
  }

  @Test func `a restart doesn't log a second first view`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      let read = try allowed(.read)
      try await ReadAudit().note(read, count: 1, at: time(0), in: database)
      let restarted = ReadAudit()
      try await restarted.note(read, count: 1, at: time(9), in: database)
      #expect(try await database.auditLines().count == 1)
      try await restarted.flush(into: database)
      #expect(try await database.auditLines().count == 2)
    }
  }

  @Test func `a search names each patient it showed`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      let audit = ReadAudit()
      let search = try searching(by: system)
      try await audit.note(
        search, patients: ["p2", "p1"], count: 7, at: time(0), in: database)
      try await audit.note(search, patients: [], count: 0, at: time(1), in: database)
      try await audit.note(
        try searching("p1"), patients: [], count: 0, at: time(2), in: database)
      try await audit.flush(into: database)
      #expect(
        try await database.auditLines() == [
          "search p1 MedicationRequest - - 1", "search p2 MedicationRequest - - 1",
          "search p1 MedicationRequest - - 1", "search - MedicationRequest - - 1",
        ])
    }
  }

  @Test func `views that couldn't be logged are kept and counted`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { open async throws in
      let audit = ReadAudit()
      let read = try allowed(.read)
      try await audit.note(read, count: 1, at: time(0), in: open)
      try await audit.note(read, count: 3, at: time(1), in: open)
      try await DatabaseForm.sqliteMemory.withDatabase { closed async throws in
        await closed.close()
        await #expect(throws: StorageError.closed) { try await audit.flush(into: closed) }
      }
      try await audit.note(read, count: 4, at: time(2), in: open)
      try await audit.flush(into: open)
      #expect(try await open.auditLines().last == "read p1 MedicationRequest - - 7")
    }
  }

  @Test func `a resource that belongs to no patient is logged without one`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      let audit = ReadAudit()
      try await audit.note(
        try sharedAllowed(.read, .practitioner, by: ann), count: 1, at: time(0), in: database)
      try await audit.note(
        try sharedSearching(.practitioner), patients: [.shared], count: 4, at: time(1),
        in: database)
      try await audit.flush(into: database)
      #expect(
        try await database.auditLines() == [
          "read - Practitioner - - 1", "search - Practitioner - - 4",
        ])
    }
  }
}
