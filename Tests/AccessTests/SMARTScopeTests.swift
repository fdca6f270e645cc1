// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Access

struct SMARTScopeTests {
  @Test(arguments: [
    ("patient/Observation.rs", "patient/Observation.rs"),
    ("user/*.cruds", "user/*.cruds"),
    ("system/MedicationRequest.r", "system/MedicationRequest.r"),
    ("patient/*.read", "patient/*.rs"),
    ("user/Observation.write", "user/Observation.cud"),
    ("patient/*.*", "patient/*.cruds"),
    ("user/Patient.*", "user/Patient.cruds"),
    (
      "patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/c|vital-signs",
      "patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/c|vital-signs"
    ),
    (
      "patient/Observation.r?status=final&category=vital-signs",
      "patient/Observation.r?category=vital-signs&status=final"
    ),
    ("patient/Condition.s?code:not=a%20b%26c", "patient/Condition.s?code:not=a%20b%26c"),
    ("user/Observation.r user/Observation.s", "user/Observation.rs"),
    ("user/Observation.rs user/*.r", "user/*.r user/Observation.s"),
    (
      "patient/Observation.rs?code=a patient/Observation.r",
      "patient/Observation.r patient/Observation.s?code=a"
    ),
    ("openid fhirUser launch/patient", "launch/patient openid fhirUser"),
    ("launch profile offline_access online_access", "launch profile offline_access online_access"),
    ("  user/Device.d   openid ", "openid user/Device.d"),
    ("", ""),
  ])
  func `scopes are read in both versions and written in the second`(asked: String, text: String) {
    let scopes = SMARTScopes(parsing: asked)
    #expect(scopes.text == text)
    #expect(scopes.asked == asked)
    #expect(scopes.refused.isEmpty)
    #expect(SMARTScopes(parsing: scopes.text).grants == scopes.grants)
  }

  @Test(arguments: [
    "patient/Observation.sr", "patient/Observation.rr", "patient/Observation.",
    "patient/Observation", "patient/Observation.x", "patient/Observation.Read",
    "patient/Unicorn.r", "patient/observation.r", "patient/.r", "patient/Encounter.rs",
    "person/Observation.r", "Patient/Observation.r", "/Observation.r", "patient//Observation.r",
    "patient/Observation.r/s", "patient/Observation.r.s", "launch/encounter", "email", "OPENID",
    "patient/Observation.rs?", "patient/Observation.rs?category", "patient/Observation.rs?=a",
    "patient/Observation.rs?category=", "patient/Observation.rs?category=a&",
    "patient/Observation.rs?_count=1", "patient/Observation.rs?_include=Observation:subject",
    "patient/Observation.rs?_has:Provenance:target:recorded=2026",
    "patient/Observation.rs?subject.name=Ann", "patient/Observation.rs?code=%zz",
    "patient/Observation.rs?code=%2", "patient/Observation.rs?code=%ff",
    "patient/Observation.rs?co%20de=1", "patient/*.rs?category=vital-signs",
    "patient/Observation.rs?a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1&i=1&j=1&k=1", "patient/Dose.r",
    "user/ChatMessage.rs", "*/*.*", "patient/Observation.\u{0}r",
  ])
  func `a scope that is malformed or unknown is refused, and the others stay`(scope: String) {
    let scopes = SMARTScopes(parsing: "openid \(scope) user/Device.r")
    #expect(scopes.refused == [scope])
    #expect(scopes.text == "openid user/Device.r")
  }

  @Test func `more scopes than anyone needs are refused`() {
    let many = (0..<101).map { "patient/Condition.r?code=c\($0)" }
    let scopes = SMARTScopes(parsing: many.joined(separator: " "))
    #expect(scopes.grants.count == 100)
    #expect(scopes.refused == ["patient/Condition.r?code=c100"])
  }

  @Test func `an action is allowed for what a scope names`() {
    let scopes = SMARTScopes(parsing: "patient/Observation.rs user/*.r system/Device.d")
    #expect(scopes.allows(.read, "Observation") && scopes.allows(.search, "Observation"))
    #expect(scopes.allows(.read, "Condition") && !scopes.allows(.search, "Condition"))
    #expect(scopes.allows(.delete, "Device") && !scopes.allows(.update, "Device"))
    #expect(!scopes.allows(.create, "Observation"))
    #expect(scopes.allows(.export, "Observation") && !scopes.allows(.export, "Condition"))
    #expect(!scopes.allows(.delete, "Device", in: [.user, .patient]))
    #expect(!scopes.allows(.search, "Observation", in: [.user]))
  }

  @Test(arguments: [
    ("user/*.cruds", true), ("user/MedicationRequest.r user/MedicationAdministration.r", true),
    ("user/MedicationRequest.rs", false), ("user/MedicationAdministration.rs", false),
    ("user/MedicationRequest.s user/MedicationAdministration.s", false),
    ("user/MedicationRequest.r?status=active user/MedicationAdministration.r", false),
  ])
  func `doses need the whole of prescriptions and doses taken`(text: String, isOpen: Bool) {
    let scopes = SMARTScopes(parsing: text)
    for resource in ["Dose", "Delivery"] {
      #expect(scopes.allows(.read, resource) == isOpen)
      #expect(scopes.allows(.search, resource) == isOpen)
      #expect(!scopes.allows(.create, resource) && !scopes.allows(.export, resource))
      let constraints = scopes.constraints(for: resource, .read)
      #expect(isOpen ? constraints == nil : constraints?.isEmpty == true)
    }
    for resource in ["DoseState", "ChatMessage", "CareNote", "Alarm", "Grant", "Unicorn", "*"] {
      for action in Action.allCases { #expect(!scopes.allows(action, resource), "\(resource)") }
    }
  }

  @Test func `constraints are alternatives, unless some scope has none`() {
    func conditions(_ text: String, _ action: Action = .read) -> [[String]]? {
      SMARTScopes(parsing: text).constraints(for: "Observation", action)?
        .map { $0.map(\.text) }
    }
    #expect(conditions("user/Observation.r") == nil)
    #expect(conditions("user/*.r user/Observation.r?code=a") == nil)
    #expect(conditions("user/Observation.s")?.isEmpty == true)
    #expect(conditions("user/Condition.r")?.isEmpty == true)
    #expect(
      conditions("user/Observation.r?code=b user/Observation.r?code=a&status=final")
        == [["code=a", "status=final"], ["code=b"]])
    // An export must be readable and searchable.
    #expect(conditions("user/Observation.rs", .export) == nil)
    #expect(conditions("user/Observation.r user/Observation.s?code=a", .export) == [["code=a"]])
    #expect(
      conditions("user/Observation.r?status=final user/Observation.s?code=a", .export)
        == [["code=a", "status=final"]])
    #expect(conditions("user/Observation.r", .export)?.isEmpty == true)
  }

  @Test func `a selection narrows what was asked for and adds nothing`() {
    let asked = SMARTScopes(parsing: "openid offline_access patient/*.rs user/Device.cruds bad")
    let selected = SMARTScopes(
      parsing: "openid patient/Observation.rs?code=a user/Device.rs user/Condition.r")
    let narrowed = asked.narrowed(to: selected)
    #expect(narrowed.text == "openid patient/Observation.rs?code=a user/Device.rs")
    #expect(narrowed.asked == asked.asked && narrowed.refused == ["bad"])
    #expect(asked.only([.user]).text == "openid offline_access user/Device.cruds")
    #expect(asked.narrowed(to: .none).isEmpty && SMARTScopes.none.text.isEmpty)
  }
}
