// SPDX-License-Identifier: Apache-2.0

import Access
import CareTeam
import HTML
import Identifiers
import Localization
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The messages of a conversation, the latest last.
struct ChatLog: PagePart {
  let messages: [ChatMessage]
  let links: [String: ShownChatLink]
  let seen: ChatPage.Seen?
  let conversation: Conversation
  let account: AccountID
  let patientName: String
  let token: FormToken
  /// True for search results, each of which links to its place.
  let isSearch: Bool
  let words: DoseFormatter

  private var localizer: Localizer { words.localizer }
  private var address: String { "\(Address.conversations)/\(conversation.id)" }

  var markup: Markup {
    let rows = messages.map(row)
    let isEmpty = messages.isEmpty && !isSearch
    return """
      <div id="chat-log" role="log" aria-label="\(localizer.text("chat.log"))" tabindex="-1">\
      \(if: isEmpty, "<p class=\"muted\">\(localizer.text("chat.nothing-yet"))</p>")\
      \(if: !messages.isEmpty, "<ol class=\"chat-messages\" role=\"list\">\(rows)</ol>")</div>\
      <div id="\(ChatRoutes.end)"></div>
      """
  }

  private func row(_ message: ChatMessage) -> Markup {
    let isOurs = message.side == conversation.standing.side
    return """
      <li class="chat-message\(if: isOurs, " chat-ours")" id="message-\(message.number)"\
      \(if: message.sender == account, event(message))>\
      <p class="chat-who"><bdi>\(name(message))</bdi> \
      <time datetime="\(words.machine(message.written))">\(words.moment(message.written))</time>\
      \(late(message))</p>\(content(message))\(state(message))</li>
      """
  }

  /// Returns the id by which the page recognizes that a queued message has arrived.
  private func event(_ message: ChatMessage) -> Markup { " data-event=\"\(message.event)\"" }

  private func name(_ message: ChatMessage) -> String {
    if message.sender == account { return localizer.text("chat.you") }
    guard message.withdrawn == nil else {
      return message.side == .member ? conversation.memberName : patientName
    }
    guard message.role == .guardian else { return message.senderName }
    return localizer.text(
      "chat.for", ["name": .text(message.senderName), "person": .text(patientName)])
  }

  /// Returns the time at which a queued message arrived.
  private func late(_ message: ChatMessage) -> Markup {
    let waited = message.sent.milliseconds - message.written.milliseconds
    guard waited > 120_000 else { return Markup() }
    return " · \(localizer.text("chat.arrived", ["when": .text(words.moment(message.sent))]))"
  }

  private func content(_ message: ChatMessage) -> Markup {
    guard message.withdrawn == nil else {
      return "<p class=\"muted\">\(localizer.text("chat.withdrawn"))</p>"
    }
    let text: Markup =
      message.text.isEmpty ? "" : "<p class=\"chat-text\" dir=\"auto\">\(message.text)</p>"
    let photo: Markup =
      message.hasPhoto
      ? """
      <a href="\(MessagePhoto.address(of: message.id, in: conversation.id))">\
      <img class="chat-photo" src="\(MessagePhoto.address(of: message.id, in: conversation.id))" \
      alt="\(localizer.text("chat.photo-of", ["name": .text(name(message))]))" loading="lazy"></a>
      """ : ""
    return "\(text)\(photo)\(links[message.id.text].map(link))"
  }

  private func link(_ link: ShownChatLink) -> Markup {
    let words: Markup =
      link.address.map { "<a href=\"\($0)\">\(link.text)</a>" } ?? Markup(text: link.text)
    return "<p class=\"chat-link\">\(words) \(link.chip)</p>"
  }

  private func state(_ message: ChatMessage) -> Markup {
    var parts: [Markup] = []
    if let seen, message.number == lastSeen {
      parts.append(
        "<span class=\"muted\">\(localizer.text("chat.seen", ["when": .text(words.moment(seen.at))]))</span>"
      )
    }
    if isSearch {
      parts.append(
        """
        <a href="\(address)?before=\(message.number + 1)#message-\(message.number)">\
        \(localizer.text("chat.show-place"))</a>
        """)
    } else if message.sender == account, message.withdrawn == nil {
      parts.append(
        FormButton(
          localizer.text("chat.take-back"), action: "\(address)/messages/\(message.id)/remove",
          token: token, kind: .quiet, object: words.moment(message.written)
        ).markup)
    }
    return parts.isEmpty ? Markup() : "<div class=\"chat-state\">\(parts)</div>"
  }

  /// The latest message of the reader's side that the other side has seen.
  private var lastSeen: Int64? {
    guard let seen else { return nil }
    return messages.last { message in
      message.side == conversation.standing.side && message.number <= seen.number
        && message.withdrawn == nil
    }?.number
  }
}
