// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Testing
import TestSupport

@testable import Access

struct PolicyTests {
  static let ann = actor("ann", relationships: ["p-ann": .self_, "p-child": .guardian])
  static let friend = actor("friend", relationships: ["p-ann": .family])
  static let doctor = actor("doctor", relationships: ["p-ann": .practitioner])
  static let doctorToken = actor(
    "doctor", kind: .token, relationships: ["p-ann": .practitioner], scope: .own)
  static let doctorOfMessages = Actor(
    accountID: "doctor", kind: .session,
    rights: ["p-ann": PatientRight(.practitioner, categories: [.messages])], scope: .session)
  static let helper = actor("helper", relationships: ["p-ann": .emergency])
  static let helperToken = actor(
    "helper", kind: .token, relationships: ["p-ann": .emergency], scope: .own)
  static let administrator = actor("admin", relationships: [:], isAdministrator: true)
  static let ownToken = actor("ann", kind: .token, relationships: ["p-ann": .self_], scope: .own)
  static let systemToken = actor("ann", kind: .token, relationships: [:], scope: .system)

  struct Case: Sendable, CustomTestStringConvertible {
    let actor: Actor
    let action: Action
    let patient: PatientID
    var resource = "MedicationRequest"
    var purpose = Purpose.care
    let reason: DenialReason?
    var testDescription: String {
      "\(actor.accountID) \(actor.kind) \(action) \(patient)/\(resource) \(purpose)"
    }
  }

