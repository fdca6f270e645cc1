// SPDX-License-Identifier: Apache-2.0

/// The search parameters of people, organizations and groups, in the format of ``SearchParameterTables``.
enum SearchPeopleTables {
  static let text = """
    Patient:
      active token active
      address string address
      address-city string address.city
      address-country string address.country
      address-postalcode string address.postalCode
      address-state string address.state
      address-use token address.use @address-use
      birthdate date birthDate
      death-date date deceased[dateTime]
      deceased token deceased[boolean|dateTime]
      email token telecom(system=email)
      phone token telecom(system=phone)
      telecom token telecom
      family string name.family
      gender token gender @administrative-gender
      general-practitioner reference generalPractitioner > Practitioner|Organization|PractitionerRole
      given string name.given
      identifier token identifier
      language token communication.language
      link reference link.other > RelatedPerson|Patient
      name string name
      organization reference managingOrganization > Organization
      phonetic special name

    Practitioner:
      active token active
      address string address
      address-city string address.city
      address-country string address.country
      address-postalcode string address.postalCode
      address-state string address.state
      address-use token address.use @address-use
      communication token communication
      email token telecom(system=email)
      phone token telecom(system=phone)
      telecom token telecom
      family string name.family
      gender token gender @administrative-gender
      given string name.given
      identifier token identifier
      name string name
      phonetic special name

    PractitionerRole:
      active token active
      date date period
      email token telecom(system=email)
      phone token telecom(system=phone)
      telecom token telecom
      endpoint reference endpoint > Endpoint
      identifier token identifier
      location reference location > Location
      organization reference organization > Organization
      practitioner reference practitioner > Practitioner
      role token code
      service reference healthcareService > HealthcareService
      specialty token specialty

    Organization:
      active token active
      address string address
      address-city string address.city
      address-country string address.country
      address-postalcode string address.postalCode
      address-state string address.state
      address-use token address.use @address-use
      endpoint reference endpoint > Endpoint
      identifier token identifier
      name string name alias
      partof reference partOf > Organization
      phonetic special name
      type token type

    RelatedPerson:
      active token active
      address string address
      address-city string address.city
      address-country string address.country
      address-postalcode string address.postalCode
      address-state string address.state
      address-use token address.use @address-use
      birthdate date birthDate
      email token telecom(system=email)
      phone token telecom(system=phone)
      telecom token telecom
      gender token gender @administrative-gender
      identifier token identifier
      name string name
      patient reference patient > Patient
      phonetic special name
      relationship token relationship

    CareTeam:
      category token category
      date date period
      encounter reference encounter > Encounter
      identifier token identifier
      participant reference participant.member > Practitioner|Organization|CareTeam|Patient|\
      PractitionerRole|RelatedPerson
      patient reference subject > Patient
      status token status @care-team-status
      subject reference subject > Group|Patient

    Consent:
      action token provision.action
      actor reference provision.actor.reference > Practitioner|Organization|Device|Patient|\
      PractitionerRole|RelatedPerson|Group|CareTeam
      category token category
      consentor reference performer > Practitioner|Organization|Patient|PractitionerRole|RelatedPerson
      data reference provision.data.reference
      date date dateTime
      identifier token identifier
      organization reference organization > Organization
      patient reference patient > Patient
      period date provision.period
      purpose token provision.purpose
      scope token scope
      security-label token provision.securityLabel
      source-reference reference source[Reference] > Consent|Contract|QuestionnaireResponse|DocumentReference
      status token status @consent-state-codes

    Group:
      actual token actual
      characteristic token characteristic.code
      characteristic-value composite characteristic
      code token code
      exclude token characteristic.exclude
      identifier token identifier
      managing-entity reference managingEntity > Practitioner|Organization|PractitionerRole|RelatedPerson
      member reference member.entity > Practitioner|Group|Device|Medication|Patient|PractitionerRole|Substance
      type token type @group-type
      value token characteristic.value[CodeableConcept|boolean]

    """
}
