// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Presentation
import SiteMap
import Storage
import Web

/// The conversation with a patient on the patient's page: its latest messages and a form to reply.
struct CareMessages: Sendable {
  /// The number of messages on the page.
  private static let shown = 5

  let conversation: Conversation
  let page: ChatPage

  /// Reads the practitioner's conversation about a patient; nil if messages are not shared, or if
  /// the account acts for the patient and so is on the other side.
  static func load(
    _ access: PractitionerAccess, _ call: Call, _ signedIn: SignedIn, in reader: any SQLReader
  ) throws -> CareMessages? {
    guard access.right.shares(.messages) else { return nil }
    let chat = ChatReader(
      actor: signedIn.actor, accounts: call.environment.accounts, now: call.now)
    let id = Conversation.id(patient: access.patient, member: signedIn.account.id)
    guard let conversation = try chat.conversation(id, in: reader),
      case .member = conversation.standing
    else { return nil }
    return CareMessages(
      conversation: conversation,
      page: try chat.page(of: conversation, limit: shown, in: reader))
  }

  /// Sends the typed message, and shows the patient again.
  static func send(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    let access = try await PractitionerAccess.open(call, signedIn)
    guard access.right.shares(.messages) else { throw Failure.notFound }
    let environment = call.environment
    var input = ChatInput()
    input.text = form.raw(ChatRoutes.textField) ?? ""
    let event = form.text(ChatRoutes.eventField) ?? environment.newIdentifier()
    let draft = ChatDraft(event: event, text: input.text)
    let id = Conversation.id(patient: access.patient, member: signedIn.account.id)
    let accounts = environment.accounts
    do {
      try await form.run { context, writer in
        _ = try ChatCommands(context: context, accounts: accounts).send(draft, to: id, in: writer)
      }
    } catch let error as ChatError where error != .notFound && error != .notAllowed {
      input.mistake = error
      input.event = event
      return try await CarePatientPage.page(call, signedIn, access, message: input)
    }
    environment.sessions.forget()
    return form.redirect(to: access.deskAddress("", [("done", "messaged")]) + "#messages")
  }

  /// Returns the messages and the form.
  ///
  /// - Parameters:
  ///   - action: The address that the form is sent to.
  ///   - event: A new identifier, with which a message sent twice is stored once.
  func content(
    _ access: PractitionerAccess, action: String, input: ChatInput, event: String,
    token: FormToken, words: DoseFormatter
  ) -> Markup {
    let localizer = words.localizer
    // Messages are withdrawn in the conversation itself.
    var reading = token
    reading.mayAct = false
    return """
      <div class="stack">\(ChatLog(
        messages: page.messages, links: [:], seen: page.seen, conversation: conversation,
        account: conversation.member, patientName: access.name, token: reading, isSearch: false,
        words: words))\
      \(if: conversation.isOpen, form(action, input, event, token, localizer))\
      \(ButtonRow(
        LinkButton(
          localizer.text("care-desk.conversation"),
          address: "\(Address.conversations)/\(conversation.id)", kind: .quiet, icon: .message
        ).markup))</div>
      """
  }

  private func form(
    _ action: String, _ input: ChatInput, _ event: String, _ token: FormToken,
    _ localizer: Localizer
  ) -> Markup {
    Form(
      action: action, token: token,
      fields: """
        <input type="hidden" name="\(ChatRoutes.eventField)" value="\(input.event ?? event)">\
        \(FormField(
          ChatRoutes.textField, label: localizer.text("chat.text"), kind: .lines(3),
          value: input.text, error: input.words(localizer), maximumLength: ChatText.maximum,
          localizer: localizer))
        """,
      buttons: Button(localizer.text("chat.send"), kind: .secondary, icon: .check).markup
    ).markup
  }
}
