// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers

/// The hidden fields of every form: the session's token, so that no other site can post in its
/// name, and the person for whom the form was made.
package struct FormToken: PagePart, Hashable {
  /// The name of the form field.
  package static let fieldName = "form-token"

  /// The token of the session; empty for strangers.
  package let value: String
  /// The patient that the form acts on, if the account has several; else nil.
  package var patient: PatientID?
  /// The name of that patient, for the text of buttons; nil if the account has only one.
  package var personName: String?
  /// True if the page shows another person than the one chosen on the device.
  package var isVisit = false
  /// True if the viewer may change something; otherwise forms and buttons are left out.
  package var mayAct = true

  /// Creates the hidden fields for a token.
  package init(_ value: String) {
    self.value = value
  }

  /// The hidden fields.
  package var markup: Markup {
    """
    <input type="hidden" name="\(Self.fieldName)" value="\(value)">\
    \(patient.map(guardField))\(if: isVisit, visitField)
    """
  }

  private var visitField: Markup {
    "<input type=\"hidden\" name=\"\(PersonChoice.visitField)\" value=\"yes\">"
  }

  private func guardField(_ patient: PatientID) -> Markup {
    "<input type=\"hidden\" name=\"\(PersonChoice.guardField)\" value=\"\(patient)\">"
  }
}
