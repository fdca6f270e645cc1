// SPDX-License-Identifier: Apache-2.0

/// The elements of each served type that R4 requires, or shows in a summary.
enum ResourceElements {
  /// The elements that are written with their type, such as `valueQuantity`.
  static let choices: Set<String> = [
    "value", "effective", "medication", "onset", "abatement", "deceased", "multipleBirth",
    "occurred", "reported", "statusReason", "subject", "content", "source",
  ]

  /// Returns the elements that every resource of a type has, with those that change its meaning.
  static func mandatory(_ type: FHIRType) -> [String] { list(mandatoryLists[type]) }

  /// Returns the elements of a summary, with the mandatory ones.
  static func summary(_ type: FHIRType) -> [String] {
    mandatory(type) + list(summaryLists[type])
  }

  private static func list(_ words: String?) -> [String] {
    (words ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static let mandatoryLists: [FHIRType: String] = [
    .patient: "active deceased link",
    .medicationRequest: "status intent doNotPerform medication subject",
    .medicationAdministration: "status medication subject effective",
    .medicationDispense: "status medication",
    .medicationStatement: "status medication subject effective",
    .medication: "status",
    .observation: "status code",
    .allergyIntolerance: "clinicalStatus verificationStatus patient",
    .condition: "clinicalStatus verificationStatus subject",
    .communication: "status",
    .device: "status",
    .deviceMetric: "type category",
    .questionnaire: "status",
    .questionnaireResponse: "status",
    .provenance: "target recorded agent",
    .binary: "contentType",
    .composition: "status type date author title",
    .bundle: "type",
    .group: "type actual characteristic",
    .auditEvent: "type recorded agent source",
    .consent: "status scope category",
    .careTeam: "status",
    .relatedPerson: "active patient",
  ]

  private static let summaryLists: [FHIRType: String] = [
    .patient: "identifier name telecom gender birthDate address managingOrganization",
    .medicationRequest: """
    identifier category priority reported encounter authoredOn requester performerType
    instantiatesCanonical instantiatesUri basedOn groupIdentifier
    """,
    .medicationAdministration: "instantiates partOf",
    .medicationDispense: "subject category whenPrepared",
    .medicationStatement: """
    identifier basedOn partOf category dateAsserted informationSource
    """,
    .medication: "identifier code manufacturer amount",
    .observation: """
    identifier basedOn partOf subject focus encounter issued performer value hasMember derivedFrom
    component
    """,
    .allergyIntolerance: "identifier type category criticality code",
    .condition: """
    identifier severity code bodySite encounter onset recordedDate recorder asserter stage
    """,
    .communication: """
    identifier instantiatesCanonical instantiatesUri basedOn partOf subject encounter topic
    reasonCode reasonReference
    """,
    .practitioner: "identifier active name telecom address gender birthDate",
    .practitionerRole: """
    identifier active period practitioner organization code specialty location telecom
    """,
    .organization: "identifier active type name",
    .device: "identifier udiCarrier",
    .deviceMetric: "identifier source parent operationalStatus color measurementPeriod",
    .questionnaire: """
    url identifier version name title experimental subjectType date publisher contact useContext
    jurisdiction code effectivePeriod
    """,
    .questionnaireResponse: """
    identifier basedOn partOf questionnaire subject encounter authored author source
    """,
    .provenance: "",
    .binary: "securityContext",
    .composition: """
    identifier subject encounter class category confidentiality custodian relatesTo event
    """,
    .bundle: "identifier timestamp total link signature",
    .group: "identifier active code name quantity managingEntity",
    .auditEvent: "subtype action outcome outcomeDesc purposeOfEvent",
    .consent: "identifier patient dateTime organization source policyRule provision",
    .careTeam: "identifier category name subject encounter period",
    .relatedPerson: "identifier relationship name telecom gender birthDate address",
  ]
}
