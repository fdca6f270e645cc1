// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// One line of the audit trail, with identifiers but never names, medicines or texts.
///
/// Only a keyed digest of ``content`` is stored.
package struct AuditEntry: Sendable, Hashable {
  /// The kind of an action in the trail.
  package enum Kind: String, Sendable, CaseIterable {
    case create, read, update, delete, search
    case signIn = "sign-in"
    case signOut = "sign-out"
    case answer
    case export
    case print
    case emergencyAccess = "break-glass"
    case administration
  }

  /// The outcome of an action.
  package enum Outcome: String, Sendable, CaseIterable {
    case success, denied
  }

  /// The time of the action.
  package var at: Timestamp
  /// The account that acted.
  package var actor: AccountID
  /// The app that acted in the account's name; nil if the account acted itself.
  package var app: AppID?
  /// The kind of action.
  package var kind: Kind
  /// The patient whose data was accessed; nil if it belonged to no patient.
  package var patient: PatientID?
  /// A FHIR type or one of the program's own resources.
  package var resource: String
  /// The identifier of the resource; nil if the line concerns several or none.
  package var resourceID: String?
  /// The version of the record; nil if none was written.
  package var version: Int64?
  /// The purpose of the access, as text.
  package var purpose: String
  /// The outcome, which is `success` unless access was denied.
  package var outcome: Outcome
  /// The number of equal accesses that the line represents.
  package var count: Int
  /// The text of the record version that the entry concerns; nil if it concerns none.
  package var content: String?

  /// Creates an entry for one successful action unless stated otherwise.
  package init(
    at: Timestamp,
    actor: AccountID,
    app: AppID? = nil,
    kind: Kind,
    patient: PatientID?,
    resource: String,
    resourceID: String? = nil,
    version: Int64? = nil,
    purpose: String,
    outcome: Outcome = .success,
    count: Int = 1,
    content: String? = nil
  ) {
    self.at = at
    self.actor = actor
    self.app = app
    self.kind = kind
    self.patient = patient
    self.resource = resource
    self.resourceID = resourceID
    self.version = version
    self.purpose = purpose
    self.outcome = outcome
    self.count = count
    self.content = content
  }

  /// The patient whose data the line reports as changed; nil for reads and refusals.
  package var changedPatient: PatientID? {
    kind != .read && kind != .search && outcome == .success ? patient : nil
  }
}

/// The app in whose request the current task runs.
///
/// It is set once for each request, so that every line that the request causes names the app, whichever command
/// writes the line.
package enum ActingApp {
  private static let local = TaskLocal<AppID?>(wrappedValue: nil)

  /// The app; nil outside the requests of apps.
  static var current: AppID? { local.get() }

  /// Runs the request of an app, or with nil that of anyone else.
  package static func running<Value: Sendable>(
    _ app: AppID?, _ operation: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    try await local.withValue(app, operation: operation)
  }
}
