// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers

/// What each form carries: the secret of a session, so that no other site can post in its name, and
/// the person that the form was made for.
package struct FormToken: PagePart, Hashable {
  /// The name of the form field.
  package static let fieldName = "form-token"

  /// The token of the session, or of the visit before signing in.
  package let value: String
  /// The patient that the form acts on, where the account has several.
  package var patient: PatientID?
  /// The same by name, for the words of buttons.
  package var personName: String?
  /// Whether whoever looks may change something: forms and buttons are left out where not.
  package var mayAct = true

  /// Makes the field for a token.
  package init(_ value: String) {
    self.value = value
  }

  /// The hidden fields.
  package var markup: Markup {
    """
    <input type="hidden" name="\(Self.fieldName)" value="\(value)">\
    \(patient.map(guardField))
    """
  }

  private func guardField(_ patient: PatientID) -> Markup {
    "<input type=\"hidden\" name=\"\(PersonChoice.guardField)\" value=\"\(patient)\">"
  }
}
