// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import SiteMap
import Storage
import Web

/// The pages under `/chat`: conversations between a patient and people with whom messages are
/// shared.
package enum ChatRoutes {
  /// The routes of the list, of a conversation, and of its messages and photos.
  package static let all: [Route] = [
    .page(.get, Address.conversations, list),
    .page(.get, "\(Address.conversations)/:conversation", show),
    .accountForm("\(Address.conversations)/:conversation", send),
    .page(.post, "\(Address.conversations)/:conversation/photo", ChatPhotos.send)
      .takingFile(upTo: PhotoReader.maximumFile),
    .page(.get, "\(Address.conversations)/:conversation/photos/:message", ChatPhotos.show),
    .accountForm("\(Address.conversations)/:conversation/messages/:message/remove", withdraw),
  ]

  /// Returns the address of a conversation, at its latest message.
  static func address(of conversation: ConversationID) -> String {
    "\(Address.conversations)/\(conversation)#\(end)"
  }

  /// The element identifier of the place after the latest message.
  static let end = "end"
  static let textField = "text"
  static let linkField = "link"
  static let eventField = "event"
  static let searchField = "q"

  // MARK: Reading

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let reader = ChatReader(
      actor: signedIn.actor, accounts: call.environment.accounts, now: call.now)
    let notice = call.queryValue("notice")
    let (listed, told, names) = try await call.environment.database.read { storage in
      let listed = try reader.conversations(in: storage)
      return (
        listed,
        try notice.flatMap { try reader.conversation(ofNotice: ReminderID($0), in: storage) },
        try PeopleQueries.named(
          Set(listed.map(\.conversation.patient)).sorted(), in: storage
        ).mapValues(\.name)
      )
    }
    // Redirects from a notification to the conversation that it announced.
    if let told { return call.redirect(to: address(of: told.id)) }
    for patient in Set(listed.filter { $0.last != nil }.map(\.conversation.patient)).sorted() {
      let authorization = try call.authorize(.read, "Communication", of: patient)
      let count = listed.count { $0.conversation.patient == patient && $0.last != nil }
      try await call.environment.audit(authorization, count: count, at: call.now)
    }
    return ChatListPage(listed: listed, names: names, account: signedIn.account.id)
      .response(call)
  }

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let conversation = try await find(call, signedIn)
    return try await ChatView.response(
      call.visiting(conversation.patient), signedIn, conversation, ChatInput())
  }

  /// Returns the conversation of the address.
  ///
  /// - Throws: ``Failure/notFound`` if there is none that the account may see.
  package static func find(_ call: Call, _ signedIn: SignedIn) async throws -> Conversation {
    let id = try ConversationID(call.parameter("conversation"))
    let reader = ChatReader(
      actor: signedIn.actor, accounts: call.environment.accounts, now: call.now)
    let found = try await call.environment.database.read { storage in
      try reader.conversation(id, in: storage)
    }
    guard let found else { throw Failure.notFound }
    return found
  }

  // MARK: Writing

  /// Returns the conversation of the address, after checking that the form was made for its patient.
  private static func conversation(of form: PostedForm) async throws -> Conversation {
    let conversation = try await find(form.call, form.signedIn)
    try PersonGuard.check(form.fields, of: form.call, about: conversation.patient)
    return conversation
  }

  private static func send(_ form: PostedForm) async throws -> Response {
    let conversation = try await conversation(of: form)
    var input = ChatInput()
    input.text = form.raw(textField) ?? ""
    input.link = form.text(linkField) ?? ""
    input.event = form.text(eventField)
    return try await send(input, photo: nil, to: conversation, form.call, form.signedIn)
  }

  /// Sends a message and returns to the conversation; on mistakes shows it again with the input.
  static func send(
    _ input: ChatInput, photo: ChatPhoto?, to conversation: Conversation, _ call: Call,
    _ signedIn: SignedIn
  ) async throws -> Response {
    let environment = call.environment
    let commands = ChatCommands(
      context: environment.commandContext(for: signedIn, now: call.now),
      accounts: environment.accounts)
    let event = input.event ?? environment.newIdentifier()
    do {
      var draft = ChatDraft(event: event, text: input.text, photo: photo)
      if !input.link.isEmpty {
        guard let link = ChatLink(text: input.link) else { throw ChatError.link }
        draft.link = link
      }
      let ready = draft
      try await environment.database.write { writer in
        _ = try commands.send(ready, to: conversation.id, in: writer)
      }
    } catch let error as ChatError where error != .notFound && error != .notAllowed {
      var input = input
      input.mistake = error
      input.event = event
      return try await ChatView.response(
        call.visiting(conversation.patient), signedIn, conversation, input)
    }
    environment.sessions.forget()
    return call.visiting(conversation.patient).redirect(to: address(of: conversation.id))
  }

  private static func withdraw(_ form: PostedForm) async throws -> Response {
    let conversation = try await conversation(of: form)
    let environment = form.call.environment
    let message = try MessageID(form.parameter("message"))
    try await form.run { context, writer in
      try ChatCommands(context: context, accounts: environment.accounts)
        .withdraw(message, in: conversation.id, writer)
    }
    environment.sessions.forget()
    return form.call.visiting(conversation.patient).redirect(to: address(of: conversation.id))
  }
}

/// The input of the message form, exactly as typed, with its mistakes.
struct ChatInput: Sendable, Hashable {
  var text = ""
  /// The link, `dose:…` or `warning:…`; empty for none.
  var link = ""
  var event: String?
  var mistake: ChatError?
  var photoMistake: PhotoMistake?

  var isMistaken: Bool { mistake != nil || photoMistake != nil }

  func words(_ localizer: Localizer) -> String? {
    if let photoMistake {
      return localizer.text(
        "health-profile.photo.problem", ["problem": .text(photoMistake.rawValue)])
    }
    switch mistake {
    case .tooLong(let maximum):
      return localizer.text("chat.problem.too-long", ["maximum": .number(maximum)])
    case .tooMany(let seconds):
      return localizer.text("chat.problem.too-many", ["minutes": .number((seconds + 59) / 60)])
    case .empty: return localizer.text("chat.problem", ["problem": "empty"])
    case .link: return localizer.text("chat.problem", ["problem": "link"])
    case .ended: return localizer.text("chat.problem", ["problem": "ended"])
    case .event, .notFound, .notAllowed:
      return localizer.text("chat.problem", ["problem": "again"])
    case nil: return nil
    }
  }

  var status: HTTPResponse.Status {
    switch mistake {
    case .tooMany: .tooManyRequests
    case .ended: .conflict
    case nil where photoMistake == .tooLarge: .contentTooLarge
    case nil where photoMistake == nil: .ok
    default: .unprocessableContent
    }
  }
}
