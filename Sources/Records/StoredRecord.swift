// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// The operation that created a version.
package enum RecordOperation: String, Sendable, Hashable, CaseIterable {
  case create, update, delete
}

/// One version of a FHIR resource as it is stored.
package struct StoredRecord: Sendable, Hashable {
  /// The FHIR type.
  package let type: String
  /// The logical id.
  package let id: String
  /// The patient of the record.
  package let patient: PatientID
  /// The number of the version, from 1, growing by one with each change.
  package let version: Int64
  /// The time of the version, its `meta.lastUpdated`.
  package let lastUpdated: Timestamp
  /// The operation that created the version.
  package let operation: RecordOperation
  /// The resource's JSON text, as sent except for `id`, `meta.versionId` and `meta.lastUpdated`; empty for a
  /// deletion.
  package let body: String

  /// True if the version is a deletion, which has no body.
  package var isDeleted: Bool { operation == .delete }

  /// Returns the parsed body.
  ///
  /// Throws if it is not JSON, as for a deletion.
  package func json() throws(RecordsError) -> JSONValue {
    do {
      return try JSONValue(parsing: Array(body.utf8))
    } catch {
      // Only text written by this module is stored: anything else is a damaged file.
      throw .storage(.corrupt(code: 0))
    }
  }
}

extension StoredRecord {
  /// The record as the owner of rows of the search index.
  var indexed: IndexedResource {
    IndexedResource(patient: patient == .shared ? nil : patient, type: type, id: id)
  }

  /// The rows that the search index has of the record; none for a damaged body, which can still be replaced.
  var indexRows: RecordIndexRows {
    guard !isDeleted, let known = ResourceType(rawValue: type), let json = try? json() else {
      return RecordIndexRows()
    }
    return RecordIndexRows(SearchIndex(of: json, type: known))
  }
}
