// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import CareTeamPages
import FHIR
import Hummingbird
import Identifiers
import People
import Presentation
import Scheduling
import Storage
import TimeZones
import Web

/// `/api/v1/conversations`: the messages between a patient and the people with whom messages are shared.
package enum ConversationsAPI {
  /// The routes that list conversations, and read, send, withdraw and mark messages as seen.
  package static let all: [Route] = [
    .api(.get, path, list),
    .api(.get, "\(path)/:conversation/messages", messages),
    .api(.post, "\(path)/:conversation/messages", send),
    .api(.delete, "\(path)/:conversation/messages/:message", withdraw),
    .api(.post, "\(path)/:conversation/seen", seen),
  ]

  static let path = "/api/v1/conversations"
  private static let mostMessages = 200

  private static func reader(_ call: Call, _ signedIn: SignedIn) -> ChatReader {
    ChatReader(actor: signedIn.actor, accounts: call.environment.accounts, now: call.now)
  }

  private static func commands(_ call: Call, _ signedIn: SignedIn) -> ChatCommands {
    ChatCommands(
      context: call.environment.commandContext(for: signedIn, now: call.now),
      accounts: call.environment.accounts)
  }

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let asked = call.queryValue("patient").map { $0.replacing("Patient/", with: "") }
    if let asked, ChatStanding.of(signedIn.actor, patient: PatientID(asked)) == nil {
      throw Failure.notFound
    }
    let (reader, zones) = (reader(call, signedIn), call.environment.zones)
    let (listed, writers) = try await call.environment.database.read { storage in
      let listed = try reader.conversations(of: asked.map(PatientID.init), in: storage)
      var writers: [PatientID: ChatJSON] = [:]
      for patient in Set(listed.map(\.conversation.patient)) {
        writers[patient] = try ChatJSON(
          patient, account: signedIn.account.id, zones: zones, in: storage)
      }
      return (listed, writers)
    }
    for (patient, found) in Dictionary(grouping: listed, by: \.conversation.patient) {
      let count = found.count { $0.last != nil }
      guard count > 0 else { continue }
      let authorization = try call.authorize(.read, "Communication", of: patient)
      try await call.environment.audit(authorization, count: count, at: call.now)
    }
    return JSONResponse.make([
      "conversations": .array(listed.compactMap { writers[$0.conversation.patient]?.json($0) })
    ])
  }

  private static func messages(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let conversation = try await ChatRoutes.find(call, signedIn)
    let authorization = try call.authorize(.read, "Communication", of: conversation.patient)
    let before = try number("before", call).map { Int64($0) }
    let limit = try number("limit", call) ?? ChatReader.pageLength
    guard (1...mostMessages).contains(limit), before ?? 1 > 0 else {
      throw Failure.badRequest(
        "value", "limit must be from 1 to \(mostMessages); before must be a message's number.")
    }
    let (reader, zones) = (reader(call, signedIn), call.environment.zones)
    let (page, writer) = try await call.environment.database.read { storage in
      (
        try reader.page(of: conversation, before: before, limit: limit, in: storage),
        try ChatJSON(
          conversation.patient, account: signedIn.account.id, zones: zones, in: storage)
      )
    }
    try await call.environment.audit(authorization, count: page.messages.count, at: call.now)
    var object: JSONValue = [
      "messages": .array(page.messages.map(writer.json)), "more": .bool(page.hasEarlier),
      "open": .bool(conversation.isOpen),
    ]
    if let seen = page.seen {
      object["seen"] = [
        "number": .number(JSONNumber(seen.number)), "at": .string(writer.text(seen.at)),
      ]
    }
    return JSONResponse.make(object)
  }

  private static func number(_ name: String, _ call: Call) throws -> Int? {
    guard let text = call.queryValue(name) else { return nil }
    guard let number = Int(text) else {
      throw Failure.badRequest("value", "\(name) must be a whole number.")
    }
    return number
  }

  private static func send(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let conversation = try await ChatRoutes.find(call, signedIn)
    try MadeFor.check(conversation.patient, of: call)
    let body = try JSONBody(parsing: bytes)
    var draft = ChatDraft(
      event: try body.text("event") ?? call.environment.newIdentifier(),
      text: try body.text("text") ?? "")
    draft.written = try body.instant("at")
    if let dose = try body.text("dose") {
      guard let link = ChatLink(kind: "dose", target: dose) else { throw ChatError.link }
      draft.link = link
    } else if let warning = try body.text("warning") {
      guard let link = ChatLink(kind: "warning", target: warning) else { throw ChatError.link }
      draft.link = link
    }
    let (commands, ready) = (commands(call, signedIn), draft)
    let zones = call.environment.zones
    let response = try await IdempotentWrite.perform(call, signedIn, body: bytes) { storage in
      let sent = try commands.send(ready, to: conversation.id, in: storage)
      let writer = try ChatJSON(
        conversation.patient, account: signedIn.account.id, zones: zones, in: storage)
      // The answer is stored unencrypted next to the key, so it contains no text of the message.
      return WrittenAnswer(status: sent.isNew ? 201 : 200, json: writer.receipt(sent.message))
    }
    call.environment.sessions.forget()
    return response
  }

  private static func withdraw(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let conversation = try await ChatRoutes.find(call, signedIn)
    let (commands, message) = (commands(call, signedIn), MessageID(try call.parameter("message")))
    let response = try await IdempotentWrite.perform(call, signedIn, body: []) { writer in
      try commands.withdraw(message, in: conversation.id, writer)
      return .nothing
    }
    call.environment.sessions.forget()
    return response
  }

  private static func seen(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let conversation = try await ChatRoutes.find(call, signedIn)
    guard let number = try JSONBody(parsing: bytes).integer("number"), number > 0 else {
      throw Failure.wrong("number", "must be a message's number")
    }
    let commands = commands(call, signedIn)
    let response = try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      _ = try commands.read(conversation, through: Int64(number), in: writer)
      return .nothing
    }
    call.environment.sessions.forget()
    return response
  }
}

/// Conversations and messages as JSON, with times in the patient's zone.
struct ChatJSON: Sendable {
  private let account: AccountID
  private let writer: DoseJSON

  init(
    _ patient: PatientID, account: AccountID, zones: ZoneCatalog, in reader: any SQLReader
  ) throws {
    self.account = account
    writer = DoseJSON(zone: try PeopleQueries.zone(patient, zones: zones, in: reader))
  }

  func text(_ instant: Timestamp) -> String { writer.text(instant) }

  func json(_ listed: ListedConversation) -> JSONValue {
    let conversation = listed.conversation
    var object: JSONValue = [
      "id": .string(conversation.id.text), "patient": .string(conversation.patient.text),
      "member": [
        "name": .string(conversation.memberName),
        "relationship": .string(conversation.relationship.rawValue),
      ],
      "side": .string(conversation.standing.side.rawValue), "open": .bool(conversation.isOpen),
      "unread": .number(JSONNumber(listed.unread)),
    ]
    object["last"] = listed.last.map(json)
    return object
  }

  /// Returns a receipt for a message, without its text.
  func receipt(_ message: ChatMessage) -> JSONValue {
    [
      "id": .string(message.id.text), "conversation": .string(message.conversation.text),
      "patient": .string(message.patient.text), "number": .number(JSONNumber(message.number)),
      "event": .string(message.event), "sent": .string(text(message.sent)),
      "written": .string(text(message.written)),
    ]
  }

  func json(_ message: ChatMessage) -> JSONValue {
    message.json(
      isOwn: message.sender == account,
      photo: MessagePhoto.address(of: message.id, in: message.conversation), instant: text)
  }
}
