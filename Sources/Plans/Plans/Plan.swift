// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import People
import Records
import Storage
import TimeZones

/// A medicine that a patient takes or took, with its schedule here.
package struct Plan: Sendable, Hashable {
  /// The logical id of the MedicationRequest.
  package let id: PlanID
  /// The person who takes it.
  package let patient: PatientID
  /// The status of the MedicationRequest, such as "active".
  package let status: String
  /// The medicine's name as shown to people.
  package let medicineName: String
  /// The reason for which there are no doses; nil if there are some.
  package let unplanned: UnplannedReason?
  /// The rule for its doses when the patient's time zone changes.
  package let policy: ZonePolicy
  /// The zone of the current era: an IANA identifier or a ``FixedOffset``.
  package let zone: String
  /// The current era, counted from 1.
  package let era: Int64
  /// The way in which its doses are identified.
  package let kind: PlanKind
  /// The version of the MedicationRequest.
  package let version: Int64
  /// The MedicationRequest as stored.
  package let request: MedicationRequestView
  /// The slots in use, in the order of their ids.
  package let slots: [PlanSlot]
  /// The least time between two intakes in milliseconds; nil for none.
  package let minimumGapMilliseconds: Int64?
  /// The time at which it was first received here.
  package let created: Timestamp
}

/// A plan that gives no doses, with what the sender wrote.
package struct UnplannedPlan: Sendable, Hashable {
  /// The identifier of the plan.
  package let plan: PlanID
  /// The medicine's name as shown to people.
  package let medicineName: String
  /// The reason for which it gives no doses.
  package let reason: UnplannedReason
  /// The sender's own text, to be quoted and never parsed; nil if there is none.
  package let quotedText: String?

  /// Creates an unplanned plan.
  package init(
    plan: PlanID, medicineName: String, reason: UnplannedReason, quotedText: String?
  ) {
    self.plan = plan
    self.medicineName = medicineName
    self.reason = reason
    self.quotedText = quotedText
  }
}

/// A reason for which a command on a plan was refused.
package enum PlanError: Error, Sendable {
  /// There is no such plan, or the actor may not know of it.
  case notFound
  case invalid([DraftIssue])
  case invalidResource([FHIRIssue])
  /// The schedule is more frequent than the medicine's rule allows, and no one has confirmed it.
  case tooOften(FrequencyBreach)
  /// The amounts look like typing errors, and no one has confirmed them.
  case unusualAmounts([AmountFinding])
  /// The prescription has no end, but its supply has, and no one has said if its doses end with it.
  case supplyUnanswered(SupplyQuestion)
  /// The plan has changed meanwhile; carries its current version.
  case versionConflict(current: Int64)
  case notAuthorized
  /// A stop needs a reason of 1 to 500 characters.
  case reasonMissing
  /// The plan has ended and cannot be changed.
  case alreadyStopped
  /// The subject is not a patient here, or not one that the actor may write for.
  case foreignSubject
  /// A list would contain more doses than one query may return.
  case tooManyDoses
  /// The zone of the patient or plan is not among the system's zone files.
  case zone(ZoneError)
  /// The dose cannot be moved: it is not in the future, or lies beyond the planned doses.
  case notMovable
  /// The dose would be too close to another one or in the past; carries the first and last possible moment.
  case moveOutOfRange(earliest: Timestamp, latest: Timestamp?)
  /// A stored resource cannot be read.
  case unreadableRecord
  case records(RecordsError)
  case storage(StorageError)
}

extension PlanError {
  init(_ error: RecordsError) {
    self =
      switch error {
      case .notFound, .gone: .notFound
      case .versionConflict(let current): .versionConflict(current: current)
      case .invalid(let issues): .invalidResource(issues)
      case .notAuthorized: .notAuthorized
      case .storage(let error): .storage(error)
      default: .records(error)
      }
  }

  init(_ error: PeopleQueryError) {
    self =
      switch error {
      case .notFound: .notFound
      case .notAuthorized: .notAuthorized
      case .zone(let error): .zone(error)
      case .unreadableRecord: .unreadableRecord
      case .records(let error): .records(error)
      case .storage(let error): .storage(error)
      }
  }
}

/// Runs the steps of a command and converts any failure to ``PlanError``; unknown errors become
/// `unreadableRecord`.
package func planning<T>(_ steps: () throws -> T) throws(PlanError) -> T {
  do {
    return try steps()
  } catch let error as PlanError {
    throw error
  } catch let error as StorageError {
    throw .storage(error)
  } catch let error as RecordsError {
    throw PlanError(error)
  } catch let error as PeopleQueryError {
    throw PlanError(error)
  } catch let error as ZoneError {
    throw .zone(error)
  } catch {
    throw .unreadableRecord
  }
}
