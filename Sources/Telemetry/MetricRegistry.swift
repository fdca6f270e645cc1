// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Synchronization

/// The metrics of the program: a factory of swift-metrics that keeps its values in memory, for the text format of
/// Prometheus.
///
/// It knows the declared metrics only, and their labels, so that nothing else can get into the text.
package final class MetricRegistry: Sendable {
  /// The value of each label in the series that counts everything beyond a metric's limit.
  package static let overflow = "other"

  private struct State {
    var series: [String: [[String]: MetricSeries]] = [:]
    var refused = 0
  }

  /// The declared metrics, in the order in which they are listed.
  package let definitions: [MetricDefinition]
  private let definitionsByName: [String: MetricDefinition]
  private let state = Mutex(State())

  /// Creates a registry without values; of two metrics with one name, the first counts.
  package init(_ definitions: [MetricDefinition]) {
    self.definitions = definitions
    definitionsByName = Dictionary(definitions.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The number of times that an undeclared metric, or one with other labels or of another kind, was asked for.
  package var refused: Int { state.withLock { $0.refused } }

  /// Returns the samples of a metric, sorted by their labels; empty if nothing was counted yet.
  package func samples(of definition: MetricDefinition) -> [MetricSample] {
    let series = state.withLock { $0.series[definition.name] ?? [:] }
    return series.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { labels, series in
      let value = series.value
      return MetricSample(labels: labels, value: value.total, counts: value.counts)
    }
  }

  /// Returns the series with the given labels; one that is not in the text if the metric isn't declared like this.
  private func series(
    _ name: String, _ dimensions: [(String, String)],
    as isRight: (MetricDefinition.Kind) -> Bool
  ) -> MetricSeries {
    guard let definition = definitionsByName[name], isRight(definition.kind),
      let values = definition.values(of: dimensions)
    else {
      state.withLock { $0.refused += 1 }
      return MetricSeries(.gauge)
    }
    return state.withLock { state in
      let known = state.series[name] ?? [:]
      if let found = known[values] { return found }
      let isFull = known.count >= definition.limit
      let key = isFull ? definition.labels.map { _ in Self.overflow } : values
      if let found = known[key] { return found }
      let new = MetricSeries(definition.kind)
      state.series[name, default: [:]][key] = new
      return new
    }
  }
}

extension MetricRegistry: MetricsFactory {
  /// Returns the counter with the given labels.
  package func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler {
    series(label, dimensions) { $0 == .counter }
  }

  /// Returns the counter of fractions with the given labels.
  package func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    series(label, dimensions) { $0 == .counter }
  }

  /// Returns the gauge with the given labels.
  package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions) { $0 == .gauge }
  }

  /// Returns the gauge, or for aggregation the histogram, with the given labels.
  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    series(label, dimensions) { aggregate ? $0.isHistogram : $0 == .gauge }
  }

  /// Returns the histogram of durations with the given labels.
  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions, as: \.isHistogram)
  }

  // A series is kept until the program ends, since a counter that begins again looks like a restart.

  /// Does nothing.
  package func destroyCounter(_ handler: any CounterHandler) {}
  /// Does nothing.
  package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  /// Does nothing.
  package func destroyMeter(_ handler: any MeterHandler) {}
  /// Does nothing.
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Does nothing.
  package func destroyTimer(_ handler: any TimerHandler) {}
}

extension MetricDefinition.Kind {
  fileprivate var isHistogram: Bool {
    if case .histogram = self { true } else { false }
  }
}
