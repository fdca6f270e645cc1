// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Reminders

/// What a message from a number leads to: a pure function of the message and of what is open.
enum ReplyDecision: Sendable {
  /// Answers one reminder.
  case answer(OpenReply, AnswerAction)
  /// Asks which of several reminders an answer is for.
  case ask([OpenReply], AnswerAction)
  /// Says how to answer, because the message said nothing.
  case explain
  /// Says that there is nothing left to answer.
  case over
  case stop, start
  /// Says nothing, so that no two machines talk to each other for ever.
  case silence

  /// The maximum number of messages without meaning that are answered.
  static let mostExplained = 2
  /// The maximum number of reminders in a list.
  static let mostListed = 9

  /// Decides about a message.
  ///
  /// - Parameters:
  ///   - open: The reminders that the number can still answer, the latest first.
  ///   - talk: What the last message left open.
  ///   - isStopped: True if the number asked for no more messages.
  static func make(
    _ reply: Reply, open: [OpenReply], talk: ReplyTalk, isStopped: Bool
  ) -> ReplyDecision {
    switch reply {
    case .stop: return .stop
    case .start: return .start
    case .answer, .number, .unknown: if isStopped { return .silence }
    }
    if case .number(let number) = reply, let action = talk.action {
      guard talk.listed.indices.contains(number - 1) else { return unread(open, talk) }
      let chosen = talk.listed[number - 1]
      return open.first { $0.subject == chosen }.map { .answer($0, action) } ?? .over
    }
    let action: AnswerAction?
    switch reply {
    case .answer(let meant): action = meant
    case .number(let number): action = Reply.action(number)
    case .stop, .start, .unknown: action = nil
    }
    guard let action else { return unread(open, talk) }
    guard let first = open.first else { return .over }
    return open.count == 1 ? .answer(first, action) : .ask(Array(open.prefix(mostListed)), action)
  }

  private static func unread(_ open: [OpenReply], _ talk: ReplyTalk) -> ReplyDecision {
    open.isEmpty || talk.misread >= mostExplained ? .silence : .explain
  }
}
