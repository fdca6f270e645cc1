// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Testing
import TestSupport

@testable import Access

/// The decisions for apps, whose scopes only ever narrow the rights of their account.
struct AppPolicyTests {
  private static let rights: [PatientID: PatientRight] = [
    "p-ann": PatientRight(.self_), "p-child": PatientRight(.guardian),
    "p-friend": PatientRight(.family, categories: [.medicines]),
    "p-hurt": PatientRight(.emergency),
  ]

  private static func app(
    _ scopes: String, for patient: PatientID? = "p-ann", isAdministrator: Bool = false
  ) -> Actor {
    Actor(
      accountID: "ann", kind: .token, rights: rights,
      scope: .app(SMARTScopes(parsing: scopes), patient: patient),
      isAdministrator: isAdministrator)
  }

  private static func reason(
    _ actor: Actor, _ action: Action, _ patient: PatientID, _ resource: String,
    purpose: Purpose = .care
  ) -> DenialReason? {
    let decision = decide(
      actor: actor, action: action, patient: patient, resource: resource, purpose: purpose)
    if case .deny(let reason) = decision { return reason }
    return nil
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let scopes: String
    let action: Action
    let patient: PatientID
    let resource: String
    let reason: DenialReason?
    var testDescription: String { "\(scopes): \(action) \(patient)/\(resource)" }

    init(
      _ scopes: String, _ action: Action, _ patient: PatientID, _ resource: String,
      _ reason: DenialReason?
    ) {
      self.scopes = scopes
      self.action = action
      self.patient = patient
      self.resource = resource
      self.reason = reason
    }
  }

