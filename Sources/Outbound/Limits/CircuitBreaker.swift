// SPDX-License-Identifier: Apache-2.0

/// Leaves a host alone that fails time after time, and tries it again with one request.
///
/// Five failures in a row open it for 1, 2, 4 … 60 seconds; then one request probes the host. Its
/// success closes the circuit, its failure doubles the pause. Times are nanoseconds of a clock
/// that never goes back.
struct CircuitBreaker: Sendable {
  /// Leave to try once, to be returned with the outcome.
  struct Admission: Sendable {
    fileprivate let generation: UInt64
    let isProbe: Bool
  }

  enum Outcome: Sendable {
    case success
    case failure
    /// Nothing was learnt about the host.
    case unknown
  }

  static let failuresToOpen = 5
  static let longestPauseSeconds: UInt64 = 60
  private static let second: UInt64 = 1_000_000_000

  private enum Phase {
    case closed(failures: Int)
    case open(until: UInt64)
    case probing
  }

  private var phase = Phase.closed(failures: 0)
  /// The pause that the next opening takes.
  private var pauseSeconds: UInt64 = 1
  /// Counts phases, so that answers to requests of an earlier one change nothing.
  private var generation: UInt64 = 0

  var isClosed: Bool {
    if case .closed = phase { true } else { false }
  }

  /// How many seconds a caller should wait, nil when a request may go.
  func pauseSeconds(at now: UInt64) -> Int? {
    switch phase {
    case .closed: return nil
    case .open(let until):
      guard until > now else { return nil }
      return Int((until - now + Self.second - 1) / Self.second)
    case .probing: return 1
    }
  }

  /// Admits a request, the first one after a pause as the probe; nil while the pause lasts.
  mutating func admit(at now: UInt64) -> Admission? {
    guard pauseSeconds(at: now) == nil else { return nil }
    if case .closed = phase { return Admission(generation: generation, isProbe: false) }
    enter(.probing)
    return Admission(generation: generation, isProbe: true)
  }

  /// Takes the outcome; true when this opened the circuit or closed it.
  mutating func record(_ outcome: Outcome, of admission: Admission, at now: UInt64) -> Bool {
    guard admission.generation == generation else { return false }
    switch (phase, outcome) {
    case (.closed, .success):
      phase = .closed(failures: 0)
      return false
    case (.closed(let failures), .failure):
      guard failures + 1 >= Self.failuresToOpen else {
        phase = .closed(failures: failures + 1)
        return false
      }
      open(at: now)
      return true
    case (.probing, .success):
      pauseSeconds = 1
      enter(.closed(failures: 0))
      return true
    case (.probing, .failure):
      open(at: now)
      return false
    case (.probing, .unknown):
      // The next request probes.
      enter(.open(until: now))
      return false
    case (.closed, .unknown), (.open, _): return false
    }
  }

  private mutating func open(at now: UInt64) {
    enter(.open(until: now &+ pauseSeconds * Self.second))
    pauseSeconds = min(pauseSeconds * 2, Self.longestPauseSeconds)
  }

  private mutating func enter(_ next: Phase) {
    phase = next
    generation &+= 1
  }
}
