// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Testing
import TestSupport

@testable import Access

/// The data shared with those who can only read.
@Suite struct CategoryTests {
  /// Resources by the categories that they show; nil for those that are never shared.
  private static let shown: [(resource: String, categories: Set<DataCategory>?)] = [
    ("Patient", []), ("MedicationRequest", [.medicines]), ("Medication", [.medicines]),
    ("Dose", [.medicines, .adherence]), ("MedicationAdministration", [.medicines, .adherence]),
    ("Delivery", [.medicines, .adherence]), ("DoseState", [.adherence]),
    ("Observation", [.heartRate]), ("QuestionnaireResponse", [.diary]),
    ("Communication", [.messages]),
    ("MedicationDispense", [.medicines, .stock]), ("Grant", nil), ("AuditEvent", nil),
    ("Consent", nil), ("SomethingNew", nil),
  ]

  @Test func `messages can be written if shared, but not in an emergency`() {
    for relationship in [Relationship.family, .practitioner] {
      for categories in Self.sets {
        let actor = Self.actor(PatientRight(relationship, categories: categories))
        for action in Action.allCases {
          let decision = decide(
            actor: actor, action: action, patient: "p", resource: "ChatMessage", purpose: .care)
          let isAllowed = if case .allow = decision { true } else { false }
          #expect(
            isAllowed
              == (categories.contains(.messages) && action != .update && action != .export),
            "\(relationship) \(action) \(categories)")
        }
      }
    }
    let helper = Self.actor(PatientRight(.emergency))
    for action in Action.allCases {
      let decision = decide(
        actor: helper, action: action, patient: "p", resource: "ChatMessage", purpose: .emergency)
      #expect(decision == .deny(.notShared), "\(action)")
    }
  }

  /// Every set of categories.
  private static let sets: [Set<DataCategory>] = (0..<(1 << DataCategory.allCases.count)).map {
    bits in
    Set(DataCategory.allCases.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element))
  }

  @Test(arguments: [Relationship.family, .practitioner])
  func `exactly the shared data is visible, the rest seems not to exist`(
    relationship: Relationship
  ) {
    for categories in Self.sets {
      let actor = Self.actor(PatientRight(relationship, categories: categories))
      for (resource, needed) in Self.shown {
        let isShared = needed?.isSubset(of: categories) ?? false
        for action in Action.allCases {
          let isReading = action == .read || action == .search || action == .export
          let decision = decide(
            actor: actor, action: action, patient: "p", resource: resource, purpose: .care)
          switch decision {
          case .allow: #expect(isShared && isReading, "\(resource) \(action) \(categories)")
          case .deny(let reason):
            #expect(!isShared || !isReading, "\(resource) \(action) \(categories)")
            #expect(reason.concealsExistence == !isShared, "\(resource) \(action)")
          }
        }
      }
    }
  }

  @Test func `the heart rate is not shared with the diary, nor the diary with it`() {
    let cases: [(categories: Set<DataCategory>, part: ObservationPart?)] = [
      ([.heartRate], .measurements), ([.diary], .diary), ([.heartRate, .diary], .either),
      ([.medicines, .adherence, .messages, .stock], nil),
    ]
    for relationship in [Relationship.family, .practitioner] {
      for (categories, seen) in cases {
        let actor = Self.actor(PatientRight(relationship, categories: categories))
        #expect(actor.observations(of: "p") == seen && actor.observations(of: "q") == nil)
        for part in ObservationPart.allCases {
          let isVisible = seen.map { $0 == .either || $0 == part || part == .either } ?? false
          for action in [Action.read, .search, .export] {
            let decision = decide(
              actor: actor, action: action, patient: "p", resource: "Observation",
              purpose: .care, part: part)
            let isAllowed = if case .allow = decision { true } else { false }
            #expect(isAllowed == isVisible, "\(relationship) \(categories) \(part)")
          }
        }
      }
    }
    let helper = Self.actor(PatientRight(.emergency))
    #expect(helper.observations(of: "p") == .measurements, "an emergency never opens the diary")
    #expect(!PatientRight(.emergency).shares(.diary))
  }

  @Test func `Observations are limited to the shared part, for each patient`() {
    func limits(_ rights: [PatientID: PatientRight], _ action: Action = .read) -> Set<String>? {
      let actor = Actor(accountID: "a", kind: .session, rights: rights, scope: .session)
      let found = actor.limits(on: "Observation", action, isShared: false)
      return found.map { limits in
        Set(
          limits.map { limit in
            let patients = (limit.patients ?? []).sorted().map(\.text).joined(separator: ",")
            return "\(patients): " + limit.conditions.map(\.text).joined(separator: "&")
          })
      }
    }
    #expect(limits(["me": PatientRight(.self_), "all": PatientRight(.family)]) == nil)
    let measurements = "category:not=survey&code:not=urn:regimen:diary|"
    #expect(
      limits([
        "me": PatientRight(.self_), "heart": PatientRight(.family, categories: [.heartRate]),
        "diary": PatientRight(.family, categories: [.diary]),
        "none": PatientRight(.family, categories: [.stock]),
      ]) == [
        "me: ", "heart: \(measurements)", "diary: category=survey",
        "diary: code=urn:regimen:diary|",
      ])
    // No one but those who act for a patient writes.
    #expect(limits(["heart": PatientRight(.family, categories: [.heartRate])], .update) == nil)
    let app = Actor(
      accountID: "a", kind: .token,
      rights: ["heart": PatientRight(.family, categories: [.heartRate])],
      scope: .app(SMARTScopes(parsing: "user/Observation.rs?code=a"), patient: nil))
    #expect(
      app.limits(on: "Observation", .read, isShared: false)?.map { limit in
        limit.conditions.map(\.text).joined(separator: "&")
      } == ["code=a&\(measurements)"])
  }

  @Test(arguments: [Relationship.self_, .guardian])
  func `representatives see everything whatever is ticked`(relationship: Relationship) {
    let actor = Self.actor(PatientRight(relationship, categories: []))
    for (resource, _) in Self.shown {
      for action in Action.allCases {
        guard
          case .allow = decide(
            actor: actor, action: action, patient: "p", resource: resource, purpose: .care)
        else {
          Issue.record("\(resource) \(action)")
          continue
        }
      }
    }
  }

  @Test func `a search over all patients excludes those who don't share`() {
    let actor = Actor(
      accountID: "a", kind: .session,
      rights: [
        "own": PatientRight(.self_), "all": PatientRight(.family),
        "some": PatientRight(.family, categories: [.medicines]),
        "none": PatientRight(.practitioner, categories: [.stock]),
      ], scope: .session)
    func found(_ resource: String) -> SearchAuthorization.Patients? {
      guard
        case .allow(let authorization) = decideSearch(
          actor: actor, resource: resource, patient: nil, purpose: .care)
      else { return nil }
      return authorization.patients
    }
    #expect(found("MedicationRequest") == .only(["all", "own", "some"]))
    #expect(found("MedicationAdministration") == .only(["all", "own"]))
    #expect(found("Consent") == .only(["own"]))
  }

  @Test func `the stronger relationship wins, and viewers' categories combine`() {
    let some = PatientRight(.family, categories: [.medicines])
    let other = PatientRight(.practitioner, categories: [.heartRate])
    let joined = some.joined(with: other)
    #expect(joined == other.joined(with: some))
    #expect(joined.relationship == .practitioner)
    #expect(joined.categories == [.medicines, .heartRate])
    let guardian = PatientRight(.guardian, categories: [])
    #expect(some.joined(with: guardian) == guardian && guardian.joined(with: some) == guardian)
    #expect(guardian.shares(.messages) && !some.shares(.messages))
  }

  private static func actor(_ right: PatientRight) -> Actor {
    Actor(accountID: "a", kind: .session, rights: ["p": right], scope: .session)
  }
}