  @Test(arguments: [
    Case("patient/Observation.rs", .read, "p-ann", "Observation", nil),
    Case("patient/Observation.rs", .search, "p-ann", "Observation", nil),
    Case("patient/Observation.rs", .create, "p-ann", "Observation", .scopeNotAllowed),
    Case("patient/Observation.rs", .read, "p-ann", "Condition", .scopeNotAllowed),
    Case("patient/Observation.rs", .read, "p-child", "Observation", .noRelationship),
    Case("patient/Observation.rs", .read, "p-other", "Observation", .noRelationship),
    Case("patient/*.cruds", .delete, "p-ann", "Condition", nil),
    Case("patient/*.cruds", .export, "p-ann", "Condition", nil),
    Case("patient/*.r", .export, "p-ann", "Condition", .scopeNotAllowed),
    Case("patient/*.cruds", .read, "p-ann", "ChatMessage", .scopeNotAllowed),
    Case("patient/*.cruds", .read, "p-ann", "CareNote", .scopeNotAllowed),
    Case("patient/*.cruds", .read, "p-ann", "DoseState", .scopeNotAllowed),
    Case("patient/*.rs", .read, "p-ann", "Dose", nil),
    Case("patient/MedicationRequest.rs", .read, "p-ann", "Dose", .scopeNotAllowed),
    Case("user/Observation.rs", .read, "p-ann", "Observation", nil),
    Case("user/Observation.rs", .read, "p-child", "Observation", nil),
    Case("user/Observation.rs", .read, "p-friend", "Observation", .notShared),
    Case("user/*.cruds", .read, "p-friend", "MedicationRequest", nil),
    Case(
      "user/*.cruds", .update, "p-friend", "MedicationRequest",
      .actionNotAllowed(.family, .update)),
    Case("user/*.cruds", .read, "p-hurt", "MedicationRequest", .noRelationship),
    Case("user/*.cruds", .read, "p-other", "Observation", .noRelationship),
    Case("user/Condition.r patient/Observation.r", .read, "p-ann", "Observation", nil),
    Case(
      "user/Condition.r patient/Observation.r", .read, "p-child", "Observation",
      .scopeNotAllowed),
    Case("user/Condition.r patient/Observation.r", .read, "p-child", "Condition", nil),
    Case("user/Condition.r system/*.cruds", .read, "p-ann", "Observation", .scopeNotAllowed),
    Case("user/Condition.r system/*.cruds", .read, "p-other", "Condition", .noRelationship),
    Case("system/Observation.rs", .read, "p-other", "Observation", nil),
    Case("system/Observation.rs", .create, "p-other", "Observation", .scopeNotAllowed),
    Case("system/Observation.rs", .read, "p-other", "Condition", .scopeNotAllowed),
    Case("system/*.cruds", .read, "p-other", "Dose", nil),
    Case("system/*.cruds", .read, "p-other", "CareNote", .scopeNotAllowed),
    Case("openid fhirUser", .read, "p-ann", "Patient", .noRelationship),
    Case("", .read, "p-ann", "Patient", .noRelationship),
  ])
  func `an app does what its scopes name for whom they name it`(one: Case) {
    #expect(
      Self.reason(Self.app(one.scopes), one.action, one.patient, one.resource) == one.reason)
  }

  @Test func `an app never gets more than its account`() {
    let account = Actor(accountID: "ann", kind: .token, rights: Self.rights, scope: .own)
    let resources = SMARTResources.types.sorted() + ["Dose", "ChatMessage", "CareNote", "Grant"]
    for scopes in ["patient/*.cruds", "user/*.cruds", "user/*.rs patient/*.cud system/*.cruds"] {
      let app = Self.app(scopes)
      for patient in Self.rights.keys.sorted() + ["p-other"] {
        for resource in resources {
          for action in Action.allCases
          where Self.reason(app, action, patient, resource) == nil {
            #expect(
              Self.reason(account, action, patient, resource) == nil,
              "\(scopes): \(action) \(patient)/\(resource)")
          }
        }
      }
    }
  }

  @Test func `no purpose but care is open to an app of a person`() {
    for purpose in Purpose.allCases where purpose != .care {
      #expect(
        Self.reason(Self.app("user/*.cruds"), .read, "p-ann", "Patient", purpose: purpose)
          == .purposeNotAllowed(purpose))
    }
    let system = Self.app("system/*.cruds")
    #expect(Self.reason(system, .read, "p-other", "Patient", purpose: .system) == nil)
    #expect(
      Self.reason(system, .read, "p-other", "Patient", purpose: .administration)
        == .purposeNotAllowed(.administration))
  }

  @Test func `without a launch, patient scopes reach no one`() {
    let app = Self.app("patient/*.cruds", for: nil)
    #expect(app.rights.isEmpty)
    #expect(Self.reason(app, .read, "p-ann", "Patient") == .noRelationship)
    #expect(Self.app("patient/*.cruds", for: "p-other").rights.isEmpty)
    #expect(Self.app("patient/*.cruds").rights.keys.sorted() == ["p-ann"])
    #expect(
      Self.app("user/Device.r").rights.keys.sorted() == ["p-ann", "p-child", "p-friend"])
    #expect(Self.app("system/*.rs").rights.isEmpty)
  }

  @Test func `an app is never an administrator, nor everyone's session`() {
    #expect(!Self.app("user/*.cruds", isAdministrator: true).isAdministrator)
    #expect(Self.app("system/*.rs").reachesEveryPatient)
    #expect(!Self.app("user/*.cruds").reachesEveryPatient)
    let session = Actor(
      accountID: "ann", kind: .session, rights: Self.rights,
      scope: .app(SMARTScopes(parsing: "system/*.cruds"), patient: nil))
    #expect(!session.reachesEveryPatient)
    #expect(Self.reason(session, .read, "p-ann", "Patient") == .noRelationship)
  }

  @Test func `a search covers the patients for whom the type is named`() {
    func patients(
      _ scopes: String, _ resource: String, of patient: PatientID? = nil
    ) -> SearchDecision {
      decideSearch(
        actor: Self.app(scopes), resource: resource, patient: patient, purpose: .care)
    }
    func found(_ decision: SearchDecision) -> SearchAuthorization.Patients? {
      if case .allow(let authorization) = decision { return authorization.patients }
      return nil
    }
    #expect(found(patients("patient/Observation.rs", "Observation")) == .only(["p-ann"]))
    #expect(
      found(patients("user/Observation.rs", "Observation")) == .only(["p-ann", "p-child"]))
    #expect(
      found(patients("user/Condition.rs patient/Observation.rs", "Observation"))
        == .only(["p-ann"]))
    #expect(found(patients("system/Observation.rs", "Observation")) == .all)
    for scopes in ["patient/Observation.r", "user/Condition.rs", "system/Condition.rs", ""] {
      #expect(patients(scopes, "Observation") == .deny(.scopeNotAllowed), "\(scopes)")
    }
    #expect(
      patients("patient/Observation.rs", "Observation", of: "p-child") == .deny(.noRelationship))
  }

  @Test func `shared types are read with any scope that names them`() {
    func decision(_ scopes: String, _ action: Action) -> Bool {
      let decision = decideShared(
        actor: Self.app(scopes, for: nil), action: action, resource: "Medication", purpose: .care)
      return if case .allow = decision { true } else { false }
    }
    for scopes in ["patient/Medication.r", "user/*.r", "system/Medication.rs"] {
      #expect(decision(scopes, .read), "\(scopes)")
    }
    #expect(!decision("patient/Observation.r", .read) && !decision("user/Medication.s", .read))
    #expect(decision("user/Medication.s", .search))
    #expect(!decision("user/*.cruds", .create) && decision("system/Medication.c", .create))
    #expect(!decision("system/Medication.c", .update))
    #expect(
      decideSharedSearch(
        actor: Self.app("user/Device.rs"), resource: "Medication", purpose: .care)
        == .deny(.scopeNotAllowed))
  }

  @Test func `constraints of a launch count only for its patient`() {
    func limits(
      _ scopes: String, isShared: Bool = false, for patient: PatientID? = "p-ann"
    ) -> [String]? {
      Self.app(scopes, for: patient).limits(on: "Observation", .read, isShared: isShared)?
        .map { limit in
          let conditions = limit.conditions.map(\.text).joined(separator: "&")
          let patients = limit.patients?.sorted().map(\.text).joined(separator: " ")
          return (patients.map { "\($0): " } ?? "") + conditions
        }
    }
    #expect(limits("user/*.r") == nil && limits("patient/Observation.r") == nil)
    #expect(limits("patient/Observation.r?code=a") == ["code=a"])
    #expect(limits("user/Observation.r patient/Observation.r?code=a") == nil)
    #expect(
      limits("user/Observation.r?code=a patient/Observation.r") == ["code=a", "p-ann: "])
    #expect(
      limits("user/Observation.r?code=a patient/Observation.r?code=b")
        == ["code=a", "p-ann: code=b"])
    #expect(
      limits("user/Observation.r?code=a patient/Observation.r?code=b", for: nil) == ["code=a"])
    #expect(
      limits("user/Observation.r?code=a patient/Observation.r?code=b", isShared: true)
        == ["code=a", "code=b"])
    #expect(limits("system/Observation.r?code=a") == ["code=a"])
    #expect(limits("user/Condition.r")?.isEmpty == true)
    // An emergency opens all Observations but the diary.
    let rights = Self.rights.filter { $0.value.relationship != .emergency }
    let own = Actor(accountID: "ann", kind: .token, rights: rights, scope: .own)
    #expect(own.limits(on: "Observation", .read, isShared: false) == nil)
    #expect(own.isWithinApp(.delete, "CareNote"))
    #expect(!Self.app("user/*.cruds").isWithinApp(.delete, "CareNote"))
  }
}
