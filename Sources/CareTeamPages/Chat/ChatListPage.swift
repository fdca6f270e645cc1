// SPDX-License-Identifier: Apache-2.0

import Access
import CareTeam
import HTML
import Hummingbird
import Identifiers
import Localization
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The conversations of an account: those with unread messages first, then by the latest message.
struct ChatListPage: Sendable {
  let listed: [ListedConversation]
  /// The names of the patients, by id.
  let names: [PatientID: String]
  let account: AccountID

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("chat.title")
    frame.lead = localizer.text("chat.lead")
    frame.placeInInbox()
    frame.isLive = true
    let begun = listed.filter { $0.last != nil }
    let news = begun.filter { $0.unread > 0 } + begun.filter { $0.unread == 0 }
    let open = listed.filter { $0.last == nil && $0.conversation.isOpen }
    let content: Markup = """
      <div class="narrow stack-large">\
      \(InboxTabs(current: Address.conversations, localizer: localizer))\
      \(ChatEmergency(region: call.knownRegion, localizer: localizer))\
      \(if: news.isEmpty && open.isEmpty, empty(localizer))\
      \(if: !news.isEmpty, "<ul class=\"chat-list\" role=\"list\">\(news.map { row($0, call) })</ul>")\
      \(if: !open.isEmpty, Section(
        localizer.text("chat.begin"), id: "begin",
        "<ul class=\"chat-list\" role=\"list\">\(open.map { row($0, call) })</ul>").markup)</div>
      """
    return call.page(frame, content)
  }

  private func empty(_ localizer: Localizer) -> Markup {
    EmptyState(
      icon: .message, text: localizer.text("chat.empty"),
      action: LinkButton(
        localizer.text("people.title"), address: Address.people, kind: .primary, icon: .people
      ).markup
    ).markup
  }

  private func row(_ one: ListedConversation, _ call: Call) -> Markup {
    let localizer = call.localizer
    let conversation = one.conversation
    let chip: Markup? =
      one.unread > 0
      ? """
      <span class="chat-unread">\
      \(localizer.text("chat.unread", ["count": .number(one.unread)]))</span>
      """ : nil
    return """
      <li><a href="\(ChatRoutes.address(of: conversation.id))"><span class="chat-row">\
      <span class="chat-name"><bdi>\(title(conversation, call))</bdi></span>\(chip)</span>\
      <span class="muted">\(about(conversation, localizer))</span>\
      \(one.last.map { preview($0, call) })</a></li>
      """
  }

  /// Returns the name of the other side: the member, or the patient.
  private func title(_ conversation: Conversation, _ call: Call) -> String {
    conversation.standing.side == .patient
      ? conversation.memberName : names[conversation.patient] ?? ""
  }

  /// Returns the role of the other side, and the patient if the account acts for several.
  private func about(_ conversation: Conversation, _ localizer: Localizer) -> String {
    guard conversation.standing.side == .patient else {
      return localizer.text("chat.with-patient")
    }
    let role = localizer.text(
      "chat.role", ["role": .text(conversation.relationship.rawValue)])
    let line = conversation.isOpen ? role : localizer.text("chat.role-ended", ["role": .text(role)])
    let patients = Set(
      listed.filter { $0.conversation.standing.side == .patient }.map(\.conversation.patient))
    guard patients.count > 1, let name = names[conversation.patient] else { return line }
    return localizer.text("chat.about", ["role": .text(line), "name": .text(name)])
  }

  private func preview(_ message: ChatMessage, _ call: Call) -> Markup {
    let localizer = call.localizer
    let words: String =
      if message.withdrawn != nil {
        localizer.text("chat.withdrawn")
      } else if message.text.isEmpty {
        localizer.text("chat.photo")
      } else {
        message.text.count > Self.longestPreview
          ? "\(message.text.prefix(Self.longestPreview))…" : message.text
      }
    let own = message.sender == account ? localizer.text("chat.you") : ""
    return """
      <span class="chat-preview">\(if: !own.isEmpty, "\(own): ")<bdi>\(words)</bdi></span>
      """
  }

  private static let longestPreview = 80
}
