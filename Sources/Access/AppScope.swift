// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// The limits of an app's token: what it was granted, and for whom it was started.
///
/// Scopes of programs that act without a person name only `system/` permissions. As soon as a person's permissions are
/// among them, those for the whole system have no effect: an app never gets more than the account that let it in.
package struct AppScope: Sendable, Hashable {
  /// The app that has the token; nil if it is of no interest.
  package let app: AppID?
  /// The scopes that were granted.
  package let scopes: SMARTScopes
  /// The patient for whom the app was started; nil for none.
  package let patient: PatientID?

  /// Creates the limits.
  package init(scopes: SMARTScopes, patient: PatientID?, app: AppID? = nil) {
    self.app = app
    self.scopes = scopes
    self.patient = patient
  }

  /// True for a program that reaches every patient, each within its permissions.
  package var isSystemWide: Bool {
    !scopes.grants.isEmpty && scopes.grants.allSatisfy { $0.context == .system }
  }

  /// The contexts that count for every patient whom the app reaches.
  private var common: Set<SMARTGrant.Context> { isSystemWide ? [.system] : [.user] }

  /// The contexts that count for the patient of the launch, and for what belongs to no patient.
  private var widest: Set<SMARTGrant.Context> { isSystemWide ? [.system] : [.user, .patient] }

  /// Returns the rights of an account that remain for the app: those on the patient of the launch, and on others only
  /// with `user/` permissions; never an emergency access.
  func reached(_ rights: [PatientID: PatientRight]) -> [PatientID: PatientRight] {
    guard !isSystemWide else { return [:] }
    let contexts = Set(scopes.grants.map(\.context))
    return rights.filter { owner, right in
      guard right.relationship != .emergency else { return false }
      return contexts.contains(.user) || (owner == patient && contexts.contains(.patient))
    }
  }

  /// Returns true if some permission includes an access to a patient's data.
  func includes(_ action: Action, _ resource: String, of owner: PatientID) -> Bool {
    let contexts = owner == patient || owner == .shared ? widest : common
    return scopes.allows(action, resource, in: contexts)
  }

  /// Returns true if some permission includes an access to the data of someone.
  func includesSomewhere(_ action: Action, _ resource: String) -> Bool {
    scopes.allows(action, resource, in: widest)
  }

  /// Returns the limits of which a resource must meet at least one; nil if there is none, and an empty list if the
  /// access is not allowed at all.
  func limits(on resource: String, _ action: Action, isShared: Bool) -> [ScopeLimit]? {
    let own = scopes.constraints(for: resource, action, in: widest)
    guard !isShared, !isSystemWide else {
      return own.map { $0.map { ScopeLimit(patient: nil, conditions: $0) } }
    }
    let all = scopes.constraints(for: resource, action, in: common)
    guard let all else { return nil }
    guard !all.isEmpty else {
      // Decisions about access keep the app to the patient of the launch.
      return own.map { $0.map { ScopeLimit(patient: nil, conditions: $0) } }
    }
    let everyone = all.map { ScopeLimit(patient: nil, conditions: $0) }
    guard let patient else { return everyone }
    return everyone
      + (own ?? [[]]).filter { !all.contains($0) }
      .map { ScopeLimit(patient: patient, conditions: $0) }
  }
}

/// One of the limits within which an actor reaches the resources of a type.
package struct ScopeLimit: Sendable, Hashable {
  /// The only patients for whom the limit counts; nil for every patient.
  package let patients: Set<PatientID>?
  /// The search parameters that a resource must match, all of them.
  package let conditions: [SMARTCondition]

  init(patients: Set<PatientID>?, conditions: [SMARTCondition]) {
    self.patients = patients
    self.conditions = conditions
  }

  init(patient: PatientID?, conditions: [SMARTCondition]) {
    self.init(patients: patient.map { [$0] }, conditions: conditions)
  }

  /// Returns the limit of both; nil if no patient meets it.
  func joined(with other: ScopeLimit) -> ScopeLimit? {
    var patients = self.patients ?? other.patients
    if let one = self.patients, let two = other.patients { patients = one.intersection(two) }
    guard patients?.isEmpty != true else { return nil }
    return ScopeLimit(patients: patients, conditions: conditions + other.conditions)
  }
}

extension Actor {
  /// Returns true unless an app's permissions leave out an access to anyone's data.
  ///
  /// It opens nothing: ``decide(actor:action:patient:resource:purpose:part:)`` decides.
  package func isWithinApp(_ action: Action, _ resource: String) -> Bool {
    scope.app?.includesSomewhere(action, resource) ?? true
  }

  /// Returns the limits of which a resource must meet at least one; nil if there are none.
  ///
  /// They come from the constraints of an app, and from patients who share only a part of their Observations.
  ///
  /// - Parameters:
  ///   - resource: A FHIR type.
  ///   - isShared: True if resources of the type belong to no patient.
  package func limits(on resource: String, _ action: Action, isShared: Bool) -> [ScopeLimit]? {
    let granted = appLimits(on: resource, action, isShared: isShared)
    guard !isShared, let shared = sharingLimits(on: resource, action) else { return granted }
    guard let granted else { return shared }
    return granted.flatMap { limit in shared.compactMap { limit.joined(with: $0) } }
  }

  /// Returns the limits of an app; nil for every actor but an app with constraints.
  package func appLimits(on resource: String, _ action: Action, isShared: Bool) -> [ScopeLimit]? {
    scope.app?.limits(on: resource, action, isShared: isShared)
  }
}
