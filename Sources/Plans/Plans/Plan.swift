// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import People
import Records
import Storage
import TimeZones

/// A medicine that a patient takes or took, as planned here.
package struct Plan: Sendable, Hashable {
  /// The logical id of the MedicationRequest.
  package let id: PlanID
  package let patient: PatientID
  /// MedicationRequest.status.
  package let status: String
  package let medicineName: String
  /// Why there are no doses; nil where there are.
  package let unplanned: UnplannedReason?
  package let policy: ZonePolicy
  /// The IANA identifier of the current era's zone.
  package let zone: String
  package let era: Int64
  package let kind: PlanKind
  /// The version of the MedicationRequest.
  package let version: Int64
  package let request: MedicationRequestView
  /// The slots in use, in the order of their ids.
  package let slots: [PlanSlot]
  package let minimumGapMilliseconds: Int64?
  /// When it was first received here.
  package let created: Timestamp
}

/// A plan that gives no doses, with what the sender wrote.
package struct UnplannedPlan: Sendable, Hashable {
  package let plan: PlanID
  package let medicineName: String
  package let reason: UnplannedReason
  /// The sender's own words, for quoting; never parsed.
  package let quotedText: String?

  package init(
    plan: PlanID, medicineName: String, reason: UnplannedReason, quotedText: String?
  ) {
    self.plan = plan
    self.medicineName = medicineName
    self.reason = reason
    self.quotedText = quotedText
  }
}

/// Why a command on a plan did nothing.
package enum PlanError: Error, Sendable {
  /// No such plan, or none that the actor may know of.
  case notFound
  case invalid([DraftIssue])
  case invalidResource([FHIRIssue])
  /// The schedule is more frequent than the medicine's rule allows, and no one has confirmed it.
  case tooOften(FrequencyBreach)
  /// The amounts look like typing errors, and no one has confirmed them.
  case unusualAmounts([AmountFinding])
  /// The plan has changed meanwhile; the version that it has now.
  case versionConflict(current: Int64)
  case notAuthorized
  /// A stop needs a reason of 1 to 500 characters.
  case reasonMissing
  /// The plan has come to its end and takes no more changes.
  case alreadyStopped
  /// The subject is no patient here, or none that the actor may write for.
  case foreignSubject
  /// A listing would hold more doses than one reading may.
  case tooManyDoses
  /// The zone of the patient or plan is not among the system's zone files.
  case zone(ZoneError)
  /// A dose that cannot be moved: it is not to come, or lies further ahead than doses are planned.
  case notMovable
  /// A dose would come too near to another one, or into the past; the first and the last moment for it.
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

/// Runs the steps of a command and reports any failure as the command's own error.
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
