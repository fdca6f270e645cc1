// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

@testable import DosePages
@testable import Reminders

/// What a message means, and what it leads to.
@Suite struct ReplyDecisionTests {
  @Test(arguments: Language.allCases)
  func `the words of a language mean one thing each`(language: Language) {
    for action in [AnswerAction.taken, .later, .skipped] {
      let words = ReplyWords.words(action, in: language)
      #expect(words.count >= 2)
      for word in words {
        #expect(ReplyWords.read("  \(word.uppercased())! ") == .answer(action), "\(word)")
      }
    }
  }

  @Test func `no word means two things`() {
    var meanings: [String: AnswerAction] = [:]
    for language in Language.allCases {
      for action in AnswerAction.allCases {
        for word in ReplyWords.words(action, in: language) {
          let folded = ReplyWords.folded(word)
          #expect(!folded.isEmpty)
          #expect(meanings[folded] == nil || meanings[folded] == action, "\(word)")
          meanings[folded] = action
        }
      }
    }
    #expect(ReplyWords.read("STOP") == .stop && ReplyWords.read("start") == .start)
  }

  @Test(arguments: [
    ("1", Reply.number(1)), (" 2. ", .number(2)), ("๓", .number(3)), ("12", .number(12)),
    ("", .unknown), ("1 2", .unknown), ("123", .unknown), ("no", .unknown), ("🎉", .unknown),
    ("ALDIM", .answer(.taken)), ("Überspringen", .answer(.skipped)),
    ("uberspringen", .answer(.skipped)), ("ikke enna", .answer(.later)),
  ])
  func `a text is read`(text: String, reply: Reply) {
    #expect(ReplyWords.read(text) == reply)
  }

  private static func offer(_ id: String) -> OpenReply {
    OpenReply(
      delivery: DeliveryID(id), subject: ReminderID(id), patient: PatientID("ann"),
      recipient: AccountID("ann"), open: [],
      due: [], language: .en, zone: .utc)
  }

  /// Returns a decision as a word.
  private static func decide(
    _ reply: Reply, _ open: [String], talk: ReplyTalk = ReplyTalk(), isStopped: Bool = false
  ) -> String {
    switch ReplyDecision.make(
      reply, open: open.map(offer), talk: talk, isStopped: isStopped)
    {
    case .answer(let offer, let action): "\(offer.delivery) \(action.rawValue)"
    case .ask(let offers, let action): "ask \(offers.count) \(action.rawValue)"
    case .explain: "explain"
    case .over: "over"
    case .stop: "stop"
    case .start: "start"
    case .silence: "silence"
    }
  }

  @Test func `an answer goes to the only reminder`() {
    #expect(Self.decide(.number(1), ["a"]) == "a taken")
    #expect(Self.decide(.number(2), ["a"]) == "a later")
    #expect(Self.decide(.answer(.skipped), ["a"]) == "a skipped")
    #expect(Self.decide(.answer(.taken), []) == "over")
    #expect(Self.decide(.answer(.taken), ["a", "b"]) == "ask 2 taken")
    #expect(Self.decide(.answer(.taken), (0..<20).map(String.init)) == "ask 9 taken")
  }

  @Test func `a number answers the question about numbered reminders`() {
    var talk = ReplyTalk()
    talk.action = .skipped
    talk.listed = [ReminderID("a"), ReminderID("b")]
    #expect(Self.decide(.number(2), ["b", "a"], talk: talk) == "b skipped")
    #expect(Self.decide(.number(2), ["a"], talk: talk) == "over")
    #expect(Self.decide(.number(3), ["a", "b"], talk: talk) == "explain")
    #expect(Self.decide(.number(0), ["a", "b"], talk: talk) == "explain")
    #expect(Self.decide(.answer(.later), ["a", "b"], talk: talk) == "ask 2 later")
    talk.listed = []
    #expect(Self.decide(.number(1), ["a"], talk: talk) == "explain")
  }

  @Test func `nothing is said for ever`() {
    var talk = ReplyTalk()
    #expect(Self.decide(.unknown, ["a"], talk: talk) == "explain")
    talk.misread = 2
    #expect(Self.decide(.unknown, ["a"], talk: talk) == "silence")
    #expect(Self.decide(.number(7), ["a"], talk: talk) == "silence")
    #expect(Self.decide(.number(1), ["a"], talk: talk) == "a taken")
    #expect(Self.decide(.unknown, []) == "silence")
    #expect(Self.decide(.answer(.taken), ["a"], isStopped: true) == "silence")
    #expect(Self.decide(.stop, ["a"], isStopped: true) == "stop")
    #expect(Self.decide(.start, [], isStopped: true) == "start")
  }
}
