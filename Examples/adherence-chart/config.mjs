// SPDX-License-Identifier: Apache-2.0

/** Everything that you change to run the app against your own server. */
export const config = {
  /** The address of the FHIR API. */
  fhirBase: "http://127.0.0.1:8080/fhir",
  /** The client id that `regimen app add` printed. */
  clientId: "",
  /** The permissions to ask for; the person may allow fewer. */
  scope: "launch/patient patient/MedicationRequest.rs patient/MedicationAdministration.rs",
  /** The number of days in the chart, today included. */
  days: 30,
};
