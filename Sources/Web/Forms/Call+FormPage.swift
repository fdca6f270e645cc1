// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird

extension Call {
  /// Returns the page of a form; one with mistakes begins with their summary and has status 422.
  ///
  /// Title, summary and status come from the same list, so that none of them can say anything else.
  ///
  /// - Parameters:
  ///   - frame: The frame of the page; its title says that there are mistakes if there are any.
  ///   - errors: The mistakes in the fields, in the order of the page.
  ///   - hasSections: True if the page has several parts, which stand further apart.
  ///   - status: The status instead of 422, such as 413 for a file that is too large; nil decides by
  ///     the mistakes.
  ///   - content: What follows the summary, with the form as it was typed.
  package func formPage(
    _ frame: PageFrame, errors: [FieldError], hasSections: Bool = false,
    status: HTTPResponse.Status? = nil, _ content: Markup
  ) -> Response {
    var frame = frame
    frame.hasErrors = frame.hasErrors || !errors.isEmpty
    return page(
      frame,
      """
      <div class="narrow \(hasSections ? "stack-large" : "stack")">\
      \(ErrorSummary(errors, localizer: localizer))\(content)</div>
      """, status: status ?? (errors.isEmpty ? .ok : .unprocessableContent))
  }
}
