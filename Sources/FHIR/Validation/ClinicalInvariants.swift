// SPDX-License-Identifier: Apache-2.0

/// The R4 invariants of the resources about a patient's health, medicines and agreements.
enum ClinicalInvariants {
  static let byType: [String: Invariants.Check] = [
    "Observation": Invariants.all(missingValue, repeatedCode),
    "Observation.referenceRange": referenceRange,
    "AllergyIntolerance": allergyStatus,
    "Condition": conditionStatus,
    "Condition.stage": conditionStage,
    "Condition.evidence": conditionEvidence,
    "MedicationAdministration.dosage": Invariants.all(administrationAmount, positiveDose),
    "MedicationDispense": dispenseTimes,
    "Consent": consent,
  ]

  /// Checks obs-6: a reason for a missing value goes without a value.
  private static func missingValue(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      !value.hasElement("dataAbsentReason") || !value.hasChoice("value"),
      "Send a value or a dataAbsentReason, not both (obs-6).", at: "dataAbsentReason")
  }

  /// Checks obs-7: no component repeats the code of an observation that has a value.
  private static func repeatedCode(_ value: JSONValue) -> [InvariantFinding] {
    guard value.hasChoice("value"), let code = value["code"] else { return [] }
    let codes = Set(code.conceptCodes)
    let isRepeated = value.items("component").contains { component in
      !codes.isDisjoint(with: component["code"]?.conceptCodes ?? [])
    }
    return Invariants.unless(
      !isRepeated, "A component must not have the code of an observation with a value (obs-7).",
      at: "component")
  }

  /// Checks obs-3.
  private static func referenceRange(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      ["low", "high", "text"].contains { value.hasElement($0) },
      "A reference range must have a low or high value or a text (obs-3).")
  }

  /// Checks ait-1 and ait-2 and the codes of both states.
  private static func allergyStatus(_ value: JSONValue) -> [InvariantFinding] {
    let base = "http://terminology.hl7.org/CodeSystem/allergyintolerance-"
    let isWrong =
      value["verificationStatus"]?.hasCode(["entered-in-error"], system: base + "verification")
      ?? false
    var findings = Invariants.unless(
      isWrong || value.hasElement("clinicalStatus"),
      "The clinicalStatus is required unless the record was entered in error (ait-1).",
      at: "clinicalStatus")
    findings += Invariants.unless(
      !isWrong || !value.hasElement("clinicalStatus"),
      "Remove the clinicalStatus of a record that was entered in error (ait-2).",
      at: "clinicalStatus")
    findings += state(
      value, "clinicalStatus", system: base + "clinical", ["active", "inactive", "resolved"])
    findings += state(
      value, "verificationStatus", system: base + "verification",
      ["unconfirmed", "confirmed", "refuted", "entered-in-error"])
    return findings
  }

  /// Checks con-4 and con-5 and the codes of both states.
  private static func conditionStatus(_ value: JSONValue) -> [InvariantFinding] {
    let base = "http://terminology.hl7.org/CodeSystem/condition-"
    let isWrong =
      value["verificationStatus"]?.hasCode(["entered-in-error"], system: base + "ver-status")
      ?? false
    let hasEnded =
      value["clinicalStatus"]?.hasCode(
        ["inactive", "remission", "resolved"], system: base + "clinical") ?? false
    var findings = Invariants.unless(
      hasEnded || !value.hasChoice("abatement"),
      "A condition with an abatement must be inactive, in remission or resolved (con-4).",
      at: "clinicalStatus")
    findings += Invariants.unless(
      !isWrong || !value.hasElement("clinicalStatus"),
      "Remove the clinicalStatus of a record that was entered in error (con-5).",
      at: "clinicalStatus")
    findings += state(
      value, "clinicalStatus", system: base + "clinical",
      ["active", "recurrence", "relapse", "inactive", "remission", "resolved"])
    findings += state(
      value, "verificationStatus", system: base + "ver-status",
      ["unconfirmed", "provisional", "differential", "confirmed", "refuted", "entered-in-error"])
    return findings
  }

  /// Checks con-1.
  private static func conditionStage(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      value.hasElement("summary") || value.hasElement("assessment"),
      "A stage must have a summary or an assessment (con-1).")
  }

  /// Checks con-2.
  private static func conditionEvidence(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      value.hasElement("code") || value.hasElement("detail"),
      "The evidence must have a code or a detail (con-2).")
  }

  /// Checks mdd-1.
  private static func dispenseTimes(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      DatatypeInvariants.isOrdered(value.text("whenPrepared"), value.text("whenHandedOver")),
      "whenHandedOver must not be before whenPrepared (mdd-1).", at: "whenHandedOver")
  }

  /// Checks that a state has a code from its required value set.
  private static func state(
    _ value: JSONValue, _ element: String, system: String, _ codes: Set<String>
  ) -> [InvariantFinding] {
    guard let concept = value[element], concept.object != nil,
      !concept.hasCode(codes, system: system)
    else { return [] }
    let list = codes.sorted().joined(separator: ", ")
    return [
      InvariantFinding(
        element: element, message: "The state must have a code of \(system): \(list).",
        code: .codeInvalid)
    ]
  }

  /// Checks mad-1: the dosage of an administration states an amount or a rate.
  private static func administrationAmount(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      value.hasElement("dose") || value.hasChoice("rate"),
      "The dosage must have a dose or a rate (mad-1).")
  }

  /// Refuses a dose of zero or less, which nobody can take; this rule is Regimen's own.
  private static func positiveDose(_ value: JSONValue) -> [InvariantFinding] {
    guard let number = value["dose"]?["value"]?.number, number.isZero || number.isNegative else {
      return []
    }
    return [
      InvariantFinding(
        element: "dose.value",  // not a message
        message: "The dose must be above 0.", code: .businessRule)
    ]
  }

  /// Checks ppc-1 to ppc-5.
  private static func consent(_ value: JSONValue) -> [InvariantFinding] {
    let rules = [
      ("patient-privacy", "ppc-2"), ("research", "ppc-3"), ("adr", "ppc-4"), ("treatment", "ppc-5"),
    ]
    let system = "http://terminology.hl7.org/CodeSystem/consentscope"
    var findings = Invariants.unless(
      value.hasElement("policy") || value.hasElement("policyRule"),
      "A consent must have a policy or a policyRule (ppc-1).")
    for (code, rule) in rules {
      guard value["scope"]?.hasCode([code], system: system) ?? false else { continue }
      findings += Invariants.unless(
        value.hasElement("patient"), "A consent of this scope must have a patient (\(rule)).",
        at: "patient")
    }
    return findings
  }
}
