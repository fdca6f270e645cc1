// SPDX-License-Identifier: Apache-2.0

/// The search parameters of medicines, prescriptions and doses, in the format of ``SearchParameterTables``.
enum SearchMedicationTables {
  static let text = """
    Medication:
      code token code
      expiration-date date batch.expirationDate
      form token form
      identifier token identifier
      ingredient reference ingredient.item[Reference] > Medication|Substance
      ingredient-code token ingredient.item[CodeableConcept]
      lot-number token batch.lotNumber
      manufacturer reference manufacturer > Organization
      status token status @medication-status

    MedicationRequest:
      authoredon date authoredOn
      category token category
      code token medication[CodeableConcept]
      date date dosageInstruction.timing.event
      encounter reference encounter > Encounter
      identifier token identifier
      intended-dispenser reference dispenseRequest.performer > Organization
      intended-performer reference performer > Practitioner|Organization|Device|Patient|\
      PractitionerRole|RelatedPerson|CareTeam
      intended-performertype token performerType
      intent token intent @medicationrequest-intent
      medication reference medication[Reference] > Medication
      patient reference subject > Patient
      priority token priority @request-priority
      requester reference requester > Practitioner|Organization|Device|Patient|PractitionerRole|RelatedPerson
      status token status @medicationrequest-status
      subject reference subject > Group|Patient

    MedicationAdministration:
      code token medication[CodeableConcept]
      context reference context > EpisodeOfCare|Encounter
      device reference device > Device
      effective-time date effective[dateTime|Period]
      identifier token identifier
      medication reference medication[Reference] > Medication
      patient reference subject > Patient
      performer reference performer.actor > Practitioner|Device|Patient|PractitionerRole|RelatedPerson
      reason-given token reasonCode
      reason-not-given token statusReason
      request reference request > MedicationRequest
      status token status @medication-admin-status
      subject reference subject > Group|Patient

    MedicationDispense:
      code token medication[CodeableConcept]
      context reference context > EpisodeOfCare|Encounter
      destination reference destination > Location
      identifier token identifier
      medication reference medication[Reference] > Medication
      patient reference subject > Patient
      performer reference performer.actor > Practitioner|Organization|Device|Patient|PractitionerRole|RelatedPerson
      prescription reference authorizingPrescription > MedicationRequest
      receiver reference receiver > Patient|Practitioner
      responsibleparty reference substitution.responsibleParty > Practitioner|PractitionerRole
      status token status @medicationdispense-status
      subject reference subject > Group|Patient
      type token type
      whenhandedover date whenHandedOver
      whenprepared date whenPrepared

    MedicationStatement:
      category token category
      code token medication[CodeableConcept]
      context reference context > EpisodeOfCare|Encounter
      effective date effective[dateTime|Period]
      identifier token identifier
      medication reference medication[Reference] > Medication
      part-of reference partOf > MedicationDispense|Observation|MedicationAdministration|Procedure|MedicationStatement
      patient reference subject > Patient
      source reference informationSource > Practitioner|Organization|Patient|PractitionerRole|RelatedPerson
      status token status @medication-statement-status
      subject reference subject > Group|Patient

    """
}
