// SPDX-License-Identifier: Apache-2.0

/// The elements of the resources that are checked one by one, from the R4 definitions (FHIR 4.0.1).
///
/// A heading names a type and the type whose elements it begins with. A line names an element, its
/// cardinality, its types, and for a code its closed value set, for a reference its targets.
/// Targets stand only where another type would change whose record it is or what it answers: HL7's own
/// examples break some of the others.
enum ResourceTables {
  static let text = """
    Resource: none
      id 0..1 id
      meta 0..1 Meta
      implicitRules 0..1 uri
      language 0..1 code

    DomainResource: Resource
      text 0..1 Narrative
      contained 0..* Resource
      extension 0..* Extension
      modifierExtension 0..* Extension

    Patient: DomainResource
      identifier 0..* Identifier
      active 0..1 boolean
      name 0..* HumanName
      telecom 0..* ContactPoint
      gender 0..1 code administrative-gender
      birthDate 0..1 date
      deceased[x] 0..1 boolean|dateTime
      address 0..* Address
      maritalStatus 0..1 CodeableConcept
      multipleBirth[x] 0..1 boolean|integer
      photo 0..* Attachment
      contact 0..* Patient.contact
      communication 0..* Patient.communication
      generalPractitioner 0..* Reference
      managingOrganization 0..1 Reference
      link 0..* Patient.link

    Patient.contact: BackboneElement
      relationship 0..* CodeableConcept
      name 0..1 HumanName
      telecom 0..* ContactPoint
      address 0..1 Address
      gender 0..1 code administrative-gender
      organization 0..1 Reference
      period 0..1 Period

    Patient.communication: BackboneElement
      language 1..1 CodeableConcept
      preferred 0..1 boolean

    Patient.link: BackboneElement
      other 1..1 Reference Patient|RelatedPerson
      type 1..1 code link-type

    MedicationRequest: DomainResource
      identifier 0..* Identifier
      status 1..1 code medicationrequest-status
      statusReason 0..1 CodeableConcept
      intent 1..1 code medicationrequest-intent
      category 0..* CodeableConcept
      priority 0..1 code request-priority
      doNotPerform 0..1 boolean
      reported[x] 0..1 boolean|Reference
      medication[x] 1..1 CodeableConcept|Reference
      subject 1..1 Reference Patient|Group
      encounter 0..1 Reference
      supportingInformation 0..* Reference
      authoredOn 0..1 dateTime
      requester 0..1 Reference
      performer 0..1 Reference
      performerType 0..1 CodeableConcept
      recorder 0..1 Reference
      reasonCode 0..* CodeableConcept
      reasonReference 0..* Reference
      instantiatesCanonical 0..* canonical
      instantiatesUri 0..* uri
      basedOn 0..* Reference
      groupIdentifier 0..1 Identifier
      courseOfTherapyType 0..1 CodeableConcept
      insurance 0..* Reference
      note 0..* Annotation
      dosageInstruction 0..* Dosage
      dispenseRequest 0..1 MedicationRequest.dispenseRequest
      substitution 0..1 MedicationRequest.substitution
      priorPrescription 0..1 Reference MedicationRequest
      detectedIssue 0..* Reference
      eventHistory 0..* Reference

    MedicationRequest.dispenseRequest: BackboneElement
      initialFill 0..1 MedicationRequest.dispenseRequest.initialFill
      dispenseInterval 0..1 Duration
      validityPeriod 0..1 Period
      numberOfRepeatsAllowed 0..1 unsignedInt
      quantity 0..1 SimpleQuantity
      expectedSupplyDuration 0..1 Duration
      performer 0..1 Reference

    MedicationRequest.dispenseRequest.initialFill: BackboneElement
      quantity 0..1 SimpleQuantity
      duration 0..1 Duration

    MedicationRequest.substitution: BackboneElement
      allowed[x] 1..1 boolean|CodeableConcept
      reason 0..1 CodeableConcept

    MedicationAdministration: DomainResource
      identifier 0..* Identifier
      instantiates 0..* uri
      partOf 0..* Reference
      status 1..1 code medication-admin-status
      statusReason 0..* CodeableConcept
      category 0..1 CodeableConcept
      medication[x] 1..1 CodeableConcept|Reference
      subject 1..1 Reference Patient|Group
      context 0..1 Reference
      supportingInformation 0..* Reference
      effective[x] 1..1 dateTime|Period
      performer 0..* MedicationAdministration.performer
      reasonCode 0..* CodeableConcept
      reasonReference 0..* Reference
      request 0..1 Reference MedicationRequest
      device 0..* Reference
      note 0..* Annotation
      dosage 0..1 MedicationAdministration.dosage
      eventHistory 0..* Reference

    MedicationAdministration.performer: BackboneElement
      function 0..1 CodeableConcept
      actor 1..1 Reference

    MedicationAdministration.dosage: BackboneElement
      text 0..1 string
      site 0..1 CodeableConcept
      route 0..1 CodeableConcept
      method 0..1 CodeableConcept
      dose 0..1 SimpleQuantity
      rate[x] 0..1 Ratio|SimpleQuantity

    Medication: DomainResource
      identifier 0..* Identifier
      code 0..1 CodeableConcept
      status 0..1 code medication-status
      manufacturer 0..1 Reference
      form 0..1 CodeableConcept
      amount 0..1 Ratio
      ingredient 0..* Medication.ingredient
      batch 0..1 Medication.batch

    Medication.ingredient: BackboneElement
      item[x] 1..1 CodeableConcept|Reference
      isActive 0..1 boolean
      strength 0..1 Ratio

    Medication.batch: BackboneElement
      lotNumber 0..1 string
      expirationDate 0..1 dateTime

    """
}
