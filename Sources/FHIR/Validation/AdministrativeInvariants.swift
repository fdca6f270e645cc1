// SPDX-License-Identifier: Apache-2.0

/// The R4 invariants of the resources about people and places, and of the audit trail.
enum AdministrativeInvariants {
  static let byType: [String: Invariants.Check] = [
    "Patient.contact": contact,
    "Organization": organization,
    "CareTeam.participant": participant,
    "Group": members,
    "AuditEvent.entity": auditedEntity,
  ]

  /// Checks pat-1.
  private static func contact(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      ["name", "telecom", "address", "organization"].contains { value.hasElement($0) },
      "A contact must have a name, a telecom, an address or an organization (pat-1).")
  }

  /// Checks grp-1.
  private static func members(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      !value.hasElement("member") || value["actual"]?.bool == true,
      "Only an actual group may have members (grp-1).", at: "member")
  }

  /// Checks sev-1.
  private static func auditedEntity(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      !value.hasElement("name") || !value.hasElement("query"),
      "Send a name or a query, not both (sev-1).", at: "query")
  }

  /// Checks org-1, org-2 and org-3.
  private static func organization(_ value: JSONValue) -> [InvariantFinding] {
    var findings = Invariants.unless(
      value.hasElement("name") || value.hasElement("identifier"),
      "An organization must have a name or an identifier (org-1).")
    for (element, rule) in [("address", "org-2"), ("telecom", "org-3")] {
      for (index, item) in value.items(element).enumerated() where item.text("use") == "home" {
        findings.append(
          InvariantFinding(
            element: "\(element)[\(index)].use",
            message: "The use of an organization's \(element) must not be home (\(rule))."))
      }
    }
    return findings
  }

  /// Checks ctm-1 as far as the reference names the type.
  private static func participant(_ value: JSONValue) -> [InvariantFinding] {
    guard value.hasElement("onBehalfOf"), let member = value["member"]?.text("reference"),
      case .relative(let type)? = ReferenceSyntax(member)
    else { return [] }
    return Invariants.unless(
      type == "Practitioner", "Only a Practitioner may act on behalf of someone (ctm-1).",
      at: "onBehalfOf")
  }
}
