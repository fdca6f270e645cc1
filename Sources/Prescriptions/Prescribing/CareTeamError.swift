// SPDX-License-Identifier: Apache-2.0

/// The reason why a practitioner's command changed nothing.
package enum CareTeamError: String, Error, Sendable, Hashable, CaseIterable {
  /// The practitioner has no access to the patient or to the medicines, or the item does not exist.
  case notFound = "not-found"
  /// The server's operator has not confirmed the account as a practitioner's.
  case notConfirmed = "not-confirmed"
  /// The typed name or birth date is not the patient's.
  case wrongPatient = "wrong-patient"
  /// Severe findings of the interaction check were not confirmed.
  case unseenFindings = "unseen-findings"
  /// Another practitioner wrote it, or the patient did.
  case notYours = "not-yours"
  /// The medicine has ended or is already on hold; for a resumption, it is not on hold.
  case alreadyEnded = "already-ended"
  /// A reason of 1 to 500 characters is needed.
  case reason
  /// A note must have 1 to 2,000 characters.
  case note
  /// The limit of notes is reached.
  case tooManyNotes = "too-many-notes"
  /// A template needs a name of 1 to 80 characters.
  case templateName = "template-name"
  case tooManyTemplates = "too-many-templates"
}
