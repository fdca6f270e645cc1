// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// What pharmacies handed out.
  static let dispenses = Set(
    """
    closed GET /fhir/MedicationDispense
    closed POST /fhir/MedicationDispense
    closed GET /fhir/MedicationDispense/:id
    closed PUT /fhir/MedicationDispense/:id
    closed GET /fhir/MedicationDispense/:id/_history/:version
    """.split(separator: "\n").map(String.init))
}
