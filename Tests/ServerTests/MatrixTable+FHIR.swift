// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The resources of the FHIR API.
  static let fhir = Set(
    """
    closed GET /fhir/AllergyIntolerance
    closed GET /fhir/AllergyIntolerance/:id
    closed GET /fhir/AllergyIntolerance/:id/_history/:version
    closed GET /fhir/AuditEvent
    closed GET /fhir/AuditEvent/:id
    closed GET /fhir/CareTeam
    closed GET /fhir/CareTeam/:id
    closed GET /fhir/Communication
    closed POST /fhir/Communication
    closed GET /fhir/Communication/:id
    closed GET /fhir/Consent
    closed GET /fhir/Consent/:id
    closed GET /fhir/MedicationAdministration
    closed POST /fhir/MedicationAdministration
    closed GET /fhir/MedicationAdministration/:id
    closed PUT /fhir/MedicationAdministration/:id
    closed GET /fhir/MedicationAdministration/:id/_history/:version
    closed GET /fhir/MedicationDispense
    closed POST /fhir/MedicationDispense
    closed GET /fhir/MedicationDispense/:id
    closed PUT /fhir/MedicationDispense/:id
    closed GET /fhir/MedicationDispense/:id/_history/:version
    closed GET /fhir/MedicationRequest
    closed POST /fhir/MedicationRequest
    closed GET /fhir/MedicationRequest/:id
    closed PUT /fhir/MedicationRequest/:id
    closed GET /fhir/MedicationRequest/:id/_history/:version
    closed GET /fhir/Observation
    closed POST /fhir/Observation
    closed GET /fhir/Observation/:id
    closed PUT /fhir/Observation/:id
    closed DELETE /fhir/Observation/:id
    closed GET /fhir/Observation/:id/_history
    closed GET /fhir/Observation/:id/_history/:version
    closed GET /fhir/Patient
    closed GET /fhir/Patient/:id
    closed GET /fhir/Patient/:id/_history/:version
    closed GET /fhir/RelatedPerson
    closed GET /fhir/RelatedPerson/:id
    """.split(separator: "\n").map(String.init))
}
