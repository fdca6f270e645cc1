// SPDX-License-Identifier: Apache-2.0

/// The code systems of the code sets that resources use without stating a system.
enum SearchCodeSets {
  /// The URI of the code system by the name of the code set, as in ``RequiredCodes``.
  static let systems: [String: String] = {
    var systems: [String: String] = [:]
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard let base = words.first else { continue }
      for name in words.dropFirst() { systems[name] = base + name }
    }
    return systems
  }()

  /// Returns the codes of a value set by its canonical URL, with or without version; nil for an unknown one.
  static func codes(inValueSet url: String) -> [TokenSearchValue]? {
    let prefix = "http://hl7.org/fhir/ValueSet/"
    let unversioned = url.prefix { $0 != "|" }
    guard unversioned.hasPrefix(prefix) else { return nil }
    let name = String(unversioned.dropFirst(prefix.count))
    guard let system = systems[name], let codes = RequiredCodes.sets[name] else { return nil }
    return codes.sorted().map { TokenSearchValue(system: system, code: $0) }
  }

  private static let table = """
    http://hl7.org/fhir/ address-use administrative-gender allergy-intolerance-category
    http://hl7.org/fhir/ allergy-intolerance-criticality allergy-intolerance-type
    http://hl7.org/fhir/ audit-event-action audit-event-outcome bundle-type care-team-status
    http://hl7.org/fhir/ composition-status observation-status
    http://hl7.org/fhir/ consent-state-codes device-status event-status group-type
    http://hl7.org/fhir/ metric-category publication-status questionnaire-answers-status
    http://hl7.org/fhir/ reaction-event-severity request-priority resource-types
    http://hl7.org/fhir/CodeSystem/ medication-statement-status medication-status
    http://hl7.org/fhir/CodeSystem/ medicationrequest-intent medicationrequest-status
    http://terminology.hl7.org/CodeSystem/ medication-admin-status medicationdispense-status
    http://terminology.hl7.org/CodeSystem/ v3-Confidentiality
    """
}
