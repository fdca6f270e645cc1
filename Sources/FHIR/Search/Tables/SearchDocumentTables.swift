// SPDX-License-Identifier: Apache-2.0

/// The search parameters of forms, documents, messages and the audit trail, in the format of ``SearchParameterTables``.
enum SearchDocumentTables {
  static let text = """
    Communication:
      based-on reference basedOn
      category token category
      encounter reference encounter > Encounter
      identifier token identifier
      instantiates-canonical reference instantiatesCanonical > Questionnaire|Measure|PlanDefinition|\
      OperationDefinition|ActivityDefinition
      instantiates-uri uri instantiatesUri
      medium token medium
      part-of reference partOf
      patient reference subject > Patient
      received date received
      recipient reference recipient > Practitioner|Organization|Device|Patient|PractitionerRole|RelatedPerson|\
      Group|CareTeam|HealthcareService
      sender reference sender > Practitioner|Organization|Device|Patient|PractitionerRole|RelatedPerson|\
      HealthcareService
      sent date sent
      status token status @event-status
      subject reference subject > Group|Patient

    Questionnaire:
      code token item*.code
      context token useContext.value[CodeableConcept]
      context-quantity quantity useContext.value[Quantity|Range]
      context-type token useContext.code
      context-type-quantity composite useContext
      context-type-value composite useContext
      date date date
      definition uri item*.definition
      description string description
      effective date effectivePeriod
      identifier token identifier
      jurisdiction token jurisdiction
      name string name
      publisher string publisher
      status token status @publication-status
      subject-type token subjectType @resource-types
      title string title
      url uri url
      version token version

    QuestionnaireResponse:
      author reference author > Practitioner|Organization|Device|Patient|PractitionerRole|RelatedPerson
      authored date authored
      based-on reference basedOn > CarePlan|ServiceRequest
      encounter reference encounter > Encounter
      identifier token identifier
      part-of reference partOf > Observation|Procedure
      patient reference subject > Patient
      questionnaire reference questionnaire > Questionnaire
      source reference source > Practitioner|Patient|PractitionerRole|RelatedPerson
      status token status @questionnaire-answers-status
      subject reference subject

    Provenance:
      agent reference agent.who > Practitioner|Organization|Device|Patient|PractitionerRole|RelatedPerson
      agent-role token agent.role
      agent-type token agent.type
      entity reference entity.what
      location reference location > Location
      patient reference target > Patient
      recorded date recorded
      signature-type token signature.type
      target reference target
      when date occurred[dateTime]

    AuditEvent:
      action token action @audit-event-action
      address string agent.network.address
      agent reference agent.who > Practitioner|Organization|Device|Patient|PractitionerRole|RelatedPerson
      agent-name string agent.name
      agent-role token agent.role
      altid token agent.altId
      date date recorded
      entity reference entity.what
      entity-name string entity.name
      entity-role token entity.role
      entity-type token entity.type
      outcome token outcome @audit-event-outcome
      patient reference agent.who entity.what > Patient
      policy uri agent.policy
      site token source.site
      source reference source.observer > Practitioner|Organization|Device|Patient|PractitionerRole|RelatedPerson
      subtype token subtype
      type token type

    Composition:
      attester reference attester.party > Practitioner|Organization|Patient|PractitionerRole|RelatedPerson
      author reference author > Practitioner|Organization|Device|Patient|PractitionerRole|RelatedPerson
      category token category
      confidentiality token confidentiality @v3-Confidentiality
      context token event.code
      date date date
      encounter reference encounter > Encounter
      entry reference section.entry
      identifier token identifier
      patient reference subject > Patient
      period date event.period
      related-id token relatesTo.target[Identifier]
      related-ref reference relatesTo.target[Reference] > Composition
      section token section.code
      status token status @composition-status
      subject reference subject
      title string title
      type token type

    Bundle:
      composition reference entry.resource > Composition
      identifier token identifier
      message reference entry.resource > MessageHeader
      timestamp date timestamp
      type token type @bundle-type

    """
}
