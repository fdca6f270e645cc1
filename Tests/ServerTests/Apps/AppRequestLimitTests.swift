// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Web

/// The number of requests that an app may send in the name of an account.
@Suite struct AppRequestLimitTests {
  @Test func `the limit is for one app, account and minute`() {
    let limit = AppRequestLimit(most: 2)
    let begin = Timestamp(milliseconds: 1_772_348_400_000)
    let later = begin.adding(milliseconds: 20_500)
    #expect(limit.wait(of: AppID("tracker"), for: AccountID("ann"), at: begin) == nil)
    #expect(limit.wait(of: AppID("tracker"), for: AccountID("ann"), at: begin) == nil)
    for _ in 0..<3 {
      #expect(limit.wait(of: AppID("tracker"), for: AccountID("ann"), at: later) == 40)
    }
    #expect(limit.wait(of: AppID("tracker"), for: AccountID("bob"), at: later) == nil)
    #expect(limit.wait(of: AppID("diary"), for: AccountID("ann"), at: later) == nil)
    let next = begin.adding(milliseconds: 60_000)
    #expect(limit.wait(of: AppID("tracker"), for: AccountID("ann"), at: next) == nil)
  }

  @Test func `an app that sends too many requests hears when to go on`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let tokens = try await house.exchange(try await house.code()).json()
      let bearer = house.bearer(try #require(tokens["access_token"]?.string))
      let path = "/fhir/Patient/\(house.account.patient)"
      #expect(try await harness.send(.get, path, bearer).status == .ok)
      for _ in 0..<AppRequestLimit.usual {
        _ = harness.environment.appRequests.wait(
          of: AppID(house.app), for: house.account.id, at: harness.clock.now)
      }
      let refused = try await harness.send(.get, path, bearer)
      #expect(refused.status == .tooManyRequests)
      let seconds = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
      #expect((1...60).contains(seconds))
      // The person who connected it is not held up.
      #expect(try await house.browser.open("/me/apps").status == .ok)
      harness.clock.advance(minutes: 1)
      #expect(try await harness.send(.get, path, bearer).status == .ok)
    }
  }
}
