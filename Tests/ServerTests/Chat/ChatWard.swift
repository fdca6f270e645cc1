// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import NIOCore
import Testing
import TestSupport

@testable import CareTeam
@testable import Storage
@testable import Web

/// Ann and her doctor, who write to each other, and Finn of the family.
struct ChatWard: Sendable {
  let harness: ServerHarness
  let ann: Account
  let dora: Account
  let finn: Account
  /// The conversation of Ann and the doctor.
  let conversation: ConversationID

  static func make(
    _ harness: ServerHarness,
    sharing categories: Set<DataCategory> = Set(DataCategory.allCases)
  ) async throws -> ChatWard {
    let ann = try await harness.makeAccount("Ann")
    let dora = try await harness.makeAccount("Dora")
    let finn = try await harness.makeAccount("Finn")
    let ward = ChatWard(
      harness: harness, ann: ann, dora: dora, finn: finn,
      conversation: Conversation.id(patient: ann.patient, member: dora.id))
    try await ward.grant(.practitioner, to: dora, categories: categories)
    try await ward.grant(.family, to: finn, categories: [.messages])
    return ward
  }

  func grant(
    _ relationship: Relationship, of patient: PatientID? = nil, to account: Account,
    categories: Set<DataCategory> = [.messages], ended: Bool = false
  ) async throws {
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    let patient = patient ?? ann.patient
    try await harness.environment.database.write { writer in
      try accounts.grant(
        relationship, of: patient, to: account.id, from: now.adding(milliseconds: -1000),
        categories: categories, until: ended ? now : nil, in: writer)
    }
    harness.environment.sessions.forget()
  }

  /// Returns a browser on a person's pages.
  func browser(_ account: Account, at patient: PatientID? = nil) async throws -> Browser {
    var browser = try await harness.session(of: account)
    browser.person = patient ?? ann.patient
    return browser
  }

  var address: String { "/chat/\(conversation)" }
  var messagesPath: String { "/api/v1/conversations/\(conversation)/messages" }

  static let event = "6f3a5f0e-1111-4222-8333-0123456789ab"

  /// Sends over the API and returns the answer.
  func send(
    _ text: String, by account: Account, event: String? = nil, more: [String: JSONValue] = [:]
  ) async throws -> TestResponse {
    var body: JSONValue = ["text": .string(text)]
    body["event"] = event.map(JSONValue.string)
    for (name, value) in more { body[name] = value }
    return try await harness.send(
      .post, messagesPath, harness.token(of: account), json: body)
  }

  /// Returns the messages as an account reads them.
  func messages(_ account: Account) async throws -> [JSONValue] {
    let answer = try await harness.send(.get, messagesPath, harness.token(of: account))
    #expect(answer.status == .ok, "\(answer.text)")
    return try #require(try answer.json()["messages"]?.array)
  }

  func texts(_ account: Account) async throws -> [String] {
    try await messages(account).compactMap { $0["text"]?.string }
  }

  /// Adds a device of an account.
  func subscribe(_ account: Account, _ name: String) async throws {
    let answer = try await harness.send(
      .post, "/api/v1/push-subscriptions", harness.token(of: account),
      json: Person.subscription(name))
    #expect(answer.status == .created, "\(answer.text)")
  }

  /// A small PNG image.
  static let picture =
    Data(
      base64Encoded: """
        iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E\
        rkJggg==
        """
    ).map { Array($0) } ?? []

  /// Sends a photo as a page does.
  func sendPhoto(
    _ file: [UInt8], caption: String = "", event: String = ChatWard.event, by browser: Browser
  ) async throws -> TestResponse {
    var body: [UInt8] = []
    func part(_ name: String, _ content: [UInt8], fileName: String? = nil) {
      let file = fileName.map { "; filename=\"\($0)\"" } ?? ""
      body += "--limit\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n".utf8
      body += content + Array("\r\n".utf8)
    }
    part(ForgeryGuard.field, Array(browser.formToken.utf8))
    if let person = browser.person { part(PersonChoice.guardField, Array(person.text.utf8)) }
    part("event", Array(event.utf8))
    part("text", Array(caption.utf8))
    part("photo", file, fileName: "x.png")
    body += "--limit--\r\n".utf8
    var headers = browser.headers
    headers[.contentType] = "multipart/form-data; boundary=limit"
    return try await harness.client.executeRequest(
      uri: "\(address)/photo", method: .post, headers: headers, body: ByteBuffer(bytes: body))
  }

  /// Returns everything that is stored as text, including the bytes of blobs.
  func everythingStored() async throws -> String {
    let catalogue = harness.environment.database.catalogue
    return try await harness.environment.database.read { reader in
      var found = ""
      for table in try catalogue.tables(in: reader) {
        var select: SQLText = "SELECT "
        select.appendIdentifiers(table.columns)
        select.append(" FROM ")
        select.appendIdentifiers([table.name])
        for row in try reader.query(dynamic: select, []) {
          for index in table.columns.indices {
            switch row[index] {
            case .text(let text): found += text + "\n"
            case .blob(let bytes): found += String(decoding: bytes, as: UTF8.self) + "\n"
            default: break
            }
          }
        }
      }
      return found
    }
  }
}
