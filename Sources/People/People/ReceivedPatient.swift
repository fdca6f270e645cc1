// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization
import Scheduling

extension PatientDetails {
  /// Creates the details that another system states in a Patient; what it leaves out stays as the
  /// person has it.
  package init(received patient: PatientView, person: Person) {
    self.init(patient, person: person)
    // Some systems send a name only as text.
    if patient.givenNames.isEmpty, patient.familyName == nil, let text = patient.displayName {
      givenName = text
    }
    if let zone = patient.timeZoneIdentifier { self.zone = zone }
    if let language = patient.language.flatMap({ Language(tag: $0) }) { self.language = language }
  }
}
