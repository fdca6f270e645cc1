// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Synchronization

/// The values of a metric with one combination of labels; safe to use from any task.
final class MetricSeries: Sendable {
  /// The current value: of a counter or gauge the total only.
  struct Value: Sendable, Hashable {
    /// The value, or the sum of the observations of a histogram.
    var total = 0.0
    /// The number of observations in each bucket of a histogram; the last one is above all bounds.
    var counts: [UInt64] = []
  }

  private let kind: MetricDefinition.Kind
  private let state: Mutex<Value>

  init(_ kind: MetricDefinition.Kind) {
    self.kind = kind
    var value = Value()
    if case .histogram(let bounds) = kind {
      value.counts = Array(repeating: 0, count: bounds.count + 1)
    }
    state = Mutex(value)
  }

  var value: Value { state.withLock { $0 } }

  /// Increases a counter, or changes a gauge; a counter ignores negative amounts.
  func add(_ amount: Double) {
    guard amount.isFinite, amount >= 0 || kind == .gauge else { return }
    state.withLock { $0.total += amount }
  }

  /// Sets a gauge, or adds an observation to a histogram.
  func take(_ amount: Double) {
    guard amount.isFinite else { return }
    switch kind {
    case .counter: return
    case .gauge: state.withLock { $0.total = amount }
    case .histogram(let bounds):
      let bucket = bounds.firstIndex { amount <= $0 } ?? bounds.count
      state.withLock { value in
        value.counts[bucket] += 1
        value.total += amount
      }
    }
  }

  /// Sets everything back to zero.
  func reset() {
    state.withLock { value in
      value.total = 0
      value.counts = value.counts.map { _ in 0 }
    }
  }
}

extension MetricSeries: CounterHandler {
  func increment(by amount: Int64) { add(Double(amount)) }
}

extension MetricSeries: FloatingPointCounterHandler {
  func increment(by amount: Double) { add(amount) }
}

extension MetricSeries: RecorderHandler {
  func record(_ value: Int64) { take(Double(value)) }
  func record(_ value: Double) { take(value) }
}

extension MetricSeries: MeterHandler {
  func set(_ value: Int64) { take(Double(value)) }
  func set(_ value: Double) { take(value) }
  func decrement(by amount: Double) { add(-amount) }
}

extension MetricSeries: TimerHandler {
  /// Records a duration, which the metric has in seconds.
  func recordNanoseconds(_ duration: Int64) { take(Double(duration) / 1_000_000_000) }
}
