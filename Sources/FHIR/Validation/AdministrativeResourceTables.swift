// SPDX-License-Identifier: Apache-2.0

/// The elements of the resources about people and the places that care for them, in the format of `ResourceTables`.
enum AdministrativeResourceTables {
  static let text = """
    Practitioner: DomainResource
      identifier 0..* Identifier
      active 0..1 boolean
      name 0..* HumanName
      telecom 0..* ContactPoint
      address 0..* Address
      gender 0..1 code administrative-gender
      birthDate 0..1 date
      photo 0..* Attachment
      qualification 0..* Practitioner.qualification
      communication 0..* CodeableConcept

    Practitioner.qualification: BackboneElement
      identifier 0..* Identifier
      code 1..1 CodeableConcept
      period 0..1 Period
      issuer 0..1 Reference

    PractitionerRole: DomainResource
      identifier 0..* Identifier
      active 0..1 boolean
      period 0..1 Period
      practitioner 0..1 Reference Practitioner
      organization 0..1 Reference Organization
      code 0..* CodeableConcept
      specialty 0..* CodeableConcept
      location 0..* Reference
      healthcareService 0..* Reference
      telecom 0..* ContactPoint
      availableTime 0..* PractitionerRole.availableTime
      notAvailable 0..* PractitionerRole.notAvailable
      availabilityExceptions 0..1 string
      endpoint 0..* Reference

    PractitionerRole.availableTime: BackboneElement
      daysOfWeek 0..* code days-of-week
      allDay 0..1 boolean
      availableStartTime 0..1 time
      availableEndTime 0..1 time

    PractitionerRole.notAvailable: BackboneElement
      description 1..1 string
      during 0..1 Period

    Organization: DomainResource
      identifier 0..* Identifier
      active 0..1 boolean
      type 0..* CodeableConcept
      name 0..1 string
      alias 0..* string
      telecom 0..* ContactPoint
      address 0..* Address
      partOf 0..1 Reference Organization
      contact 0..* Organization.contact
      endpoint 0..* Reference

    Organization.contact: BackboneElement
      purpose 0..1 CodeableConcept
      name 0..1 HumanName
      telecom 0..* ContactPoint
      address 0..1 Address

    RelatedPerson: DomainResource
      identifier 0..* Identifier
      active 0..1 boolean
      patient 1..1 Reference Patient
      relationship 0..* CodeableConcept
      name 0..* HumanName
      telecom 0..* ContactPoint
      gender 0..1 code administrative-gender
      birthDate 0..1 date
      address 0..* Address
      photo 0..* Attachment
      period 0..1 Period
      communication 0..* RelatedPerson.communication

    RelatedPerson.communication: BackboneElement
      language 1..1 CodeableConcept
      preferred 0..1 boolean

    CareTeam: DomainResource
      identifier 0..* Identifier
      status 0..1 code care-team-status
      category 0..* CodeableConcept
      name 0..1 string
      subject 0..1 Reference Patient|Group
      encounter 0..1 Reference
      period 0..1 Period
      participant 0..* CareTeam.participant
      reasonCode 0..* CodeableConcept
      reasonReference 0..* Reference
      managingOrganization 0..* Reference
      telecom 0..* ContactPoint
      note 0..* Annotation

    CareTeam.participant: BackboneElement
      role 0..* CodeableConcept
      member 0..1 Reference
      onBehalfOf 0..1 Reference
      period 0..1 Period

    Group: DomainResource
      identifier 0..* Identifier
      active 0..1 boolean
      type 1..1 code group-type
      actual 1..1 boolean
      code 0..1 CodeableConcept
      name 0..1 string
      quantity 0..1 unsignedInt
      managingEntity 0..1 Reference
      characteristic 0..* Group.characteristic
      member 0..* Group.member

    Group.characteristic: BackboneElement
      code 1..1 CodeableConcept
      value[x] 1..1 CodeableConcept|boolean|Quantity|Range|Reference
      exclude 1..1 boolean
      period 0..1 Period

    Group.member: BackboneElement
      entity 1..1 Reference Patient|Practitioner|PractitionerRole|Device|Medication|Substance|Group
      period 0..1 Period
      inactive 0..1 boolean

    """
}
