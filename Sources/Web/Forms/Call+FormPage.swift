// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird

extension Call {
  /// Returns the page of a form; one with mistakes begins with their summary and has status 422.
  ///
  /// Title, summary and status come from the same list, so that they always agree.
  ///
  /// - Parameters:
  /// - frame: The frame of the page; its title says that there are mistakes if there are any.
  /// - errors: The mistakes in the fields, in the order of the page.
  /// - hasSections: True if the page has several parts, with more space between them.
  /// - status: The status instead of 422, such as 413 for a file that is too large; nil to derive
  ///   it from the mistakes.
  /// - content: The content after the summary, with the form as it was typed.
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
