// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Localization
import Presentation
import SiteMap
import Web

/// `/about` and `/feedback`: a description of this installation, and a form to write to its
/// operator.
package enum AboutRoutes {
  static let path = Address.about

  /// The page about the installation, open to all, and the feedback form for signed-in people.
  package static let all: [Route] = [
    .open(.get, path, about),
    .page(.get, FeedbackPage.path, FeedbackPage.form),
    .accountForm(FeedbackPage.path, FeedbackPage.send),
  ]

  @Sendable private static func about(_ call: Call) async throws -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("feedback.title")
    frame.place = .me
    frame.back = SettingsPage.help.back(localizer)
    frame.lead = localizer.text("feedback.purpose")
    let feedback: Markup =
      call.signedIn == nil
      ? Markup()
      : ButtonRow(
        LinkButton(
          localizer.text("feedback.feedback"), address: FeedbackPage.path, kind: .primary,
          icon: .pencil
        ).markup
      ).markup
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\
      \(Section(localizer.text("feedback.limits"), """
        <ul class="stack-small" role="list"><li>\(localizer.text("feedback.limit-advice"))</li>\
        <li>\(localizer.text("feedback.limit-alarm"))</li>\
        <li>\(localizer.text("feedback.limit-content"))</li></ul>
        """))\
      \(DescriptionList([
        .init(localizer.text("feedback.version"), ServerSettings.version),
        .init(localizer.text("feedback.licence"), localizer.text("feedback.licence-name")),
        .init(localizer.text("feedback.data"), localizer.text("feedback.data-text")),
      ]))\(ButtonRow(
        LinkButton(localizer.text("evidence.link"), address: Address.evidence, icon: .document).markup
      ))\(feedback)</div>
      """)
  }
}
