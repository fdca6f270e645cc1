// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import FHIR
import Identifiers
import Records
import Storage

/// The access of a subscription to the resources that its events are about.
///
/// It is decided anew for each event and each notification, by the rights that the token has then.
struct SubscriptionReach: Sendable {
  let draft: SubscriptionDraft
  let actor: Actor
  /// The constraints of an app on the resources that its events are about.
  private let filter: AccessFilter?

  private static let records = RecordStore()

  /// Creates the access of a subscription; nil if its access has ended.
  ///
  /// - Throws: A ``Failure`` if the stored resource can no longer be read.
  init?(
    _ subscription: EventSubscription, accounts: AccountStore, base: String, at now: Timestamp,
    in reader: any SQLReader
  ) throws {
    draft = try SubscriptionDraft(subscription.resource, base: base)
    guard
      let signedIn = try accounts.signedIn(subscription.access, at: now, in: reader),
      signedIn.account.id == subscription.account
    else { return nil }
    actor = signedIn.actor
    filter = FHIRType(rawValue: draft.topic.focus.rawValue).map {
      AccessFilter($0, .read, signedIn.actor, base: base)
    }
  }

  /// Returns the permission to know of events about a patient; nil if there is none.
  func permission(for patient: PatientID) -> Authorization? {
    let resource = draft.topic.resource
    // The part of an event about another resource cannot be compared with an app's constraints on it.
    guard
      resource == draft.topic.focus.rawValue
        || actor.appLimits(on: resource, .read, isShared: false) == nil
    else { return nil }
    return permission(resource, of: patient)
  }

  /// Returns true unless an app's constraints leave out the resource that an event is about.
  func mayKnow(
    _ id: String, version: Int64?, of patient: PatientID, in reader: any SQLReader
  ) throws -> Bool {
    guard filter?.isLimited == true else { return true }
    return try record(id, version: version, of: patient, in: reader) != nil
  }

  private func permission(_ resource: String, of patient: PatientID) -> Authorization? {
    let decision = decide(
      actor: actor, action: .read, patient: patient, resource: resource, purpose: .care)
    guard case .allow(let authorization) = decision else { return nil }
    return authorization
  }

  /// Returns true if the subscription waits for an event: it may know of it, and its conditions are met.
  func awaits(
    _ patient: PatientID, id: String, version: Int64?, in reader: any SQLReader
  ) throws -> Bool {
    guard permission(for: patient) != nil,
      try mayKnow(id, version: version, of: patient, in: reader)
    else { return false }
    guard !draft.filters.isEmpty else { return true }
    guard let record = try record(id, version: version, of: patient, in: reader) else {
      return false
    }
    let json = try record.json()
    return draft.matches(
      json,
      record: SearchedRecord(
        id: id, patient: patient.text, status: json["status"]?.string,
        lastUpdated: record.lastUpdated.milliseconds))
  }

  /// Returns the resource that an event is about; nil if it was deleted or must not be read.
  func record(
    _ id: String, version: Int64?, of patient: PatientID, in reader: any SQLReader
  ) throws -> StoredRecord? {
    let type = draft.topic.focus.rawValue
    guard let authorization = permission(type, of: patient) else { return nil }
    let found: StoredRecord
    do throws(RecordsError) {
      if let version {
        found = try Self.records.read(
          type, id, version: version, authorization: authorization, in: reader)
      } else {
        found = try Self.records.read(type, id, authorization: authorization, in: reader)
      }
    } catch {
      guard error == .notFound || error == .gone else { throw error }
      return nil
    }
    guard let filter, filter.isLimited else { return found }
    let isAdmitted = filter.admits(
      try found.json(), id: id, patient: patient, lastUpdated: found.lastUpdated)
    return isAdmitted ? found : nil
  }

  /// Returns the patients about whom events may be known.
  func patients(in reader: any SQLReader) throws -> [PatientID] {
    let decision = decideSearch(
      actor: actor, resource: draft.topic.resource, patient: nil, purpose: .care)
    guard case .allow(let authorization) = decision else { return [] }
    switch authorization.patients {
    case .all: return try LookedEvents.everyone(in: reader)
    case .only(let patients): return patients
    }
  }
}
