// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import Reminders

/// The differences between kinds of reminders, apart from their rules and texts.
@Suite struct ReminderKindTests {
  private static func kinds(_ isMeant: (any ReminderHandler) -> Bool) -> Set<ReminderKind> {
    Set(ReminderKind.allCases.filter { isMeant($0.handler) })
  }

  @Test func `escalation applies to doses, alarms and questions`() {
    #expect(Self.kinds { $0.climbs } == [.doses, .alarm, .warning])
  }

  @Test func `alarms and advance notices ring for an alert`() {
    #expect(Self.kinds { $0.isAlert } == [.alarm, .lead])
  }

  @Test func `ringing alerts and those with own delivery don't end as unreachable`() {
    #expect(Self.kinds { !$0.isToldOnce } == [.doses, .alarm, .lead, .test])
  }

  @Test func `quiet hours delay later steps and everything that can wait`() {
    #expect(Self.kinds { $0.mayBeHeld(step: 0) } == [.stock, .clock])
    #expect(
      Self.kinds { $0.mayBeHeld(step: 1) } == [.doses, .alarm, .warning, .stock, .clock])
  }

  @Test func `only a test may use an unverified address`() {
    #expect(Self.kinds { $0.provesAddress } == [.test])
  }

  @Test func `advance notices and low-priority alerts are silent`() {
    #expect(Self.kinds { !$0.isUrgent } == [.lead, .stock, .clock])
  }

  @Test func `alerts about someone else have no buttons`() {
    #expect(Self.kinds { !$0.hasButtons } == [.news, .nudge])
  }

  @Test(arguments: ReminderAnnouncement.allCases)
  func `other programs can distinguish the kinds of alert`(_ sort: ReminderAnnouncement) {
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