  @Test(arguments: [
    Case(actor: ann, action: .read, patient: "p-ann", reason: nil),
    Case(actor: ann, action: .update, patient: "p-child", reason: nil),
    Case(actor: ann, action: .delete, patient: "p-ann", reason: nil),
    Case(actor: ann, action: .read, patient: "p-other", reason: .noRelationship),
    Case(actor: ann, action: .create, patient: "", reason: .noRelationship),
    Case(
      actor: ann, action: .read, patient: "p-ann", purpose: .system,
      reason: .purposeNotAllowed(.system)),
    Case(
      actor: ann, action: .read, patient: "p-ann", purpose: .administration,
      reason: .purposeNotAllowed(.administration)),
    Case(actor: friend, action: .read, patient: "p-ann", reason: nil),
    Case(actor: friend, action: .search, patient: "p-ann", reason: nil),
    Case(
      actor: friend, action: .create, patient: "p-ann",
      reason: .actionNotAllowed(.family, .create)),
    Case(actor: friend, action: .read, patient: "p-child", reason: .noRelationship),
    Case(
      actor: doctor, action: .update, patient: "p-ann",
      reason: .actionNotAllowed(.practitioner, .update)),
    Case(actor: doctor, action: .create, patient: "p-ann", purpose: .prescribing, reason: nil),
    Case(actor: doctor, action: .update, patient: "p-ann", purpose: .prescribing, reason: nil),
    Case(
      actor: doctor, action: .delete, patient: "p-ann", purpose: .prescribing,
      reason: .actionNotAllowed(.practitioner, .delete)),
    Case(
      actor: doctor, action: .create, patient: "p-ann", resource: "MedicationAdministration",
      purpose: .prescribing, reason: .actionNotAllowed(.practitioner, .create)),
    Case(
      actor: doctor, action: .create, patient: "p-child", purpose: .prescribing,
      reason: .noRelationship),
    Case(
      actor: doctorOfMessages, action: .create, patient: "p-ann", purpose: .prescribing,
      reason: .notShared),
    Case(
      actor: doctorToken, action: .create, patient: "p-ann", purpose: .prescribing,
      reason: .purposeNotAllowed(.prescribing)),
    Case(
      actor: friend, action: .create, patient: "p-ann", purpose: .prescribing,
      reason: .purposeNotAllowed(.prescribing)),
    Case(
      actor: ann, action: .create, patient: "p-ann", purpose: .prescribing,
      reason: .purposeNotAllowed(.prescribing)),
    Case(
      actor: systemToken, action: .create, patient: "p-ann", purpose: .prescribing,
      reason: .purposeNotAllowed(.prescribing)),
    Case(
      actor: doctorOfMessages, action: .create, patient: "p-ann", resource: "CareNote", reason: nil),
    Case(
      actor: friend, action: .read, patient: "p-ann", resource: "CareNote", reason: .notShared),
    Case(
      actor: doctor, action: .create, patient: "p-ann", resource: "QuestionnaireAssignment",
      reason: nil),
    Case(
      actor: doctor, action: .create, patient: "p-ann", resource: "QuestionnaireResponse",
      reason: .actionNotAllowed(.practitioner, .create)),
    Case(
      actor: doctorOfMessages, action: .create, patient: "p-ann",
      resource: "QuestionnaireAssignment", reason: .notShared),
    Case(actor: helper, action: .read, patient: "p-ann", purpose: .emergency, reason: nil),
    Case(
      actor: helper, action: .search, patient: "p-ann", resource: "AllergyIntolerance",
      purpose: .emergency, reason: nil),
    Case(
      actor: helper, action: .read, patient: "p-ann", reason: .purposeNotAllowed(.care)),
    Case(
      actor: helper, action: .update, patient: "p-ann", purpose: .emergency,
      reason: .actionNotAllowed(.emergency, .update)),
    Case(
      actor: helper, action: .export, patient: "p-ann", resource: "Dose", purpose: .emergency,
      reason: .actionNotAllowed(.emergency, .export)),
    Case(
      actor: helper, action: .read, patient: "p-ann", resource: "AuditEvent",
      purpose: .emergency, reason: .notShared),
    Case(
      actor: helper, action: .read, patient: "p-ann", resource: "Grant", purpose: .emergency,
      reason: .notShared),
    Case(
      actor: helperToken, action: .read, patient: "p-ann", purpose: .emergency,
      reason: .purposeNotAllowed(.emergency)),
    Case(
      actor: doctor, action: .read, patient: "p-ann", purpose: .emergency,
      reason: .purposeNotAllowed(.emergency)),
    Case(
      actor: ann, action: .read, patient: "p-ann", purpose: .emergency,
      reason: .purposeNotAllowed(.emergency)),
    Case(
      actor: systemToken, action: .read, patient: "p-ann", purpose: .emergency,
      reason: .purposeNotAllowed(.emergency)),
    Case(actor: administrator, action: .read, patient: "p-ann", reason: .noRelationship),
    Case(
      actor: administrator, action: .read, patient: "p-ann", purpose: .administration,
      reason: .noRelationship),
    Case(actor: ownToken, action: .create, patient: "p-ann", reason: nil),
    Case(actor: ownToken, action: .create, patient: "p-child", reason: .noRelationship),
    Case(actor: systemToken, action: .create, patient: "p-new", reason: nil),
    Case(actor: systemToken, action: .read, patient: "p-ann", purpose: .system, reason: nil),
    Case(
      actor: systemToken, action: .read, patient: "p-ann", purpose: .administration,
      reason: .purposeNotAllowed(.administration)),
    Case(
      actor: .host(accountID: "host"), action: .delete, patient: "p-ann",
      purpose: .administration, reason: nil),
    Case(
      actor: .host(accountID: "host"), action: .create, patient: "new", resource: "Account",
      purpose: .administration, reason: nil),
  ])
  func decides(_ example: Case) {
    let decision = decide(
      actor: example.actor, action: example.action, patient: example.patient,
      resource: example.resource, purpose: example.purpose)
    switch decision {
    case .allow(let authorization):
      #expect(example.reason == nil)
      #expect(authorization.actor == example.actor)
      #expect(authorization.action == example.action)
      #expect(authorization.patient == example.patient)
      #expect(authorization.resource == example.resource)
      #expect(authorization.purpose == example.purpose)
    case .deny(let reason):
      #expect(reason == example.reason)
    }
  }

