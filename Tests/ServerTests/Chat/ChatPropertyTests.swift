// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage
import Testing
import TestSupport

@testable import CareTeam
@testable import People
@testable import Web

/// Any order of sending, resending, reading, withdrawing, and of grants that end and begin, against
/// a model without rows.
@Suite struct ChatPropertyTests {
  private struct Model {
    struct Message {
      let text: String
      let isMembers: Bool
      var isWithdrawn = false
    }
    var messages: [Message] = []
    var isOpen = true
    /// The number of messages that each has read.
    var read = ["ann": 0, "dora": 0]

    /// Returns false for a grant that ended before it began.
    func isSeen(by name: String) -> Bool { isOpen || (name == "ann" && !messages.isEmpty) }

    func unread(_ name: String) -> Int {
      messages.dropFirst(read[name] ?? 0)
        .count { $0.isMembers == (name == "ann") && !$0.isWithdrawn }
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `messages arrive once, in order, and not for removed people`(seed: UInt64) async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      var random = SeededGenerator(seed: seed)
      var model = Model()
      var events: [(name: String, event: String, number: Int)] = []
      for step in 0..<120 {
        harness.clock.advance(minutes: 10)
        let name = Bool.random(using: &random) ? "ann" : "dora"
        let account = name == "ann" ? ward.ann : ward.dora
        let mayRead = model.isSeen(by: name)
        let commands = try await self.commands(ward, account)
        let conversation = ward.conversation
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          model.isOpen.toggle()
          try await ward.grant(.practitioner, to: ward.dora, ended: !model.isOpen)
          harness.clock.advance(milliseconds: 1)
        case 1, 2:
          let number = try? await harness.environment.database.write { writer in
            let reader = ChatReader(
              actor: commands.context.actor, accounts: commands.accounts,
              now: commands.context.now)
            guard let found = try reader.conversation(conversation, in: writer) else {
              throw ChatError.notFound
            }
            _ = try commands.read(found, through: found.lastNumber, in: writer)
            return found.lastNumber
          }
          #expect((number != nil) == mayRead)
          if mayRead { model.read[name] = model.messages.count }
        case 3 where !events.isEmpty:
          guard let one = events.randomElement(using: &random) else { break }
          let isOwn = one.name == name
          let id = try await id(ward, number: one.number)
          let isDone =
            (try? await harness.environment.database.write { writer in
              try commands.withdraw(id, in: conversation, writer)
              return true
            }) ?? false
          #expect(isDone == (mayRead && isOwn))
          if isDone { model.messages[one.number - 1].isWithdrawn = true }
        case 4 where !events.isEmpty:
          guard let one = events.randomElement(using: &random), one.name == name else { break }
          let again = try? await harness.environment.database.write { writer in
            try commands.send(
              ChatDraft(event: one.event, text: "again \(step)"), to: conversation, in: writer)
          }
          #expect((again != nil) == mayRead)
          #expect(again.map { !$0.isNew && $0.message.number == Int64(one.number) } ?? true)
        default:
          let event = harness.environment.newIdentifier()
          let sent = try? await harness.environment.database.write { writer in
            try commands.send(
              ChatDraft(event: event, text: "words \(step)"), to: conversation, in: writer)
          }
          #expect((sent != nil) == model.isOpen)
          guard sent != nil else { break }
          model.messages.append(.init(text: "words \(step)", isMembers: name == "dora"))
          events.append((name, event, model.messages.count))
        }
        try await compare(model, ward)
      }
    }
  }

  private func commands(_ ward: ChatWard, _ account: Account) async throws -> ChatCommands {
    let (environment, now) = (ward.harness.environment, ward.harness.clock.now)
    let rights = try await environment.database.read { reader in
      try environment.accounts.rights(of: account.id, at: now, in: reader)
    }
    let actor = Actor(accountID: account.id, kind: .session, rights: rights, scope: .session)
    return ChatCommands(
      context: environment.commandContext(for: actor, byName: account.displayName, now: now),
      accounts: environment.accounts)
  }

  private func id(_ ward: ChatWard, number: Int) async throws -> MessageID {
    let row = try await ward.harness.environment.database.read { reader in
      try reader.first("SELECT message FROM chat_messages WHERE number = $1", [SQLValue(number)])
    }
    return try #require(row).id(0)
  }

  private func compare(_ model: Model, _ ward: ChatWard) async throws {
    for (name, account) in [("ann", ward.ann), ("dora", ward.dora)] {
      let commands = try await commands(ward, account)
      let reader = ChatReader(
        actor: commands.context.actor, accounts: commands.accounts, now: commands.context.now)
      let conversation = ward.conversation
      let (found, people) = try await ward.harness.environment.database.read { storage in
        (
          try reader.conversation(conversation, in: storage).map {
            try reader.page(of: $0, limit: 500, in: storage).messages
          },
          try ReachedPerson.granted(
            to: account.id, openedSince: reader.now, at: reader.now, in: storage
          ).people
        )
      }
      let counts = Dictionary(uniqueKeysWithValues: people.map { ($0.person.patient, $0.unread) })
      let unread = ChatReader.unread(of: reader.actor, among: counts)
      guard model.isSeen(by: name) else {
        #expect(found == nil && unread == 0)
        continue
      }
      let messages = try #require(found)
      #expect(messages.map(\.text) == model.messages.map { $0.isWithdrawn ? "" : $0.text })
      #expect(messages.map(\.number) == (0..<model.messages.count).map { Int64($0 + 1) })
      #expect(unread == model.unread(name), "\(name)")
    }
  }
}
