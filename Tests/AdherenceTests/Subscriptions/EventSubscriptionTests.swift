// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage
import TestSupport
import Testing

@testable import CareTeam

/// The states of a subscription, as they follow from the results of its notifications.
@Suite struct EventSubscriptionTests {
  private static let start = Timestamp(milliseconds: 1_772_348_400_000)

  private static func subscription(
    ends: Timestamp? = nil, heartbeat: Int64? = nil
  ) -> EventSubscription {
    EventSubscription(
      id: "one", account: "account", access: StandingAccess(token: "token"), topic: .prescription,
      body: "{}", secret: "", ends: ends, heartbeat: heartbeat, at: start)
  }

  private static func active(heartbeat: Int64? = nil) -> EventSubscription {
    var subscription = subscription(heartbeat: heartbeat)
    subscription.accept(upTo: nil, at: start)
    return subscription
  }

  @Test func `an accepted handshake activates it as a new version`() {
    var one = Self.subscription()
    #expect(one.state == .requested && one.nextTry == Self.start)
    one.accept(upTo: nil, at: Self.start)
    #expect(one.state == .active && one.version == 2)
    #expect(one.nextTry == EventSubscription.never)
  }

  @Test func `events that came meanwhile are sent at once`() {
    var one = Self.subscription()
    one.events = 2
    one.accept(upTo: nil, at: Self.start)
    #expect(one.delivered == 0 && one.nextTry == Self.start)
    one.accept(upTo: 2, at: Self.start)
    #expect(one.delivered == 2 && one.nextTry == EventSubscription.never)
  }

  @Test func `a late result does not take back what was sent`() {
    var one = Self.active()
    one.events = 5
    one.accept(upTo: 5, at: Self.start)
    one.accept(upTo: 3, at: Self.start)
    #expect(one.delivered == 5)
  }

  @Test func `the heartbeat and the end decide about the next moment`() {
    let end = Self.start.adding(milliseconds: 90_000)
    var one = Self.subscription(ends: end, heartbeat: 60)
    one.accept(upTo: nil, at: Self.start)
    #expect(one.nextTry == Self.start.adding(milliseconds: 60_000))
    one.accept(upTo: nil, at: one.nextTry)
    #expect(one.nextTry == end)
  }

  @Test func `temporary failures are retried with longer pauses, and then it is in error`() {
    var one = Self.active()
    one.events = 1
    var now = Self.start
    for (index, pause) in EventSubscription.pauses.enumerated() {
      one.fail("timeout", isPermanent: false, pause: nil, at: now)
      #expect(one.state == .active && one.failures == Int64(index + 1))
      #expect(one.nextTry == now.adding(milliseconds: pause * 1_000))
      now = one.nextTry
    }
    one.fail("timeout", isPermanent: false, pause: nil, at: now)
    #expect(one.state == .error && one.trouble == "timeout")
    #expect(one.nextTry == EventSubscription.never && one.delivered == 0)
  }

  @Test func `a pause that the endpoint asks for is respected`() {
    var one = Self.active()
    one.fail("rate-limited", isPermanent: false, pause: 600, at: Self.start)
    #expect(one.nextTry == Self.start.adding(milliseconds: 600_000))
    one.fail("rate-limited", isPermanent: false, pause: 5, at: Self.start)
    #expect(one.nextTry == Self.start.adding(milliseconds: 30_000))
  }

  @Test func `a refused handshake is an error at once, a refused event at the third time`() {
    var new = Self.subscription()
    new.fail("refused", isPermanent: true, pause: nil, at: Self.start)
    #expect(new.state == .error && new.version == 2)
    var one = Self.active()
    one.fail("refused", isPermanent: true, pause: nil, at: Self.start)
    one.fail("refused", isPermanent: true, pause: nil, at: Self.start)
    #expect(one.state == .active)
    one.fail("refused", isPermanent: true, pause: nil, at: Self.start)
    #expect(one.state == .error)
  }

  @Test func `a success forgets the failures`() {
    var one = Self.active()
    one.fail("timeout", isPermanent: false, pause: nil, at: Self.start)
    one.accept(upTo: nil, at: Self.start)
    #expect(one.failures == 0 && one.trouble == nil && one.state == .active)
    #expect(one.version == 2)
  }
}
