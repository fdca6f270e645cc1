// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Web

/// The patients that a stream of a very large panel reads when it is woken.
@Suite struct PanelStreamTests {
  @Test func `a wake names whose data changed, a tick applies to everyone`() throws {
    let live = LiveEvents()
    let stream = try #require(live.open(account: "doctor", patients: ["ann", "bob", "eve"]))
    let other = try #require(live.open(account: "other", patients: ["bob"]))
    // The first read covers everyone.
    #expect(live.taken(by: stream) == nil && live.taken(by: other) == nil)
    #expect(live.taken(by: stream) == [])
    live.wakeStreams(of: ["ann"])
    live.wakeStreams(of: ["eve", "stranger"])
    #expect(live.taken(by: stream)?.isSuperset(of: ["ann", "eve"]) == true)
    #expect(live.taken(by: stream) == [] && live.taken(by: other) == [])
    live.wake(stream)
    #expect(live.taken(by: stream) == nil && live.taken(by: other) == [])
    // A change by another node without names may concern anyone.
    live.heard(SharedChange(patients: nil, wakesReminders: false))
    #expect(live.taken(by: stream) == nil && live.taken(by: other) == nil)
    live.close(stream)
    #expect(live.taken(by: stream) == nil)
  }
}
