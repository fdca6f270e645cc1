// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Encodings
import Identifiers
import Localization
import People
import Plans
import Presentation
import Reminders
import Scheduling
import Storage
import Web

/// The effect of a message from a number or a chat, in one transaction.
struct ReplyHandling: Sendable {
  /// The way by which a message came.
  enum Way: String, Sendable {
    case text, call, chat
  }

  /// The place that a text is said back to.
  struct Place: Sendable {
    /// The chat service with a colon; empty for a phone number.
    let service: String
    /// The number or the chat.
    let name: String
  }

  let environment: ServerEnvironment
  /// The identifier of the message, the same when it comes again.
  let id: String
  /// The text, a key, or the number of a button.
  let text: String
  let way: Way
  /// The digest of the number or the chat.
  let sender: [UInt8]
  /// The place to which what is said back is sent; nil if the answer to the request carries it.
  let place: Place?
  /// The reminder that a call or a button was about; nil for a text.
  let delivery: DeliveryID?
  let now: Timestamp

  /// What is said back.
  struct Outcome: Sendable {
    /// The words; nil to say nothing.
    var words: String?
    var language = Language.en
    /// True if a call waits for another key.
    var asksAgain = false
    /// The person whose doses changed.
    var changed: PatientID?
  }

  /// Returns the outcome; nothing for a stranger, and for a sender of too many messages.
  func heard() async throws -> Outcome {
    let senders = try await environment.database.read { reader in
      try Replies.senders(sender, in: reader)
    }
    guard !senders.isEmpty else { return Outcome() }
    let key = environment.accounts.attemptKey("reply", Hexadecimal.encode(sender))
    do {
      try await environment.codeThrottle.admit([.texts(key)], at: now)
    } catch AccountError.tooManyAttempts(_) {
      return Outcome()
    }
    let outcome = try await run()
    if let changed = outcome.changed { environment.live.changed(changed) }
    if outcome.words != nil { environment.live.reminders.ring() }
    return outcome
  }

  /// Records an answer, or says why not; a message that was received before changes nothing.
  private func run() async throws -> Outcome {
    do {
      return try await environment.database.write { writer in
        try handle(in: writer, mayAnswer: true)
      }
    } catch AnswerError.confirm(_) {
      // All of it was rolled back: a possible double dose needs more than one word.
      return try await environment.database.write { writer in
        try handle(in: writer, mayAnswer: false)
      }
    }
  }

  private func handle(in writer: any SQLWriter, mayAnswer: Bool) throws -> Outcome {
    let senders = try Replies.senders(sender, in: writer)
    guard let account = senders.first?.account,
      try Replies.receive(id, from: sender, at: now, in: writer)
    else { return Outcome() }
    let open = try Replies.open(
      sender, delivery: delivery, at: now, zones: environment.zones, in: writer)
    // A key or a button belongs to its own reminder, whatever was asked before.
    let talk = delivery == nil ? try Replies.talk(sender, at: now, in: writer) : ReplyTalk()
    let decision = ReplyDecision.make(
      ReplyWords.read(text), open: open, talk: talk,
      isStopped: senders.allSatisfy(\.isStopped))
    let chosen = try environment.accounts.account(account, in: writer)?.language
    let language = open.first?.language ?? chosen ?? .en
    let localizer = Localizer.of(language)
    var next = ReplyTalk()
    var outcome = Outcome(language: language)
    switch decision {
    case .answer(let offer, let action):
      outcome.words =
        mayAnswer
        ? try answer(offer, action, localizer, in: writer) : localizer.text("replies.check")
      outcome.changed = mayAnswer ? offer.patient : nil
    case .ask(let offers, let action):
      next.action = action
      next.listed = offers.map(\.subject)
      outcome.words = try question(offers, account, localizer, in: writer)
      outcome.asksAgain = true
    case .explain:
      next = talk
      next.misread += 1
      outcome.words = localizer.text(way == .call ? "replies.keys" : "replies.again")
      outcome.asksAgain = true
    case .over: outcome.words = localizer.text("replies.over")
    case .stop: try Replies.stop(sender, senders, at: now, in: writer)
    case .start:
      if try Replies.start(sender, senders, at: now, in: writer) {
        outcome.words = localizer.text("replies.started")
      }
    case .silence: next = talk
    }
    try Replies.keep(next, of: sender, account: account, at: now, in: writer)
    if let place, let words = outcome.words {
      try ReplyTexts.queue(
        ReplyText(
          id: environment.newIdentifier(), service: place.service, to: place.name, words: words),
        account: account, cipher: environment.accounts.cipher, at: now, in: writer)
    }
    return outcome
  }

