// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// What made a version.
package enum RecordOperation: String, Sendable, Hashable, CaseIterable {
  case create, update, delete
}

/// One version of a FHIR resource as it is kept.
package struct StoredRecord: Sendable, Hashable {
  package let type: String
  package let id: String
  package let patient: PatientID
  /// From 1, growing with each change.
  package let version: Int64
  package let lastUpdated: Timestamp
  package let operation: RecordOperation
  /// The resource's JSON text, as it was sent but for `id`, `meta.versionId` and
  /// `meta.lastUpdated`; empty for a deletion.
  package let body: String

  package var isDeleted: Bool { operation == .delete }

  /// Reads the body.
  package func json() throws(RecordsError) -> JSONValue {
    do {
      return try JSONValue(parsing: Array(body.utf8))
    } catch {
      // Only text that this module wrote is stored: anything else is a damaged file.
      throw .storage(.corrupt(code: 0))
    }
  }
}
