// SPDX-License-Identifier: Apache-2.0

/// Stops calling a host that fails repeatedly, and tries it again with one request.
///
/// Five failures in a row open it for 1, 2, 4 … 60 seconds; then one request probes the host. Success closes
/// the circuit, and failure doubles the pause. Times are nanoseconds of a monotonic clock.
struct CircuitBreaker: Sendable {
  /// Permission for one request, to be returned with its outcome.
  struct Admission: Sendable {
    fileprivate let generation: UInt64
    let isProbe: Bool
  }

  enum Outcome: Sendable {
    case success
    case failure
    /// The request says nothing about the host's health.
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
  /// The pause after the next opening, in seconds.
  private var pauseSeconds: UInt64 = 1
  /// The number of the phase, so that results of requests from an earlier phase change nothing.
  private var generation: UInt64 = 0

  var isClosed: Bool {
    if case .closed = phase { true } else { false }
  }

  /// Returns the seconds that a caller should wait; nil if a request is allowed.
  func pauseSeconds(at now: UInt64) -> Int? {
    switch phase {
    case .closed: return nil
    case .open(let until):
      guard until > now else { return nil }
      return Int((until - now + Self.second - 1) / Self.second)
    case .probing: return 1
    }
  }

  /// Admits a request, the first one after a pause as the probe; nil during the pause.
  mutating func admit(at now: UInt64) -> Admission? {
    guard pauseSeconds(at: now) == nil else { return nil }
    if case .closed = phase { return Admission(generation: generation, isProbe: false) }
    enter(.probing)
    return Admission(generation: generation, isProbe: true)
  }

  /// Records the outcome; returns true if it opened or closed the circuit.
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
      // The next request is the probe.
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
