// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Threads that each have a connection.
///
/// libpq blocks while it waits, which the threads of Swift's tasks must not. The threads end when this object
/// is released or told to finish.
final class PostgresWorkers: Sendable {
  typealias Job = @Sendable (PostgresConnection) -> Void
  /// The maximum number of threads.
  let limit: Int
  private let queue: Queue

  /// Creates workers.
  ///
  /// - Parameter limit: the maximum number of threads, which are started as needed.
  init(name: String, limit: Int, connect: @escaping @Sendable () -> PostgresConnection) {
    self.limit = limit
    queue = Queue(name: name, limit: limit, connect: connect)
  }

  deinit {
    queue.finish(nil)
  }

  /// The number of threads that have started; each has a connection once it has had a job.
  var opened: Int { queue.opened }

  func submit(_ job: @escaping Job) {
    queue.submit(job)
  }

  /// Finishes the waiting jobs, ends the threads, then calls back.
  func finish(_ completion: @escaping @Sendable () -> Void) {
    queue.finish(completion)
  }

  /// Unchecked: all mutable state is accessed only while `condition` is locked.
  private final class Queue: @unchecked Sendable {
    private let condition = NSCondition()
    private let name: String
    private let limit: Int
    private let connect: @Sendable () -> PostgresConnection
    private var waiting: [Job] = []
    private var threads = 0
    private var idle = 0
    private var isFinished = false
    private var completions: [@Sendable () -> Void] = []

    init(name: String, limit: Int, connect: @escaping @Sendable () -> PostgresConnection) {
      self.name = name
      self.limit = limit
      self.connect = connect
    }

    var opened: Int {
      condition.lock()
      defer { condition.unlock() }
      return threads
    }

    func submit(_ job: @escaping Job) {
      condition.lock()
      defer { condition.unlock() }
      waiting.append(job)
      if idle >= waiting.count || threads == limit {
        condition.signal()
      } else {
        threads += 1
        let thread = Thread { self.work() }
        thread.name = name
        // The same stack size as the main thread: a job's body may read nested resources.
        thread.stackSize = 8 << 20
        thread.start()
      }
    }

    func finish(_ completion: (@Sendable () -> Void)?) {
      condition.lock()
      isFinished = true
      if let completion { completions.append(completion) }
      let isOver = threads == 0
      condition.broadcast()
      condition.unlock()
      if isOver { callBack() }
    }

    private func work() {
      let connection = connect()
      while let job = next() { job(connection) }
      connection.close()
      condition.lock()
      threads -= 1
      let isLast = threads == 0 && isFinished
      condition.unlock()
      if isLast { callBack() }
    }

    private func next() -> Job? {
      condition.lock()
      defer { condition.unlock() }
      while waiting.isEmpty {
        if isFinished { return nil }
        idle += 1
        condition.wait()
        idle -= 1
      }
      return waiting.removeFirst()
    }

    private func callBack() {
      condition.lock()
      let completions = self.completions
      self.completions = []
      condition.unlock()
      for completion in completions { completion() }
    }
  }
}