  @Test func `a session can't access every patient, even with a system scope`() {
    let forged = Self.actor("x", kind: .session, relationships: [:], scope: .system)
    #expect(outcome(forged, patient: nil) == .only([]))
    #expect(
      decide(actor: forged, action: .read, patient: "p", resource: "Patient", purpose: .care)
        == .deny(.noRelationship))
  }

  @Test func `a search without a patient covers exactly the actor's patients`() {
    #expect(outcome(Self.ann, patient: nil) == .only(["p-ann", "p-child"]))
    #expect(outcome(Self.ann, patient: "p-child") == .only(["p-child"]))
    #expect(outcome(Self.ann, patient: "p-other") == nil)
    #expect(outcome(Self.administrator, patient: nil) == .only([]))
    #expect(outcome(Self.systemToken, patient: nil) == .all)
    #expect(outcome(Self.systemToken, patient: "p-any") == .only(["p-any"]))
    #expect(outcome(Self.ann, patient: nil, purpose: .system) == nil)
    #expect(outcome(Self.systemToken, patient: nil, purpose: .administration) == nil)
  }

  @Test func `strangers learn nothing, viewers learn the reason`() {
    #expect(DenialReason.noRelationship.concealsExistence)
    #expect(!DenialReason.actionNotAllowed(.family, .update).concealsExistence)
    #expect(!DenialReason.purposeNotAllowed(.system).concealsExistence)
    #expect(!DenialReason.scopeNotAllowed.concealsExistence)
  }

  /// A phone's token can only write values and read nothing, whatever its account may do.
  @Test func `a device in the home adds events and answers, and reads nothing else`() {
    let device = Self.actor(
      "ann", kind: .token, relationships: ["p-ann": .self_], scope: .homeDevice)
    let allowed: Set<[String]> = [
      ["HomeDeviceEvent", "create"], ["MedicationAdministration", "create"],
      ["MedicationAdministration", "read"], ["MedicationAdministration", "update"],
    ]
    for resource in [
      "HomeDeviceEvent", "HomeDevice", "MedicationAdministration", "MedicationRequest", "Dose",
      "Patient", "Observation", "ChatMessage",
    ] {
      for action in Action.allCases {
        let decision = decide(
          actor: device, action: action, patient: "p-ann", resource: resource, purpose: .care)
        let isAllowed = if case .allow = decision { true } else { false }
        #expect(
          isAllowed == allowed.contains([resource, action.rawValue]), "\(action) \(resource)")
      }
    }
    let elsewhere = decide(
      actor: device, action: .create, patient: "p-child", resource: "HomeDeviceEvent",
      purpose: .care)
    #expect(elsewhere == .deny(.noRelationship))
  }

  @Test(
    arguments: Action.allCases,
    ["Observation", "MedicationRequest", "MedicationAdministration", "Patient", "Dose"])
  func `a token that only sends vitals can do nothing else`(action: Action, resource: String) {
    let phone = Self.actor(
      "ann", kind: .token, relationships: ["p-ann": .self_], scope: .vitals)
    let decision = decide(
      actor: phone, action: action, patient: "p-ann",
      resource: resource, purpose: .care)
    if action == .create, resource == "Observation" {
      guard case .allow = decision else {
        Issue.record("it may not send")
        return
      }
    } else {
      #expect(decision == .deny(.scopeNotAllowed))
    }
    let other = decide(
      actor: phone, action: action, patient: "p-other", resource: "Observation", purpose: .care)
    #expect(other == .deny(.noRelationship))
    let found = decideSearch(actor: phone, resource: resource, patient: nil, purpose: .care)
    if case .allow(let allowed) = found { #expect(allowed.patients == .only([])) }
  }

  /// A read-only token sees everything that its account is allowed to see, and changes none of it.
  @Test(
    arguments: Action.allCases,
    ["Observation", "MedicationRequest", "MedicationAdministration", "Patient", "Dose"])
  func `a token that only reads changes nothing`(action: Action, resource: String) {
    let reading = Self.actor(
      "ann", kind: .token, relationships: ["p-ann": .self_], scope: .reading)
    let decision = decide(
      actor: reading, action: action, patient: "p-ann",
      resource: resource, purpose: .care)
    if action == .read || action == .search {
      guard case .allow = decision else {
        Issue.record("it may not read")
        return
      }
    } else {
      #expect(decision == .deny(.scopeNotAllowed))
    }
    let other = decide(
      actor: reading, action: action, patient: "p-other", resource: resource, purpose: .care)
    guard case .deny = other else {
      Issue.record("another's")
      return
    }
  }

  /// Every relationship with every action: only the combinations in the table are allowed.
  @Test(arguments: Relationship.allCases, Action.allCases)
  func `the table of relationships applies`(relationship: Relationship, action: Action) {
    let subject = Self.actor("a", relationships: ["p": relationship])
    let mayWrite = relationship == .self_ || relationship == .guardian
    let isReading = action == .read || action == .search
    let expected = mayWrite || isReading || (action == .export && relationship != .emergency)
    let decision = decide(
      actor: subject, action: action, patient: "p", resource: "Dose",
      purpose: subject.purpose(with: "p"))
    if case .allow = decision { #expect(expected) } else { #expect(!expected) }
  }

  @Test(arguments: Action.allCases)
  func `everyone reads shared resources, and only system scope writes them`(action: Action) {
    let reads = action == .read || action == .search
    let reading = Self.actor("ann", kind: .token, relationships: [:], scope: .reading)
    let vitals = Self.actor("ann", kind: .token, relationships: [:], scope: .vitals)
    let session = Self.actor("ann", relationships: [:], scope: .system)
    let expected: [(Actor, Bool)] = [
      (Self.ann, reads), (Self.friend, reads), (Self.doctor, reads), (Self.helper, reads),
      (Self.administrator, reads), (Self.ownToken, reads), (reading, reads), (vitals, false),
      (session, reads), (Self.systemToken, true),
    ]
    for (actor, isAllowed) in expected {
      let decision = decideShared(
        actor: actor, action: action, resource: "Practitioner", purpose: .care)
      switch decision {
      case .allow(let authorization):
        #expect(isAllowed && authorization.patient == .shared, "\(actor) \(action)")
      case .deny(let reason): #expect(!isAllowed && !reason.concealsExistence, "\(actor)")
      }
    }
  }

  @Test func `a search of shared resources has the same rules`() {
    let vitals = Self.actor("ann", kind: .token, relationships: [:], scope: .vitals)
    #expect(
      decideSharedSearch(actor: vitals, resource: "Medication", purpose: .care)
        == .deny(.scopeNotAllowed))
    #expect(
      decideSharedSearch(actor: Self.friend, resource: "Medication", purpose: .emergency)
        == .deny(.purposeNotAllowed(.emergency)))
    guard
      case .allow(let found) = decideSharedSearch(
        actor: Self.friend, resource: "Medication", purpose: .care)
    else {
      Issue.record("a search was refused")
      return
    }
    #expect(found.patients == .all && found.resource == "Medication")
  }

  private func outcome(
    _ actor: Actor, patient: PatientID?, resource: String = "Patient", purpose: Purpose = .care
  ) -> SearchAuthorization.Patients? {
    let decision = decideSearch(
      actor: actor, resource: resource, patient: patient, purpose: purpose)
    guard case .allow(let authorization) = decision else { return nil }
    return authorization.patients
  }

  private static func actor(
    _ accountID: AccountID, kind: Actor.Kind = .session, relationships: [PatientID: Relationship],
    scope: Scope = .session, isAdministrator: Bool = false
  ) -> Actor {
    Actor(
      accountID: accountID, kind: kind, relationships: relationships, scope: scope,
      isAdministrator: isAdministrator)
  }
}
