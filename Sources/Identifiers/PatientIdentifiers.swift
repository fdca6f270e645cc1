// SPDX-License-Identifier: Apache-2.0

/// A patient: the logical id of the FHIR Patient.
package struct PatientID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

extension PatientID {
  /// Stands for the patient of a prescription that is only a draft.
  package static let draft = PatientID("draft")
}

/// A plan: the logical id of the MedicationRequest that it is made from.
package struct PlanID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A record of a dose taken or not taken: the logical id of the MedicationAdministration.
package struct AdministrationID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// One answer to a dose, or one entry of an intake without a dose.
package struct AnswerID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A prescription that arrived from elsewhere and waits for the patient's decision.
package struct ProposalID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// The supply of one medicine at home.
package struct StockID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// An alarm at a fixed time.
package struct AlarmID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A question raised by the resting heart rate.
package struct WarningID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// One pack of a supply, with its expiry date.
package struct LotID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A record of a dispensed medicine, which can become a pack.
package struct DispenseID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}
