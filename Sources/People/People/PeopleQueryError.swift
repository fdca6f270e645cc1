// SPDX-License-Identifier: Apache-2.0

import Records
import Storage
import TimeZones

/// A reason for which a patient's zone or details could not be read.
package enum PeopleQueryError: Error, Sendable {
  /// There is no such patient.
  case notFound
  case notAuthorized
  /// The patient's zone is not among the system's zone files.
  case zone(ZoneError)
  /// A stored resource cannot be read.
  case unreadableRecord
  case records(RecordsError)
  case storage(StorageError)

  private init(_ error: RecordsError) {
    self =
      switch error {
      case .notFound, .gone: .notFound
      case .notAuthorized: .notAuthorized
      case .storage(let error): .storage(error)
      default: .records(error)
      }
  }

  /// Runs the steps of a query and converts any failure to the query's own error.
  static func reporting<T>(_ steps: () throws -> T) throws(PeopleQueryError) -> T {
    do {
      return try steps()
    } catch let error as PeopleQueryError {
      throw error
    } catch let error as StorageError {
      throw .storage(error)
    } catch let error as RecordsError {
      throw PeopleQueryError(error)
    } catch let error as ZoneError {
      throw .zone(error)
    } catch {
      throw .unreadableRecord
    }
  }
}
