// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// A mistake in one field of a form.
package struct FieldError: Sendable, Hashable {
  /// The name of the field, as given to `FormField`.
  package let field: String
  /// The mistake and its remedy, in the person's language.
  package let message: String

  /// Creates an error of a field.
  package init(field: String, message: String) {
    self.field = field
    self.message = message
  }
}

/// The box above a form that lists every error with a link to its field; it takes the focus.
package struct ErrorSummary: PagePart {
  private let errors: [FieldError]
  private let localizer: Localizer

  /// Creates a summary; without errors it is empty.
  package init(_ errors: [FieldError], localizer: Localizer) {
    self.errors = errors
    self.localizer = localizer
  }

  /// The box, or nothing.
  package var markup: Markup {
    if errors.isEmpty { return Markup() }
    return """
      <section class="error-summary" id="error-summary" aria-labelledby="error-summary-title" \
      tabindex="-1" autofocus>\
      <h2 id="error-summary-title">\(Icon.warning)<span>\
      \(localizer.text("parts.errors.title", ["count": .number(errors.count)]))</span></h2>\
      <ul class="error-list" role="list">\(each: errors, line)</ul></section>
      """
  }

  private func line(_ error: FieldError) -> Markup {
    "<li><a href=\"#\(FormField.controlID(error.field))\">\(error.message)</a></li>"
  }
}
