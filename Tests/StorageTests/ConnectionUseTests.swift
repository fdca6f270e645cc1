// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import TestSupport

@testable import Storage

/// The use of connections, derived from the operations that wait or run.
@Suite struct ConnectionUseTests {
  @Test func `operations beyond the limit wait`() {
    let unused = ConnectionUse(inProgress: 0, limit: 6, opened: 0)
    #expect(unused.busy == 0 && unused.idle == 0 && unused.waiting == 0 && unused.limit == 6)
    let some = ConnectionUse(inProgress: 2, limit: 6, opened: 5)
    #expect(some.busy == 2 && some.idle == 3 && some.waiting == 0)
    let all = ConnectionUse(inProgress: 6, limit: 6, opened: 6)
    #expect(all.busy == 6 && all.idle == 0 && all.waiting == 0)
    let more = ConnectionUse(inProgress: 9, limit: 6, opened: 6)
    #expect(more.busy == 6 && more.idle == 0 && more.waiting == 3)
  }

  @Test func `counts read at different moments do not go below zero`() {
    // A thread that has just been asked for is not counted yet.
    let early = ConnectionUse(inProgress: 3, limit: 6, opened: 2)
    #expect(early.busy == 3 && early.idle == 0 && early.waiting == 0)
    let late = ConnectionUse(inProgress: -1, limit: 6, opened: 2)
    #expect(late.busy == 0 && late.idle == 2 && late.waiting == 0)
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a write that runs is busy, and one behind it waits`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let (held, holding) = AsyncStream<Void>.makeStream()
      let release = DispatchSemaphore(value: 0)
      let running = Task {
        try await database.write { _ in
          holding.finish()
          release.wait()
        }
      }
      for await _ in held {}
      let next = Task { try await database.write { _ in } }
      while database.inProgress(.write) < 2 { await Task.yield() }
      let use = database.connectionUse(for: .write)
      #expect(use.limit == 1 && use.busy == 1 && use.idle == 0 && use.waiting == 1)
      release.signal()
      try await running.value
      try await next.value
      let after = database.connectionUse(for: .write)
      #expect(after.busy == 0 && after.waiting == 0)
      #expect(database.connectionUse(for: .read).limit > 1)
    }
  }
}