  // MARK: An answer

  /// Records an answer in the recipient's name and returns the confirmation, which names no medicine.
  private func answer(
    _ offer: OpenReply, _ action: AnswerAction, _ localizer: Localizer, in writer: any SQLWriter
  ) throws -> String {
    guard
      let holder = try environment.accounts.holder(
        offer.recipient, of: offer.patient, at: now, in: writer)
    else { return localizer.text("replies.over") }
    // The number acts for the account, but only for this person.
    let actor = Actor(
      accountID: holder.account, kind: .token, rights: [offer.patient: holder.right], scope: .own)
    let by = localizer.text(
      "replies.by",
      ["name": .text(holder.displayName), "way": .text(way.rawValue)])
    let context = environment.commandContext(for: actor, byName: by, now: now)
    var times: [Timestamp] = []
    var isRefused = false
    for (dose, due) in zip(offer.open, offer.due) {
      if action == .later, try LaterChoices.asksWhy(dose, patient: offer.patient, in: writer) {
        isRefused = true
        continue
      }
      do throws(AnswerError) {
        _ = try ConfirmedAnswer.answer(
          dose, patient: offer.patient,
          AnswerRequest(
            action: action, minutes: action == .later ? ActionLinks.laterMinutes : nil),
          asked: [], context: context, in: writer)
        times.append(due)
      } catch {
        switch error {
        case .answered, .stale, .cancelled: continue
        case .invalid(.minutesOutOfRange): isRefused = true
        case .confirm: throw error
        default: throw error.failure
        }
      }
    }
    guard !times.isEmpty else {
      return localizer.text(isRefused ? "replies.no-later" : "replies.over")
    }
    return localizer.text(
      "replies.logged",
      [
        "action": .text(action.rawValue), "times": .text(moments(times, offer, localizer)),
        "minutes": .number(ActionLinks.laterMinutes),
      ])
  }

  private func moments(
    _ times: [Timestamp], _ offer: OpenReply, _ localizer: Localizer
  ) -> String {
    let words = DoseFormatter(localizer: localizer, zone: offer.zone, now: now)
    var said: [String] = []
    for time in times.map(words.moment) where said.last != time { said.append(time) }
    return localizer.list(said)
  }

  // MARK: A question

  /// Returns the question which of several reminders is meant, with a number for each.
  private func question(
    _ offers: [OpenReply], _ account: AccountID, _ localizer: Localizer, in reader: any SQLReader
  ) throws -> String {
    let patients = Set(offers.map(\.patient))
    let rights = try environment.accounts.rights(of: account, at: now, in: reader)
    let people =
      patients.count > 1 || rights.count > 1
      ? try PeopleQueries.named(patients.sorted(), in: reader) : [:]
    var list: [String] = []
    for (index, offer) in offers.enumerated() {
      let person = people[offer.patient].flatMap { $0.label.text(of: $0.name, localizer) }
      list.append(
        localizer.text(
          "replies.item",
          [
            "number": .text(String(index + 1)), "person": .text(person ?? "none"),
            "times": .text(moments(offer.due, offer, localizer)),
          ]))
    }
    return localizer.text("replies.which", ["list": .text(list.joined(separator: " "))])
  }
}
