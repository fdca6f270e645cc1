// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import Identifiers
import Knowledge
import Localization
import Plans
import Prescriptions
import Scheduling
import Storage
import Web

/// The findings about an incoming medicine before it is accepted: on pages, in the JSON API and in
/// FHIR.
package struct MedicineFindings: PagePart, Sendable {
  /// The check of the medicine against everything else that the person takes.
  package let check: MedicineCheck
  let said: InteractionText
  /// The findings that a practitioner confirmed, by their keys.
  var confirmed: [String: ConfirmedFindings.Confirmation] = [:]

  /// Creates the findings of a check.
  ///
  /// - Parameter confirmed: The findings that a practitioner confirmed, by key.
  package init(
    _ check: MedicineCheck, list: InteractionList, words: DoseFormatter,
    confirmed: [String: ConfirmedFindings.Confirmation] = [:]
  ) {
    self.check = check
    said = InteractionText(checked: check.checked, list: list, words: words)
    self.confirmed = confirmed
  }

  private var localizer: Localizer { said.words.localizer }
  private var contraindications: [SafetyFinding] {
    check.ageContraindications.map { SafetyFinding(.age($0), localizer) }
  }

  /// The contraindications, the warnings, and the limits of the check; empty if there are none.
  package var markup: Markup {
    var report = check.report
    report.warnings = check.questions
    var gaps = report
    gaps.silentPairs = 0
    gaps.unlistedAllergies = []
    return """
      \(each: contraindications, { $0.notice(localizer) })\
      \(InteractionCards(report: report, said: said, confirmed: confirmed))\
      \(if: !check.isQuiet || !gaps.unlisted.isEmpty || !gaps.incomplete.isEmpty,
        InteractionGaps(report: gaps, said: said).markup)
      """
  }

  // MARK: Programs

  /// Adds the findings and the unchecked items to a response of the JSON API.
  package func write(into json: inout JSONValue) {
    json["findings"] = .array(findings)
    json["unchecked"] = .array(InteractionGaps(report: check.report, said: said).limits)
  }

  /// The parts of the check that could not be done, without pairs that the list does not know.
  package var unchecked: [String] {
    var report = check.report
    report.silentPairs = 0
    return InteractionGaps(report: report, said: said).limits.compactMap(\.string)
  }

  private var findings: [JSONValue] {
    contraindications.map { json($0) } + check.questions.map { json($0) }
  }

  private func json(_ contraindication: SafetyFinding) -> JSONValue {
    [
      "kind": "age", "severity": "contraindicated", "title": .string(contraindication.text),
      "text": .array([]), "with": .array([]),
      "source": .string(contraindication.sources.map(\.name).joined(separator: ", ")),
    ]
  }

  private func json(_ warning: InteractionWarning) -> JSONValue {
    let others = warning.substances.filter { $0 != check.medicine }
    return [
      "kind": .string(warning.kind.rawValue), "severity": .string(warning.severity.rawValue),
      "title": .string(said.title(warning)),
      "text": .array(text(warning).map { .string($0) }),
      "with": .array(others.map { .string(check.checked.name($0)) }),
      "source": .string(said.sourceName(warning)),
    ]
  }

  private func text(_ warning: InteractionWarning) -> [String] {
    said.effects(warning) + said.spacing(warning)
  }

  // MARK: FHIR

  /// The findings as issues of an OperationOutcome; none of them is an error that blocks the write.
  package var issues: [JSONValue] {
    let found = findings.map { finding -> JSONValue in
      let severity = finding["severity"]?.string ?? ""
      let isSevere = ["contraindicated", "severe"].contains(severity)
      let text = (finding["text"]?.array ?? []).compactMap(\.string).joined(separator: " ")
      return issue(
        isSevere ? "warning" : "information", isSevere ? "business-rule" : "informational",
        finding["title"]?.string ?? "",
        [text, finding["source"]?.string ?? ""].filter { !$0.isEmpty }.joined(separator: " "))
    }
    let limits = InteractionGaps(report: check.report, said: said).limits.compactMap(\.string)
      .map { issue("information", "incomplete", $0, "") }
    return found + limits
  }

  private func issue(
    _ severity: String, _ code: String, _ title: String, _ diagnostics: String
  ) -> JSONValue {
    var issue: JSONValue = [
      "severity": .string(severity), "code": .string(code), "details": ["text": .string(title)],
      "expression": ["MedicationRequest.medication"],
    ]
    if !diagnostics.isEmpty { issue["diagnostics"] = .string(diagnostics) }
    return issue
  }

  /// Returns the written resource with a contained DetectedIssue for each finding and unusual
  /// amount.
  package func annotated(
    _ resource: JSONValue, amounts: [AmountFinding], patient: PatientID
  ) -> JSONValue {
    let details = details + amounts.map { (severity: "high", text: amount($0)) }
    guard !details.isEmpty else { return resource }
    var (resource, contained, references) = (
      resource, resource["contained"]?.array ?? [], resource["detectedIssue"]?.array ?? []
    )
    for (number, detail) in details.enumerated() {
      let id = "\(GeneratedFindings.prefix)\(number + 1)"
      contained.append([
        "resourceType": "DetectedIssue", "id": .string(id), "status": "final",
        "severity": .string(detail.severity),
        "patient": ["reference": .string("Patient/\(patient)")],
        "detail": .string(detail.text),
      ])
      references.append(["reference": .string("#\(id)")])
    }
    resource["contained"] = .array(contained)
    resource["detectedIssue"] = .array(references)
    return resource
  }

  private var details: [(severity: String, text: String)] {
    findings.map { finding in
      let lines =
        [finding["title"]?.string ?? ""] + (finding["text"]?.array ?? []).compactMap(\.string)
      return (Self.severity(finding["severity"]?.string), lines.joined(separator: " "))
    }
  }

  private func amount(_ finding: AmountFinding) -> String {
    QuestionText(localizer: localizer).text(.amount(finding))
  }

  /// Returns FHIR's code for one of our severities.
  private static func severity(_ grade: String?) -> String {
    switch grade {
    case "contraindicated", "severe": "high"
    case "moderate": "moderate"
    default: "low"
    }
  }
}

/// Removes the findings that this server adds to FHIR responses, so that they are never stored.
package enum GeneratedFindings {
  static let prefix = "regimen-check-"

  /// Returns a resource without the DetectedIssues of this server, in case a client sends them
  /// back.
  package static func removed(from resource: JSONValue) -> JSONValue {
    func isOurs(_ value: JSONValue) -> Bool {
      value["resourceType"]?.string == "DetectedIssue"
        && value["id"]?.string?.hasPrefix(prefix) ?? false
    }
    guard let contained = resource["contained"]?.array, contained.contains(where: isOurs) else {
      return resource
    }
    var resource = resource
    let others = contained.filter { !isOurs($0) }
    resource["contained"] = others.isEmpty ? nil : .array(others)
    let references = (resource["detectedIssue"]?.array ?? [])
      .filter { !($0["reference"]?.string?.hasPrefix("#\(prefix)") ?? false) }
    resource["detectedIssue"] = references.isEmpty ? nil : .array(references)
    return resource
  }
}
