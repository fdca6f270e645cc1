// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Storage

/// The limits of a caller on resources of one type: the constraints of an app's scopes, such as
/// `?category=vital-signs`, and patients who share only a part of their Observations.
///
/// Searches take the constraints as a further condition, so that totals and pages count only what matches; single
/// resources are compared with them. A constraint that this server cannot evaluate matches nothing.
struct AccessFilter: Sendable {
  private let type: FHIRType
  /// False if an app has no permission for the type at all.
  let isPermitted: Bool
  /// The condition that each resource must meet; nil for a caller without limits.
  let criterion: SearchCriterion?
  /// True if an app's constraints are among the limits.
  private let isOfApp: Bool
  /// The part of the Observations that each patient shares.
  private let parts: @Sendable (PatientID) -> ObservationPart?

  /// Creates the filter for one kind of access of a caller.
  init(_ type: FHIRType, _ action: Action, _ caller: FHIRCaller) {
    self.init(type, action, caller.actor, base: caller.base)
  }

  /// Creates the filter for one kind of access of an account.
  ///
  /// - Parameter base: The address of the FHIR API.
  init(_ type: FHIRType, _ action: Action, _ actor: Actor, base: String) {
    self.type = type
    isPermitted = actor.isWithinApp(action, type.rawValue)
    let isShared = type.ownership == .shared
    let limits = actor.limits(on: type.rawValue, action, isShared: isShared)
    isOfApp = actor.appLimits(on: type.rawValue, action, isShared: isShared) != nil
    parts = { actor.observations(of: $0) }
    criterion = limits.map { limits in
      SearchCriterion.anyOf(limits.compactMap { Self.criteria($0, type, base: base) })
    }
  }

  /// True if only some resources of the type can be accessed.
  var isLimited: Bool { criterion != nil }

  /// True if only some of a patient's resources can be accessed.
  ///
  /// - Parameter patient: The owner of the resources; nil if unknown.
  func isLimited(for patient: PatientID?) -> Bool {
    guard isLimited, !isOfApp, let patient else { return isLimited }
    return parts(patient) != .either
  }

  /// Throws if an app has no permission for the type at all, before anything is looked up.
  func requirePermission() throws {
    guard isPermitted else { throw DenialReason.scopeNotAllowed }
  }

  /// Returns true if a version of a resource meets the constraints; a deletion has no content that could.
  func admits(_ resource: FoundResource) -> Bool {
    guard isLimited(for: resource.patient) else { return true }
    guard !resource.isDeleted, let json = resource.json else { return false }
    return admits(
      json, id: resource.id, patient: resource.patient, lastUpdated: resource.lastUpdated)
  }

  /// Returns true if a resource meets the constraints.
  func admits(
    _ resource: JSONValue, id: String, patient: PatientID?, lastUpdated: Timestamp
  ) -> Bool {
    guard let criterion else { return true }
    guard let type = type.resourceType else { return false }
    let record = SearchedRecord(
      id: id, patient: patient?.text, status: resource["status"]?.string,
      lastUpdated: lastUpdated.milliseconds)
    return SearchIndex(of: resource, type: type).matches(criterion, record: record) ?? false
  }

  /// Returns the conditions of one limit; nil if they cannot be evaluated.
  private static func criteria(
    _ limit: ScopeLimit, _ type: FHIRType, base: String
  ) -> [SearchCriterion]? {
    guard let resourceType = type.resourceType else { return nil }
    let pairs = limit.conditions.map { (name: $0.name, value: $0.value) }
    guard
      let request = try? SearchRequestParser.parse(
        pairs, type: resourceType, base: base, isLenient: false),
      request.criteria.count == pairs.count, ChainResolver.types(in: request.criteria).isEmpty
    else { return nil }
    guard let patients = limit.patients else { return request.criteria }
    guard let owner = owner(patients.map(\.text).sorted(), type) else { return nil }
    return request.criteria + [owner]
  }

  /// Returns the condition that a resource is of one of some patients; nil for types that no search parameter assigns
  /// to one.
  private static func owner(_ patients: [String], _ type: FHIRType) -> SearchCriterion? {
    if type == .patient { return SearchCriterion(parameter: "_id", test: .ids(patients)) }
    guard let parameter = type.ownerParameters.sorted().first else { return nil }
    return SearchCriterion(
      parameter: parameter,
      test: .reference(patients.map { .local(type: "Patient", id: $0) }))
  }
}
