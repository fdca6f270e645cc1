// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTML
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// Reads the content of a conversation's page, and records that it was read.
enum ChatView {
  static func response(
    _ call: Call, _ signedIn: SignedIn, _ conversation: Conversation, _ input: ChatInput
  ) async throws -> Response {
    let environment = call.environment
    let (now, patient) = (call.now, conversation.patient)
    let authorization = try call.authorize(.read, "Communication", of: patient)
    let reader = ChatReader(actor: signedIn.actor, accounts: environment.accounts, now: now)
    let before = call.queryValue("before").flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    let query = call.queryValue(ChatRoutes.searchField).map { String($0.prefix(200)) } ?? ""
    let localizer = call.localizer
    let (page, isNews) = try await environment.database.read { storage in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: storage)
      let words = DoseFormatter(localizer: localizer, zone: zone, now: now)
      let links = ChatLinks(
        patient: patient, actor: signedIn.actor, words: words, now: now,
        zones: environment.zones)
      // Read again: the conversation may have grown since the address was checked.
      guard let current = try reader.conversation(conversation.id, in: storage) else {
        throw Failure.notFound
      }
      let finds =
        query.isEmpty ? nil : try reader.search(query, in: current, storage)
      let page = try reader.page(of: current, before: before, in: storage)
      let mayWrite = current.isOpen && current.standing != .observer
      return (
        ChatConversationPage(
          conversation: current,
          patientName: try PeopleQueries.name(patient, in: storage) ?? "",
          messages: finds?.messages ?? page.messages, hasEarlier: page.hasEarlier,
          isFirst: before == nil, query: query, finds: finds, seen: page.seen,
          links: try links.shown(finds?.messages ?? page.messages, in: storage),
          choices: mayWrite ? try links.choices(in: storage) : [], mayWrite: mayWrite,
          account: signedIn.account.id, input: input, words: words), page.isNews
      )
    }
    try await environment.audit(authorization, count: page.messages.count, at: now)
    if isNews, before == nil, query.isEmpty, let last = page.messages.last,
      !environment.disk.isShort
    {
      let commands = ChatCommands(
        context: environment.commandContext(for: signedIn, now: now),
        accounts: environment.accounts)
      let read = page.conversation
      let isChanged = try await environment.database.write { writer in
        try commands.read(read, through: last.number, in: writer)
      }
      if isChanged { environment.sessions.forget() }
    }
    return page.response(call)
  }
}

/// A conversation: earlier messages first, the latest last, then the form.
struct ChatConversationPage: Sendable {
  let conversation: Conversation
  let patientName: String
  let messages: [ChatMessage]
  let hasEarlier: Bool
  /// True if these are the latest messages.
  let isFirst: Bool
  let query: String
  let finds: ChatFinds?
  let seen: ChatPage.Seen?
  let links: [String: ShownChatLink]
  let choices: [FieldChoice]
  let mayWrite: Bool
  let account: AccountID
  let input: ChatInput
  let words: DoseFormatter

  private var localizer: Localizer { words.localizer }
  private var address: String { "\(Address.conversations)/\(conversation.id)" }
  private var isPatientSide: Bool { conversation.standing.side == .patient }

  func response(_ call: Call) -> Response {
    var call = call
    // The new messages now count as read.
    call.facts[UnreadMessages.self] = 0
    var frame = call.frame()
    frame.title = isPatientSide ? conversation.memberName : patientName
    frame.lead =
      isPatientSide
      ? localizer.text(
        "chat.about",
        [
          "role": .text(
            localizer.text("chat.role", ["role": .text(conversation.relationship.rawValue)])),
          "name": .text(patientName),
        ]) : localizer.text("chat.with-patient")
    frame.place = .inbox
    frame.back = .init(localizer.text("chat.title"), address: Address.conversations)
    frame.hasErrors = input.isMistaken
    frame.scripts = [PageAssets.chat]
    var token = call.formToken
    token.mayAct = conversation.standing != .observer
    return call.page(frame, content(call, token), status: input.status)
  }

  private func content(_ call: Call, _ token: FormToken) -> Markup {
    let mistake = input.words(localizer)
    let field = input.photoMistake == nil ? ChatRoutes.textField : ChatPhotos.field
    let errors = mistake.map { [FieldError(field: field, message: $0)] } ?? []
    return """
      <div class="narrow stack" id="chat" data-conversation="\(conversation.id)" \
      data-patient="\(conversation.patient)"\(if: finds != nil || !isFirst, " data-still")>\
      \(ErrorSummary(errors, localizer: localizer))\
      \(ChatEmergency(region: call.knownRegion, localizer: localizer))\
      \(searched)\(earlier)\
      \(ChatLog(
        messages: messages, links: links, seen: finds == nil && isFirst ? seen : nil,
        conversation: conversation, account: account, patientName: patientName, token: token,
        isSearch: finds != nil, words: words))\
      \(later(call))\(writing(call, token, mistake))\(search)</div>
      """
  }

