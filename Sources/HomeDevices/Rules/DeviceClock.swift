// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// The judgement of a device's times: a pure value.
///
/// A report with the time of sending, or a heartbeat, shows by how much the device's clock is ahead. A clock that is
/// wrong by minutes is not used to date events; they count only if they came without delay. A report that may have
/// waited at a broker, or been delivered before, shows nothing about the clock: its own time of sending dates what has
/// no other time.
package struct DeviceClock: Sendable, Hashable {
  /// A comparison of a device's clock with the server's.
  package struct Comparison: Sendable, Hashable {
    /// The start of the device for which it holds.
    let boot: String
    /// The milliseconds by which the device's clock was ahead.
    let skew: Int64
    /// The time of the comparison.
    let at: Timestamp

    /// The time that the device's clock showed.
    var shown: Timestamp { at.adding(milliseconds: skew) }
  }

  /// The judgement of one event's time.
  package enum Judgement: Sendable, Hashable {
    case at(Timestamp)
    case unknown(DeviceReason)
  }

  /// The most milliseconds by which a clock that is used may be wrong.
  static let rightWithin: Int64 = 5 * 60_000
  /// The most milliseconds between an event and its report if the clock cannot be used, and the most by which an event
  /// may seem to lie in the future.
  static let withoutDelay: Int64 = 2 * 60_000
  /// The age in milliseconds up to which events are judged.
  static let oldest: Int64 = 7 * 24 * 3_600_000
  /// The milliseconds for which a comparison holds.
  private static let comparisonHolds: Int64 = 24 * 3_600_000

  /// The time at which the report arrived.
  let received: Timestamp
  /// The milliseconds by which the device's clock is ahead; nil if that is not known.
  let skew: Int64?
  /// The comparison to keep; nil if the report allowed none.
  let comparison: Comparison?
  /// True if the report may have been sent long before it arrived.
  let mayBeLate: Bool
  /// The time of sending by the device's clock; nil if it did not say.
  let sent: Timestamp?

  /// Creates the judgement of a report's times.
  ///
  /// - Parameter known: The last comparison with an earlier report.
  init(_ report: DeviceReport, known: Comparison?, received: Timestamp) {
    self.received = received
    sent = report.sent
    let oldest = received.adding(milliseconds: -Self.comparisonHolds)
    let valid = known.flatMap { $0.boot == report.boot && $0.at >= oldest ? $0 : nil }
    mayBeLate = Self.mayBeLate(report, after: valid)
    if let clock = report.clock, !mayBeLate {
      let skew = clock.milliseconds.subtractingClamped(received.milliseconds)
      self.skew = skew
      comparison = Comparison(boot: report.boot, skew: skew, at: received)
    } else {
      comparison = nil
      skew = valid?.skew
    }
  }

  /// Returns true if a report waited at a broker as far as one can tell, or is one of those that came before: within
  /// one start, the clock of a device that speaks through a broker only moves on.
  private static func mayBeLate(_ report: DeviceReport, after known: Comparison?) -> Bool {
    switch report.way {
    case .direct: return false
    case .broker(mayHaveWaited: true): return true
    case .broker(mayHaveWaited: false):
      guard let clock = report.clock, let known else { return false }
      return clock <= known.shown
    }
  }

  /// Returns the time of an event, or the reason why it is not known.
  package func judge(_ event: DeviceEvent) -> Judgement {
    if let age = event.age, event.at == nil, !(0...Self.oldest).contains(age) {
      return .unknown(.tooOld)
    }
    guard let at = event.at ?? timeOfSending(event) else {
      return mayBeLate
        ? .unknown(.clock) : .at(received.adding(milliseconds: -(event.age ?? 0)))
    }
    let shown = at.milliseconds.subtractingClamped(skew ?? 0)
    let age = received.milliseconds.subtractingClamped(shown)
    if let skew, !(-Self.rightWithin...Self.rightWithin).contains(skew) {
      // The clock runs from another moment; only an event that was just sent has a known time.
      let isFresh = (-Self.withoutDelay...Self.withoutDelay).contains(age)
      return isFresh ? .at(received) : .unknown(.clock)
    }
    guard age >= -Self.withoutDelay else { return .unknown(.clock) }
    guard age <= Self.oldest else {
      // Without a comparison, a clock that was never set looks the same as an old event.
      return .unknown(skew == nil ? .clock : .tooOld)
    }
    return .at(Timestamp(milliseconds: min(shown, received.milliseconds)))
  }

  /// Returns the time of an event that names none, by the clock with which a late report was sent.
  private func timeOfSending(_ event: DeviceEvent) -> Timestamp? {
    guard mayBeLate, let sent else { return nil }
    return sent.adding(milliseconds: -(event.age ?? 0))
  }
}
