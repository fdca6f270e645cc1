// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Scheduling
import Storage

/// The page of a link: what the notification said, and one button.
struct TapPage: Sendable {
  let link: ActionLink
  let secret: Secret
  /// Intakes of the same ingredient that the person is asked about first.
  var question: [Intake] = []
  /// Limits that it would go beyond: told without a medicine's name.
  var breaches: [LimitBreach] = []
  /// What the person was asked about before and went on from: of several doses each may ask.
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

  /// The page of a link that is unknown or dead: which of them is not told.
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

  /// Quiet, and without the link's secret in any address of the page.
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

  /// When it was taken already: the time alone, since a notification shows no more.
  private func asked(_ now: Timestamp) -> Markup {
    guard isAsked else { return Markup() }
    if !breaches.isEmpty {
      return Notice(
        .warning, title: localizer.text("as-needed.question.title"),
        "<p>\(localizer.text("channels.tap.question-help"))</p>"
      ).markup
    }
    let words = DoseWords(localizer: localizer, zone: link.content.zone, now: now)
    // What this very press would record is not taken yet.
    let open = Set(link.open)
    let earlier = question.filter { intake in !(intake.dose.map(open.contains) ?? false) }
    guard !earlier.isEmpty else {
      return Notice(
        .warning, title: localizer.text("channels.tap.together"),
        "<p>\(localizer.text("channels.tap.question-help"))</p>"
      ).markup
    }
    let times = localizer.list(earlier.map { words.moment($0.taken) })
    return Notice(
      .warning, title: localizer.text("channels.tap.question", ["times": .text(times)]),
      "<p>\(localizer.text("channels.tap.question-help"))</p>"
    ).markup
  }

  private var isAsked: Bool { !question.isEmpty || !breaches.isEmpty }

  private var form: Markup {
    let named = question.flatMap { [$0.administration] + [$0.dose?.text].compactMap(\.self) }
    let confirmed = earlier.union(named).union(breaches.map(\.key)).sorted()
    let kind: ButtonKind = isAsked ? .secondary : .primary
    return """
      <form class="form" method="post" action="\(ReminderContent.tapPath(secret))">\
      \(each: confirmed, { "<input type=\"hidden\" name=\"confirm\" value=\"\($0)\">" })\
      \(ButtonRow(Button(words, kind: kind, icon: icon).markup))</form>
      """
  }

  private var words: String {
    guard !isAsked else { return localizer.text("channels.tap.anyway") }
    return link.content.words(for: link.answer)
  }

  /// What was recorded, as the words tell it apart.
  private var recorded: String {
    switch link.answer {
    case .dose(let action): action.rawValue
    case .occasion(let action, _): action.rawValue
    }
  }

  private var icon: Icon {
    switch link.answer {
    case .dose(.later), .occasion(.later, _): .clock
    case .dose(.skipped), .occasion(.declined, _): .barInCircle
    case .dose, .occasion: .check
    }
  }

  private var more: Markup {
    """
    <p class="muted"><a href="\(link.content.path)">\(localizer.text("channels.tap.more"))</a></p>
    """
  }
}
