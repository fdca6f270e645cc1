// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Presentation
import SiteMap
import Web

/// `/help`: answers to the most common questions, open to everyone.
package enum HelpRoutes {
  /// The route of the page.
  package static let all: [Route] = [.open(.get, Address.help, page)]

  @Sendable private static func page(_ call: Call) async throws -> Response {
    let localizer = call.localizer
    let isSignedIn = call.session != nil && call.signedIn != nil
    var frame = call.frame()
    frame.title = SettingsPage.help.title(localizer)
    frame.place = .me
    frame.back = isSignedIn ? .me(localizer) : nil
    frame.hasSearch = isSignedIn
    let opened = call.queryValue(HelpQuestion.parameter).flatMap(HelpQuestion.init(rawValue:))
    var places = [
      PlaceList.Place(localizer.text("feedback.title"), address: Address.about, icon: .info)
    ]
    if isSignedIn {
      places.append(
        .init(localizer.text("feedback.feedback"), address: FeedbackPage.path, icon: .pencil))
    }
    let mayAct = isSignedIn && call.person?.mayAct ?? true
    let questions = HelpQuestion.allCases.map { question in
      answer(
        question, isOpen: question == opened,
        isLinked: mayAct || isSignedIn && !question.needsRightToAct, localizer)
    }
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\
      \(Section(localizer.text("help.questions"), "<div class=\"stack-small\">\(questions)</div>"))\
      \(PlaceList(places))</div>
      """)
  }

  private static func answer(
    _ question: HelpQuestion, isOpen: Bool, isLinked: Bool, _ localizer: Localizer
  ) -> Markup {
    let link = LinkButton(question.link(localizer), address: question.address)
    let disclosure = Disclosure(
      question.question(localizer), isOpen: isOpen,
      "<p>\(question.answer(localizer))</p>\(if: isLinked, link.markup)")
    return "<div id=\"\(question.rawValue)\">\(disclosure)</div>"
  }
}