  // MARK: Around the messages

  private var searched: Markup {
    guard let finds else { return Markup() }
    let title = localizer.text(
      "chat.found", ["count": .number(finds.messages.count), "words": .text(query)])
    return """
      \(Notice(
        .information, title: title,
        """
        \(if: finds.isCut, "<p>\(localizer.text("chat.found-cut"))</p>")\
        <p><a href="\(address)#\(ChatRoutes.end)">\(localizer.text("chat.back"))</a></p>
        """))
      """
  }

  private var earlier: Markup {
    guard finds == nil, hasEarlier, let first = messages.first else { return Markup() }
    return ButtonRow(
      LinkButton(
        localizer.text("chat.earlier"), address: "\(address)?before=\(first.number)",
        icon: .arrowLeft
      ).markup
    ).markup
  }

  /// Returns a different address each time: for the same one, a browser would only jump.
  private func later(_ call: Call) -> Markup {
    guard finds == nil else { return Markup() }
    let link =
      isFirst
      ? LinkButton(
        localizer.text("chat.reload"),
        address: "\(address)?new=\(call.now.milliseconds)#\(ChatRoutes.end)", kind: .quiet)
      : LinkButton(
        localizer.text("chat.latest"), address: "\(address)#\(ChatRoutes.end)", icon: .chevron)
    return "\(ButtonRow(link.markup))"
  }

  private var search: Markup {
    guard conversation.lastNumber > 0 else { return Markup() }
    return Disclosure(
      localizer.text("chat.search"), isOpen: finds != nil,
      """
      <form class="form" method="get" action="\(address)" role="search">\
      \(FormField(
        ChatRoutes.searchField, label: localizer.text("chat.search-words"), kind: .search,
        value: query, maximumLength: 200, localizer: localizer))\
      \(ButtonRow(Button(localizer.text("chat.search-go"), kind: .secondary).markup))</form>
      """
    ).markup
  }

  // MARK: Writing

  private func writing(_ call: Call, _ token: FormToken, _ mistake: String?) -> Markup {
    guard mayWrite else {
      guard conversation.standing != .observer else { return Markup() }
      return Notice(
        .information, title: localizer.text("chat.ended"),
        "<p>\(localizer.text("chat.ended-help"))</p>"
      ).markup
    }
    guard finds == nil else { return Markup() }
    let event = input.event ?? call.environment.newIdentifier()
    let linked =
      choices.isEmpty
      ? Markup()
      : FormField(
        ChatRoutes.linkField, label: localizer.text("chat.link"),
        kind: .select([FieldChoice("", localizer.text("chat.link.none"))] + choices),
        value: input.link, isRequired: false, localizer: localizer
      ).markup
    let hidden: Markup =
      "<input type=\"hidden\" name=\"\(ChatRoutes.eventField)\" value=\"\(event)\">"
    return """
      <div id="chat-write" data-kept="\(localizer.text("chat.kept"))" \
      data-lost="\(localizer.text("chat.lost"))">\
      \(Form(
        action: address, token: token,
        fields: """
          \(hidden)\
          \(FormField(
            ChatRoutes.textField, label: localizer.text("chat.text"), kind: .lines(3),
            value: input.text, error: input.mistake == nil ? nil : mistake,
            maximumLength: ChatText.maximum, localizer: localizer))\(linked)
          """,
        buttons: Button(
          localizer.text("chat.send"), icon: .check, person: token.personName
        ).markup))</div>\
      \(photoForm(token, mistake, call.environment.newIdentifier()))
      """
  }

  private func photoForm(_ token: FormToken, _ mistake: String?, _ event: String) -> Markup {
    Disclosure(
      localizer.text("chat.photo-send"), isOpen: input.photoMistake != nil,
      Form(
        action: "\(address)/photo", token: token, holdsFile: true,
        fields: """
          <input type="hidden" name="\(ChatRoutes.eventField)" value="\(event)">\
          \(captionField)\
          \(FormField(
            ChatPhotos.field, label: localizer.text("chat.photo"),
            kind: .file(types: "image/jpeg,image/png"), hint: localizer.text("chat.photo-hint"),
            error: input.photoMistake == nil ? nil : mistake, localizer: localizer))
          """,
        buttons: Button(
          localizer.text("chat.photo-go"), kind: .secondary, icon: .check,
          person: token.personName
        ).markup
      ).markup
    ).markup
  }

  /// Has its own id: the other form has a field of the same name.
  private var captionField: Markup {
    """
    <div class="field"><label for="field-caption">\(localizer.text("chat.caption")) \
    <span class="optional">\(localizer.text("parts.field.optional"))</span></label>\
    <input class="input" type="text" id="field-caption" name="\(ChatRoutes.textField)" \
    maxlength="\(ChatPhotos.longestCaption)"\
    \(Markup.attribute("value", input.photoMistake == nil ? nil : input.text))></div>
    """
  }
}
