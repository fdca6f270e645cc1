// SPDX-License-Identifier: Apache-2.0

import Plans
import Records
import Storage

/// A reason why an answer was not recorded; nothing has changed.
package enum AnswerError: Error, Sendable {
  /// No such dose or plan for this patient, or none that the actor may know of.
  case notFound
  /// Another answer came first; it is in the dose.
  case answered(Dose)
  /// `corrects` names a version whose answer is no longer the one in force.
  case stale(Dose)
  /// The dose was cancelled when its plan was stopped or changed.
  case cancelled(Dose)
  /// The intake needs confirmation: the same ingredient was taken within the minimum gap, the
  /// plan's limits would be exceeded, or the dose is not due yet; ask, then send `confirm`.
  case confirm(IntakeQuestion)
  case invalid(AnswerIssue)
  /// The actor may see the patient's doses but not answer them.
  case notAuthorized
  case records(RecordsError)
  case storage(StorageError)
}

/// A mistake in the request itself.
package enum AnswerIssue: Sendable, Hashable {
  /// More than a minute ahead of the server's clock.
  case futureTime
  /// Outside the years 1 to 9999.
  case timeOutOfRange
  case reasonTooLong(maximum: Int)
  case missingMinutes
  /// "Later" must end before the late window and leave the minimum gap to the next dose; a maximum
  /// of 0 means that it no longer fits at all.
  case minutesOutOfRange(maximum: Int)
  /// The event is not a UUID.
  case badEvent
  /// The event already names another dose or another action.
  case eventUsedElsewhere
  case missingMedicine
  case medicineTooLong(maximum: Int)
}

/// Runs storage work inside a command and rethrows its failure as ``AnswerError/storage(_:)``.
package func storing<T>(_ work: () throws(StorageError) -> T) throws(AnswerError) -> T {
  do {
    return try work()
  } catch {
    throw .storage(error)
  }
}
