// SPDX-License-Identifier: Apache-2.0

/// The elements of the resources about a patient's health and agreements, in the format of
/// `ResourceTables`.
enum ClinicalResourceTables {
  static let text = """
    MedicationStatement: DomainResource
      identifier 0..* Identifier
      basedOn 0..* Reference
      partOf 0..* Reference
      status 1..1 code medication-statement-status
      statusReason 0..* CodeableConcept
      category 0..1 CodeableConcept
      medication[x] 1..1 CodeableConcept|Reference
      subject 1..1 Reference Patient|Group
      context 0..1 Reference
      effective[x] 0..1 dateTime|Period
      dateAsserted 0..1 dateTime
      informationSource 0..1 Reference
      derivedFrom 0..* Reference
      reasonCode 0..* CodeableConcept
      reasonReference 0..* Reference
      note 0..* Annotation
      dosage 0..* Dosage

    Condition: DomainResource
      identifier 0..* Identifier
      clinicalStatus 0..1 CodeableConcept
      verificationStatus 0..1 CodeableConcept
      category 0..* CodeableConcept
      severity 0..1 CodeableConcept
      code 0..1 CodeableConcept
      bodySite 0..* CodeableConcept
      subject 1..1 Reference Patient|Group
      encounter 0..1 Reference
      onset[x] 0..1 dateTime|Age|Period|Range|string
      abatement[x] 0..1 dateTime|Age|Period|Range|string
      recordedDate 0..1 dateTime
      recorder 0..1 Reference
      asserter 0..1 Reference
      stage 0..* Condition.stage
      evidence 0..* Condition.evidence
      note 0..* Annotation

    Condition.stage: BackboneElement
      summary 0..1 CodeableConcept
      assessment 0..* Reference
      type 0..1 CodeableConcept

    Condition.evidence: BackboneElement
      code 0..* CodeableConcept
      detail 0..* Reference

    Communication: DomainResource
      identifier 0..* Identifier
      instantiatesCanonical 0..* canonical
      instantiatesUri 0..* uri
      basedOn 0..* Reference
      partOf 0..* Reference
      inResponseTo 0..* Reference
      status 1..1 code event-status
      statusReason 0..1 CodeableConcept
      category 0..* CodeableConcept
      priority 0..1 code request-priority
      medium 0..* CodeableConcept
      subject 0..1 Reference Patient|Group
      topic 0..1 CodeableConcept
      about 0..* Reference
      encounter 0..1 Reference
      sent 0..1 dateTime
      received 0..1 dateTime
      recipient 0..* Reference
      sender 0..1 Reference
      reasonCode 0..* CodeableConcept
      reasonReference 0..* Reference
      payload 0..* Communication.payload
      note 0..* Annotation

    Communication.payload: BackboneElement
      content[x] 1..1 string|Attachment|Reference

    Consent: DomainResource
      identifier 0..* Identifier
      status 1..1 code consent-state-codes
      scope 1..1 CodeableConcept
      category 1..* CodeableConcept
      patient 0..1 Reference Patient
      dateTime 0..1 dateTime
      performer 0..* Reference
      organization 0..* Reference
      source[x] 0..1 Attachment|Reference
      policy 0..* Consent.policy
      policyRule 0..1 CodeableConcept
      verification 0..* Consent.verification
      provision 0..1 Consent.provision

    Consent.policy: BackboneElement
      authority 0..1 uri
      uri 0..1 uri

    Consent.verification: BackboneElement
      verified 1..1 boolean
      verifiedWith 0..1 Reference
      verificationDate 0..1 dateTime

    Consent.provision: BackboneElement
      type 0..1 code consent-provision-type
      period 0..1 Period
      actor 0..* Consent.provision.actor
      action 0..* CodeableConcept
      securityLabel 0..* Coding
      purpose 0..* Coding
      class 0..* Coding
      code 0..* CodeableConcept
      dataPeriod 0..1 Period
      data 0..* Consent.provision.data
      provision 0..* Consent.provision

    Consent.provision.actor: BackboneElement
      role 1..1 CodeableConcept
      reference 1..1 Reference

    Consent.provision.data: BackboneElement
      meaning 1..1 code consent-data-meaning
      reference 1..1 Reference

    Provenance: DomainResource
      target 1..* Reference
      occurred[x] 0..1 Period|dateTime
      recorded 1..1 instant
      policy 0..* uri
      location 0..1 Reference
      reason 0..* CodeableConcept
      activity 0..1 CodeableConcept
      agent 1..* Provenance.agent
      entity 0..* Provenance.entity
      signature 0..* Signature

    Provenance.agent: BackboneElement
      type 0..1 CodeableConcept
      role 0..* CodeableConcept
      who 1..1 Reference
      onBehalfOf 0..1 Reference

    Provenance.entity: BackboneElement
      role 1..1 code provenance-entity-role
      what 1..1 Reference
      agent 0..* Provenance.agent

    """
}
