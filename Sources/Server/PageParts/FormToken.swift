// SPDX-License-Identifier: Apache-2.0

import HTML

/// The secret of a session that each form carries, so that no other site can post in its name.
package struct FormToken: PagePart, Hashable {
  /// The name of the form field.
  package static let fieldName = "form-token"

  /// The token of the session, or of the visit before signing in.
  package let value: String

  /// Makes the field for a token.
  package init(_ value: String) {
    self.value = value
  }

  /// The hidden field.
  package var markup: Markup {
    "<input type=\"hidden\" name=\"\(Self.fieldName)\" value=\"\(value)\">"
  }
}
