// SPDX-License-Identifier: Apache-2.0

import Plans
import Records
import Storage

/// A reason why an answer was not recorded; nothing has changed.
package enum AnswerError: Error, Sendable {
  /// There is no such dose or plan for this patient, or the actor may not know of it.
  case notFound
  /// Another answer came first; carries the dose with it.
  case answered(Dose)
  /// The version in `corrects` has an answer that is no longer in force.
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
  /// The time is more than a minute ahead of the server's clock.
  case futureTime
  /// The time is outside the years 1 to 9999.
  case timeOutOfRange
  case reasonTooLong(maximum: Int)
  case missingMinutes
  /// "Later" must end before the late window and leave the minimum gap to the next dose; a maximum of 0 means
  /// that it is no longer possible.
  case minutesOutOfRange(maximum: Int)
  /// The event is not a UUID.
  case badEvent
  /// The event already belongs to another dose or action.
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
