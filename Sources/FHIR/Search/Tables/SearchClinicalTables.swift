// SPDX-License-Identifier: Apache-2.0

/// The search parameters of measurements, problems and allergies, in the format of ``SearchParameterTables``.
enum SearchClinicalTables {
  static let text = """
    Observation:
      based-on reference basedOn > CarePlan|MedicationRequest|NutritionOrder|DeviceRequest|ServiceRequest|\
      ImmunizationRecommendation
      category token category
      code token code
      code-value-concept composite code
      code-value-date composite code
      code-value-quantity composite code
      code-value-string composite code
      combo-code token code component.code
      combo-code-value-concept composite code
      combo-code-value-quantity composite code
      combo-data-absent-reason token dataAbsentReason component.dataAbsentReason
      combo-value-concept token value[CodeableConcept] component.value[CodeableConcept]
      combo-value-quantity quantity value[Quantity] component.value[Quantity]
      component-code token component.code
      component-code-value-concept composite component
      component-code-value-quantity composite component
      component-data-absent-reason token component.dataAbsentReason
      component-value-concept token component.value[CodeableConcept]
      component-value-quantity quantity component.value[Quantity]
      data-absent-reason token dataAbsentReason
      date date effective[dateTime|Period|Timing|instant]
      derived-from reference derivedFrom > Media|Observation|ImagingStudy|MolecularSequence|QuestionnaireResponse|\
      DocumentReference
      device reference device > Device|DeviceMetric
      encounter reference encounter > Encounter
      focus reference focus
      has-member reference hasMember > Observation|MolecularSequence|QuestionnaireResponse
      identifier token identifier
      method token method
      part-of reference partOf > Immunization|MedicationDispense|MedicationAdministration|Procedure|ImagingStudy|\
      MedicationStatement
      patient reference subject > Patient
      performer reference performer > Practitioner|Organization|CareTeam|Patient|PractitionerRole|RelatedPerson
      specimen reference specimen > Specimen
      status token status @observation-status
      subject reference subject > Group|Device|Patient|Location
      value-concept token value[CodeableConcept]
      value-date date value[dateTime|Period]
      value-quantity quantity value[Quantity]
      value-string string value[string] value[CodeableConcept].text

    AllergyIntolerance:
      asserter reference asserter > Practitioner|Patient|PractitionerRole|RelatedPerson
      category token category @allergy-intolerance-category
      clinical-status token clinicalStatus
      code token code reaction.substance
      criticality token criticality @allergy-intolerance-criticality
      date date recordedDate
      identifier token identifier
      last-date date lastOccurrence
      manifestation token reaction.manifestation
      onset date reaction.onset
      patient reference patient > Patient
      recorder reference recorder > Practitioner|Patient|PractitionerRole|RelatedPerson
      route token reaction.exposureRoute
      severity token reaction.severity @reaction-event-severity
      type token type @allergy-intolerance-type
      verification-status token verificationStatus

    Condition:
      abatement-age quantity abatement[Age|Range]
      abatement-date date abatement[dateTime|Period]
      abatement-string string abatement[string]
      asserter reference asserter > Practitioner|Patient|PractitionerRole|RelatedPerson
      body-site token bodySite
      category token category
      clinical-status token clinicalStatus
      code token code
      encounter reference encounter > Encounter
      evidence token evidence.code
      evidence-detail reference evidence.detail
      identifier token identifier
      onset-age quantity onset[Age|Range]
      onset-date date onset[dateTime|Period]
      onset-info string onset[string]
      patient reference subject > Patient
      recorded-date date recordedDate
      severity token severity
      stage token stage.summary
      subject reference subject > Group|Patient
      verification-status token verificationStatus

    Device:
      device-name string deviceName.name type.coding.display type.text
      identifier token identifier
      location reference location > Location
      manufacturer string manufacturer
      model string modelNumber
      organization reference owner > Organization
      patient reference patient > Patient
      status token status @device-status
      type token type
      udi-carrier string udiCarrier.carrierHRF
      udi-di string udiCarrier.deviceIdentifier
      url uri url

    DeviceMetric:
      category token category @metric-category
      identifier token identifier
      parent reference parent > Device
      source reference source > Device
      type token type

    """
}
