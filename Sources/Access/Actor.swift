// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// The account behind a request, with the patients it can reach, as established by sign-in, a token
/// or the host.
package struct Actor: Sendable, Hashable {
  /// The way in which an actor proved itself.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A person's signed-in browser session.
    case session
    /// A bearer token.
    case token
    /// The operator on the machine itself: the command line or the program's own services.
    case host
  }

  /// The account that is responsible for the action, written to the audit trail.
  package let accountID: AccountID
  /// The way in which the actor signed in; some purposes are only open to some kinds.
  package let kind: Kind
  /// The rights of the account on each patient's data, by patient id.
  package let rights: [PatientID: PatientRight]
  /// The limits of the credentials, which can be narrower than the rights of the account.
  package let scope: Scope
  /// True if the account runs the installation; this gives no access to clinical data.
  package let isAdministrator: Bool

  /// Creates an actor with the given right for each patient; an app keeps only those within its scope, and is never
  /// an administrator.
  package init(
    accountID: AccountID,
    kind: Kind,
    rights: [PatientID: PatientRight],
    scope: Scope,
    isAdministrator: Bool = false
  ) {
    self.accountID = accountID
    self.kind = kind
    self.rights = scope.app?.reached(rights) ?? rights
    self.scope = scope
    self.isAdministrator = isAdministrator && scope.app == nil
  }

  /// Creates an actor with whom each patient shares every category.
  package init(
    accountID: AccountID,
    kind: Kind,
    relationships: [PatientID: Relationship],
    scope: Scope,
    isAdministrator: Bool = false
  ) {
    self.init(
      accountID: accountID, kind: kind, rights: relationships.mapValues { PatientRight($0) },
      scope: scope, isAdministrator: isAdministrator)
  }

  /// The relationship of the account to each patient, by patient id.
  package var relationships: [PatientID: Relationship] { rights.mapValues(\.relationship) }

  /// Returns the purpose with which the actor reads a patient's data: `emergency` for an emergency
  /// relationship, otherwise `care`.
  package func purpose(with patient: PatientID) -> Purpose {
    rights[patient]?.relationship == .emergency ? .emergency : .care
  }

  /// A copy of the actor without the patients that are open to it only in an emergency.
  package var withoutEmergencies: Actor {
    Actor(
      accountID: accountID, kind: kind,
      rights: rights.filter { $0.value.relationship != .emergency }, scope: scope,
      isAdministrator: isAdministrator)
  }

  /// Returns the operator on the host, who acts on every patient in the name of an account.
  package static func host(accountID: AccountID) -> Actor {
    Actor(accountID: accountID, kind: .host, relationships: [:], scope: .system)
  }

  /// True if the actor can access every patient: never a browser session, whatever its scope says.
  var reachesEveryPatient: Bool {
    scope.systemWide && kind != .session
  }

  /// Returns true if the credentials, narrower than the account, include an access to a patient's data.
  func scopeIncludes(_ action: Action, _ resource: String, of patient: PatientID) -> Bool {
    if let app = scope.app { return app.includes(action, resource, of: patient) }
    if scope.isOfHomeDevice { return Scope.homeDeviceIncludes(action, resource) }
    // A researcher reaches studies, and no one's record: see decideStudy.
    if scope.study != nil { return false }
    if scope.onlyReads { return action == .read || action == .search }
    return !scope.onlySendsVitals || (action == .create && resource == "Observation")
  }
}

/// The relationship of an account to a patient.
package enum Relationship: String, Sendable, Hashable, CaseIterable {
  /// The account is the patient's own.
  case self_ = "self"
  /// A guardian, who acts in the patient's place.
  case guardian
  /// Family or friends, who read the categories shared with them.
  case family
  /// A doctor, nurse or pharmacist, who reads the categories shared with them.
  case practitioner
  /// A practitioner who has opened the patient's data in an emergency, for a while.
  case emergency

  func allowedActions(on resource: String) -> Set<Action> {
    switch self {
    case .self_, .guardian: Set(Action.allCases)
    case .family, .practitioner:
      resource == DataCategory.chatMessage
        ? [.read, .search, .create, .delete] : [.read, .search, .export]
    case .emergency: [.read, .search]
    }
  }

  /// Returns true for a practitioner's actions beyond reading: prescribing, only for that purpose, keeping notes, and
  /// asking for answers to a questionnaire.
  func allows(_ action: Action, _ resource: String, for purpose: Purpose) -> Bool {
    if allowedActions(on: resource).contains(action) { return true }
    guard self == .practitioner, action == .create || action == .update else { return false }
    switch purpose {
    case .prescribing: return resource == "MedicationRequest"
    case .care: return resource == "CareNote" || resource == DataCategory.questionnaireAssignment
    case .emergency, .administration, .system: return false
    }
  }
}

/// The limits of an actor's credentials.
package struct Scope: Sendable, Hashable {
  /// True if the scope covers every patient (`system/*.cruds`); such a token can only be created on the host.
  package let systemWide: Bool

  /// True if the scope only adds measurements (`patient/Observation.c`) and reads nothing.
  package let onlySendsVitals: Bool

  /// True if the scope reads and searches (`user/*.rs`), but changes nothing.
  package let onlyReads: Bool

  /// True if the scope is that of a device in the home, which adds its events and the answers that follow from them.
  package let isOfHomeDevice: Bool

  /// The study whose export and counts are all that the scope opens; nil for every scope but a researcher's.
  package let study: StudyID?

  /// The limits of an app's token; nil for credentials that the account uses itself.
  package let app: AppScope?

  private init(
    systemWide: Bool, onlySendsVitals: Bool = false, onlyReads: Bool = false,
    isOfHomeDevice: Bool = false, study: StudyID? = nil, app: AppScope? = nil
  ) {
    self.systemWide = systemWide
    self.onlySendsVitals = onlySendsVitals
    self.onlyReads = onlyReads
    self.isOfHomeDevice = isOfHomeDevice
    self.study = study
    self.app = app
  }

  /// The scope of a browser session: the account's own rights.
  package static let session = Scope(systemWide: false)
  /// The scope of a token with the account's own rights.
  package static let own = Scope(systemWide: false)
  /// The scope of a token that reads everything the account can access.
  package static let reading = Scope(systemWide: false, onlyReads: true)
  /// The scope of a phone's token, with which it sends measurements.
  package static let vitals = Scope(systemWide: false, onlySendsVitals: true)
  /// The scope of the token of a device in the home.
  package static let homeDevice = Scope(systemWide: false, isOfHomeDevice: true)
  /// Returns the scope of a researcher's token.
  package static func research(_ study: StudyID) -> Scope {
    Scope(systemWide: false, study: study)
  }
  /// The scope of a token or host command for every patient.
  package static let system = Scope(systemWide: true)

  /// Returns the scope of an app's token.
  ///
  /// - Parameter patient: The patient for whom the app was started, to whom `patient/` permissions are limited; nil
  ///   for none, so that these reach no one.
  package static func app(
    _ scopes: SMARTScopes, patient: PatientID?, of app: AppID? = nil
  ) -> Scope {
    let app = AppScope(scopes: scopes, patient: patient, app: app)
    return Scope(systemWide: app.isSystemWide, app: app)
  }

  /// Returns true for the actions of a device: it adds events, and answers doses.
  ///
  /// To take its own answer back it reads and changes the administration, which its one address never returns.
  fileprivate static func homeDeviceIncludes(_ action: Action, _ resource: String) -> Bool {
    switch resource {
    case "HomeDeviceEvent": action == .create
    case "MedicationAdministration": action == .create || action == .read || action == .update
    default: false
    }
  }
}
