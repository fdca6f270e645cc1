// SPDX-License-Identifier: Apache-2.0

import Accounts
import Dosing
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Plans
import Presentation
import Reminders
import Scheduling
import Storage
import Web

/// The page of an action link: the notification's text, and one button.
struct ActionLinkPage: Sendable {
  let link: ActionLink
  let secret: Secret
  /// The question to ask first, shown without a medicine's name.
  var question: IntakeQuestion?
  /// The questions confirmed so far: each of several doses may raise one.
  var earlier: Set<String> = []

  init(_ link: ActionLink, secret: Secret) {
    self.link = link
    self.secret = secret
  }

  private var localizer: Localizer { .of(link.content.language) }

  func response(_ call: Call) -> Response {
    var frame = Self.frame(call, localizer)
    frame.title = link.content.words.title
    return call.page(
      frame, "<div class=\"narrow stack\">\(content(call.now))</div>",
      status: isAsked ? .conflict : .ok)
  }

  /// Returns the page for an unknown or dead link, which does not say which of the two it is.
  static func dead(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = frame(call, localizer)
    frame.title = localizer.text("channels.tap.dead-title")
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("channels.tap.dead"))</p>\
      \(ButtonRow(LinkButton(
        localizer.text("channels.tap.sign-in"), address: "/", icon: .sun).markup))</div>
      """, status: .notFound)
  }

  /// Returns a frame without navigation, and without the link's secret in any address.
  static func frame(_ call: Call, _ localizer: Localizer) -> PageFrame {
    var frame = call.frame()
    frame.visitor = .signedOut
    frame.localizer = localizer
    frame.path = "/sign-in"
    return frame
  }

  private func content(_ now: Timestamp) -> Markup {
    if link.used != nil {
      return """
        \(Notice(.success, title: localizer.text(
          "channels.tap.recorded", ["action": .text(recorded)])))\(more)
        """
    }
    guard link.isOpen else {
      return "\(Notice(.information, title: localizer.text("channels.tap.over")))\(more)"
    }
    return "<p>\(link.content.words.body)</p>\(asked(now))\(form)\(more)"
  }

  /// Returns the question with times only, since notifications show no more.
  private func asked(_ now: Timestamp) -> Markup {
    guard let question else { return Markup() }
    let words = DoseFormatter(localizer: localizer, zone: link.content.zone, now: now)
    var title: String?
    if !question.breaches.isEmpty {
      title = localizer.text("as-needed.question.title")
    } else if !question.intakes.isEmpty {
      // The intake that this press would record has not been taken yet.
      let open = Set(link.open)
      let earlier = question.intakes.filter { !($0.dose.map(open.contains) ?? false) }
      let times = localizer.list(earlier.map { words.moment($0.taken) })
      title =
        earlier.isEmpty
        ? localizer.text("channels.tap.together")
        : localizer.text("channels.tap.question", ["times": .text(times)])
    }
    let early = question.early.map { early in
      Notice(
        .warning,
        title: localizer.text(
          "dose.early.lead",
          ["due": .text(words.moment(early.due)), "at": .text(words.moment(early.at))]),
        "<p>\(localizer.text("dose.early.help"))</p>"
      ).markup
    }
    let taken = title.map {
      Notice(.warning, title: $0, "<p>\(localizer.text("channels.tap.question-help"))</p>").markup
    }
    return "\(early)\(taken)"
  }

  private var isAsked: Bool { question != nil }

  private var form: Markup {
    let doses = (question?.intakes ?? []).compactMap(\.dose?.text)
    let confirmed = earlier.union(doses).union(question?.keys ?? []).sorted()
    let kind: ButtonKind = isAsked ? .secondary : .primary
    return """
      <form class="form" method="post" action="\(ReminderContent.actionLinkPath(secret))">\
      \(each: confirmed, { "<input type=\"hidden\" name=\"confirm\" value=\"\($0)\">" })\
      \(ButtonRow(Button(words, kind: kind, icon: icon).markup))</form>
      """
  }

  private var words: String {
    if let question {
      let isOnlyEarly = question.intakes.isEmpty && question.breaches.isEmpty
      return localizer.text(isOnlyEarly ? "dose.early.yes" : "channels.tap.anyway")
    }
    return link.content.words(for: link.answer)
  }

  /// The code of the recorded answer, which selects the text.
  private var recorded: String {
    switch link.answer {
    case .dose(let action): action.rawValue
    case .alert(let action, _): action.rawValue
    }
  }

  private var icon: Icon {
    switch link.answer {
    case .dose(.later), .alert(.later, _): .clock
    case .dose(.skipped), .alert(.declined, _): .barInCircle
    case .dose, .alert: .check
    }
  }

  private var more: Markup {
    """
    <p class="muted"><a href="\(link.content.path)">\(localizer.text("channels.tap.more"))</a></p>
    """
  }
}
