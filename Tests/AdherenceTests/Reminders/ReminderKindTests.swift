// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import Reminders

/// The differences between kinds of reminders, apart from their rules and texts.
@Suite struct ReminderKindTests {
  private static func kinds(_ isMeant: (any ReminderHandler) -> Bool) -> Set<ReminderKind> {
    Set(ReminderKind.allCases.filter { isMeant($0.handler) })
  }

  @Test func `the escalation is for doses, alarms and questions`() {
    #expect(Self.kinds { $0.climbs } == [.doses, .alarm, .warning])
  }

  @Test func `alarms and words ahead ring for an alert`() {
    #expect(Self.kinds { $0.isAlert } == [.alarm, .lead])
  }

  @Test func `what rings, or brings its own delivery, does not end as unreachable`() {
    #expect(Self.kinds { !$0.isToldOnce } == [.doses, .alarm, .lead, .test])
  }

  @Test func `quiet hours hold back later steps, and all of what has time`() {
    #expect(Self.kinds { $0.mayBeHeld(step: 0) } == [.stock, .clock])
    #expect(
      Self.kinds { $0.mayBeHeld(step: 1) } == [.doses, .alarm, .warning, .stock, .clock])
  }

  @Test func `only a test may use an address that is not proven`() {
    #expect(Self.kinds { $0.provesAddress } == [.test])
  }

  @Test func `words ahead and what has time make no noise`() {
    #expect(Self.kinds { !$0.isUrgent } == [.lead, .stock, .clock])
  }

  @Test func `what comes of someone else has no buttons`() {
    #expect(Self.kinds { !$0.hasButtons } == [.news, .nudge])
  }

  @Test(arguments: ReminderAnnouncement.allCases)
  func `programs of others can tell sorts apart`(_ sort: ReminderAnnouncement) {
    let expected: Set<ReminderKind> =
      switch sort {
      case .reminder: [.doses, .alarm]
      case .summary: [.summary]
      case .test: [.test]
      case .notice:
        Set(ReminderKind.allCases).subtracting([.doses, .alarm, .summary, .test])
      }
    #expect(Self.kinds { $0.announcement == sort } == expected)
  }

  @Test func `each kind leads to its page`() {
    let pages = Dictionary(
      uniqueKeysWithValues: ReminderKind.allCases.map { ($0, $0.page(of: "one")) })
    #expect(
      pages == [
        .doses: nil, .summary: nil, .alarm: nil, .test: "/device",
        .emergency: "/privacy/emergencies", .review: "/emergencies", .prescription: "/",
        .warning: "/heart-rate/warnings/one", .wear: "/heart-rate/warnings/one", .lead: "/",
        .news: "/caregiver-messages", .nudge: "/", .message: "/chat", .stock: "/stock", .clock: "/",
      ])
  }
}
