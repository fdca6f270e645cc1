// SPDX-License-Identifier: Apache-2.0

/// The elements of the resources that are checked individually, from the R4 definitions (FHIR 4.0.1).
///
/// A heading names a type and the type whose elements it starts with. A line names an element, its
/// cardinality, its types and, for a code, its closed value set or, for a reference, its targets. Targets are
/// listed only if another type would change the owner of the record or what it answers, because HL7's own
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

    MedicationDispense: DomainResource
      identifier 0..* Identifier
      partOf 0..* Reference
      status 1..1 code medicationdispense-status
      statusReason[x] 0..1 CodeableConcept|Reference
      category 0..1 CodeableConcept
      medication[x] 1..1 CodeableConcept|Reference
      subject 0..1 Reference Patient|Group
      context 0..1 Reference
      supportingInformation 0..* Reference
      performer 0..* MedicationDispense.performer
      location 0..1 Reference
      authorizingPrescription 0..* Reference MedicationRequest
      type 0..1 CodeableConcept
      quantity 0..1 SimpleQuantity
      daysSupply 0..1 SimpleQuantity
      whenPrepared 0..1 dateTime
      whenHandedOver 0..1 dateTime
      destination 0..1 Reference
      receiver 0..* Reference
      note 0..* Annotation
      dosageInstruction 0..* Dosage
      substitution 0..1 MedicationDispense.substitution
      detectedIssue 0..* Reference
      eventHistory 0..* Reference

    MedicationDispense.performer: BackboneElement
      function 0..1 CodeableConcept
      actor 1..1 Reference

    MedicationDispense.substitution: BackboneElement
      wasSubstituted 1..1 boolean
      type 0..1 CodeableConcept
      reason 0..* CodeableConcept
      responsibleParty 0..* Reference

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

    Observation: DomainResource
      identifier 0..* Identifier
      basedOn 0..* Reference
      partOf 0..* Reference
      status 1..1 code observation-status
      category 0..* CodeableConcept
      code 1..1 CodeableConcept
      subject 0..1 Reference Patient|Group|Device|Location
      focus 0..* Reference
      encounter 0..1 Reference
      effective[x] 0..1 dateTime|Period|Timing|instant
      issued 0..1 instant
      performer 0..* Reference
      value[x] 0..1 Quantity|CodeableConcept|string|boolean|integer|Range|Ratio|SampledData|time|dateTime|Period
      dataAbsentReason 0..1 CodeableConcept
      interpretation 0..* CodeableConcept
      note 0..* Annotation
      bodySite 0..1 CodeableConcept
      method 0..1 CodeableConcept
      specimen 0..1 Reference
      device 0..1 Reference
      referenceRange 0..* Observation.referenceRange
      hasMember 0..* Reference
      derivedFrom 0..* Reference
      component 0..* Observation.component

    Observation.referenceRange: BackboneElement
      low 0..1 SimpleQuantity
      high 0..1 SimpleQuantity
      type 0..1 CodeableConcept
      appliesTo 0..* CodeableConcept
      age 0..1 Range
      text 0..1 string

    Observation.component: BackboneElement
      code 1..1 CodeableConcept
      value[x] 0..1 Quantity|CodeableConcept|string|boolean|integer|Range|Ratio|SampledData|time|dateTime|Period
      dataAbsentReason 0..1 CodeableConcept
      interpretation 0..* CodeableConcept
      referenceRange 0..* Observation.referenceRange

    AllergyIntolerance: DomainResource
      identifier 0..* Identifier
      clinicalStatus 0..1 CodeableConcept
      verificationStatus 0..1 CodeableConcept
      type 0..1 code allergy-intolerance-type
      category 0..* code allergy-intolerance-category
      criticality 0..1 code allergy-intolerance-criticality
      code 0..1 CodeableConcept
      patient 1..1 Reference Patient
      encounter 0..1 Reference
      onset[x] 0..1 dateTime|Age|Period|Range|string
      recordedDate 0..1 dateTime
      recorder 0..1 Reference
      asserter 0..1 Reference
      lastOccurrence 0..1 dateTime
      note 0..* Annotation
      reaction 0..* AllergyIntolerance.reaction

    AllergyIntolerance.reaction: BackboneElement
      substance 0..1 CodeableConcept
      manifestation 1..* CodeableConcept
      description 0..1 string
      onset 0..1 dateTime
      severity 0..1 code reaction-event-severity
      exposureRoute 0..1 CodeableConcept
      note 0..* Annotation

    """
}
