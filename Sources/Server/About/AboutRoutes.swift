// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Localization

/// `/about` and `/feedback`: what this is, and a word to whoever runs it.
package enum AboutRoutes {
  static let path = "/about"

  package static let all: [Route] = [
    .open(.get, path, about),
    .page(.get, FeedbackPage.path, FeedbackPage.form),
    .page(.post, FeedbackPage.path, FeedbackPage.send),
  ]

  @Sendable private static func about(_ call: Call) async throws -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("about.title")
    frame.lead = localizer.text("about.purpose")
    let feedback: Markup =
      call.signedIn == nil
      ? Markup()
      : ButtonRow(
        LinkButton(
          localizer.text("about.feedback"), address: FeedbackPage.path, kind: .primary,
          icon: .pencil
        ).markup
      ).markup
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\
      \(Section(localizer.text("about.limits"), """
        <ul class="stack-small"><li>\(localizer.text("about.limit-advice"))</li>\
        <li>\(localizer.text("about.limit-alarm"))</li>\
        <li>\(localizer.text("about.limit-content"))</li></ul>
        """))\
      \(DescriptionList([
        .init(localizer.text("about.version"), ServerSettings.version),
        .init(localizer.text("about.licence"), localizer.text("about.licence-name")),
        .init(localizer.text("about.data"), localizer.text("about.data-text")),
      ]))\(feedback)</div>
      """)
  }
}
