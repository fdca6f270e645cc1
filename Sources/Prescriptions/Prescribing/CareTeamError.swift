// SPDX-License-Identifier: Apache-2.0

/// The reason why a practitioner's command changed nothing.
package enum CareTeamError: String, Error, Sendable, Hashable, CaseIterable {
  /// The practitioner does not look after the patient, or medicines are not shared, or there is no such thing.
  case notFound = "not-found"
  /// Nobody who runs the server has confirmed that the account is a practitioner's.
  case notConfirmed = "not-confirmed"
  /// Name or birth date are another person's.
  case wrongPatient = "wrong-patient"
  /// Severe findings of the interaction check were not confirmed.
  case unseenFindings = "unseen-findings"
  /// Another practitioner wrote it, or the patient did.
  case notYours = "not-yours"
  /// It has ended, or is on hold already.
  case alreadyEnded = "already-ended"
  /// A reason of 1 to 500 characters is needed.
  case reason
  /// Notes have 1 to 2000 characters.
  case note
  /// There are as many notes as are kept.
  case tooManyNotes = "too-many-notes"
  /// A template needs a name of 1 to 80 characters.
  case templateName = "template-name"
  case tooManyTemplates = "too-many-templates"
}
