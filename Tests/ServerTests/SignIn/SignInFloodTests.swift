// SPDX-License-Identifier: Apache-2.0

import Accounts
import Dispatch
import HTTPTypes
import Hummingbird
import NIOCore
import Testing
import TestSupport

@testable import Web

/// Signing in while others send guesses in parallel.
@Suite struct SignInFloodTests {
  /// Sends the sign-in form from a network and returns the status of the answer.
  private static func post(
    _ harness: ServerHarness, _ responder: RouterResponder<RegimenContext>, _ email: String,
    _ password: String, from peer: String
  ) async throws -> HTTPResponse.Status {
    let form = "email=\(QueryText.encode(email))&password=\(QueryText.encode(password))"
    let answer = try await harness.respond(
      "/sign-in", host: "localhost", peer: peer,
      [.contentType: "application/x-www-form-urlencoded"], method: .post,
      body: ByteBuffer(string: form), to: responder)
    return answer.status
  }

  /// Waits until the gate has begun a number of checks and a number of visitors are in its queue.
  private static func wait(for gate: PasswordGate, begun: Int, queued: Int) async throws {
    for _ in 0..<60_000 {
      let state = (await gate.begun, await gate.queued)
      if state == (begun, queued) { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("The gate did not get to \(begun) checks with \(queued) visitors waiting")
  }

  @Test func `sixty guesses delay a sign-in from another network by at most one check`()
    async throws
  {
    let gate = PasswordGate()
    try await ServerHarness.run(gate: gate) { harness in
      let house = try await AccountSecurityHouse(harness)
      let responder = try harness.responder()
      // The first check of the flood lasts until the sign-in is in the queue.
      let (first, next) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let flood = "192.0.2.7"
      let before = await gate.begun + 1
      let held = Task {
        try await gate.run(as: PasswordVisitor(.stranger, from: flood, account: "held")) {
          _ = first.wait(timeout: .now() + 600)
        }
      }
      try await Self.wait(for: gate, begun: before, queued: 0)
      let guesses = Task {
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
          for number in 0..<60 {
            group.addTask {
              try await Self.post(
                harness, responder, "nobody-\(number)@example.org", "seven green bicycles",
                from: flood)
            }
          }
          var statuses: [HTTPResponse.Status] = []
          for try await status in group { statuses.append(status) }
          return statuses
        }
      }
      try await Self.wait(for: gate, begun: before, queued: 8)
      let own = Task {
        try await Self.post(
          harness, responder, house.account.email, AccountSecurityHouse.password,
          from: "198.51.100.7")
      }
      try await Self.wait(for: gate, begun: before, queued: 9)
      // A third network, whose check stops the queue so that checks can be counted.
      let after = Task {
        try await gate.run(as: PasswordVisitor(.stranger, from: "203.0.113.7", account: "after")) {
          _ = next.wait(timeout: .now() + 600)
        }
      }
      try await Self.wait(for: gate, begun: before, queued: 10)
      first.signal()
      let status = try await own.value
      let begun = await gate.begun - before
      next.signal()
      #expect(status == .seeOther)
      #expect(begun <= 2, "its own check, and at most one further check")
      let statuses = try await guesses.value
      #expect(statuses.count { $0 == .tooManyRequests } == 52, "refused before any work")
      #expect(statuses.count { $0 == .unprocessableContent } == 8)
      try await held.value
      try await after.value
    }
  }
}
