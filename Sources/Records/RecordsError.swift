// SPDX-License-Identifier: Apache-2.0
import FHIR
import Storage

/// A reason why a record cannot be read or changed.
package enum RecordsError: Error, Sendable, Equatable {
  /// There is no such record for this patient; also used for a record of another patient.
  case notFound
  /// The record was deleted.
  case gone
  /// The record changed since the version that the caller saw; read it again.
  case versionConflict(current: Int64)
  /// The id already belongs to another record.
  case idTaken
  /// The resource breaks rules of FHIR, each issue with its element.
  case invalid([FHIRIssue])
  /// The authorization is for another action, type or patient.
  case notAuthorized
  case storage(StorageError)
}

/// Runs storage calls and converts their errors to ``RecordsError/storage(_:)``.
@discardableResult
func storing<Value>(
  _ body: () throws(StorageError) -> Value
) throws(RecordsError) -> Value {
  do {
    return try body()
  } catch {
    throw .storage(error)
  }
}
