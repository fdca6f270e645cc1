// SPDX-License-Identifier: Apache-2.0

/// A patient: the logical id of the FHIR Patient.
package struct PatientID: Identifier {
  /// The logical id of the FHIR Patient.
  package let text: String

  /// Creates the identifier of a patient from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

extension PatientID {
  /// The patient of a resource that belongs to no patient, such as a professional.
  package static let shared = PatientID("")
  /// The patient of a prescription that is only a draft.
  package static let draft = PatientID("draft")
}

/// A plan: the logical id of the MedicationRequest that it is made from.
package struct PlanID: Identifier {
  /// The logical id of the MedicationRequest.
  package let text: String

  /// Creates the identifier of a plan from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A record of a dose taken or not taken: the logical id of the MedicationAdministration.
package struct AdministrationID: Identifier {
  /// The logical id of the MedicationAdministration.
  package let text: String

  /// Creates the identifier of an administration from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// One answer to a dose, or one entry of an intake without a dose.
package struct AnswerID: Identifier {
  /// The identifier of the answer.
  package let text: String

  /// Creates the identifier of an answer from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A prescription that arrived from elsewhere and waits for the patient's decision.
package struct ProposalID: Identifier {
  /// The identifier of the proposal.
  package let text: String

  /// Creates the identifier of a proposal from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// The supply of one medicine at home.
package struct StockID: Identifier {
  /// The identifier of the supply.
  package let text: String

  /// Creates the identifier of a supply from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// An alarm at a fixed time.
package struct AlarmID: Identifier {
  /// The identifier of the alarm.
  package let text: String

  /// Creates the identifier of an alarm from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A tracker of the diary: the name of a standard one, or an identifier of a person's own.
package struct TrackerID: Identifier {
  /// The name or the identifier of the tracker.
  package let text: String

  /// Creates the identifier of a tracker from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A question raised by the resting heart rate.
package struct WarningID: Identifier {
  /// The identifier of the heart rate question.
  package let text: String

  /// Creates the identifier of a heart rate question from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// One pack of a supply, with its expiry date.
package struct LotID: Identifier {
  /// The identifier of the pack.
  package let text: String

  /// Creates the identifier of a pack from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A record of a dispensed medicine, which can become a pack.
package struct DispenseID: Identifier {
  /// The identifier of the dispense.
  package let text: String

  /// Creates the identifier of a dispense from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A link to a report, as its creator sees it listed, without its secret.
package struct ReportLinkID: Identifier {
  /// The identifier of the link.
  package let text: String

  /// Creates the identifier of a link from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// An address of the monitored heart rate, as its creator sees it listed, without its secret.
package struct GlanceID: Identifier {
  /// The identifier of the address.
  package let text: String

  /// Creates the identifier of an address from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A person's own wording of a warning.
package struct WordingID: Identifier {
  /// The identifier of the wording.
  package let text: String

  /// Creates the identifier of a wording from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A device in a person's home that reports events, such as a pill box.
package struct HomeDeviceID: Identifier {
  /// The identifier of the device.
  package let text: String

  /// Creates the identifier of a device from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A questionnaire that a person is asked to answer, once or again and again.
package struct QuestionnaireAssignmentID: Identifier {
  /// The identifier of the assignment.
  package let text: String

  /// Creates the identifier of an assignment from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}
