// SPDX-License-Identifier: Apache-2.0

import CoreMetrics

extension MetricsFactory {
  /// Returns the counter of a declared metric.
  ///
  /// - Parameter values: The values of its labels, in the order of its declaration.
  package func counter(_ metric: MetricDefinition, _ values: String...) -> Counter {
    Counter(label: metric.name, dimensions: Array(zip(metric.labels, values)), factory: self)
  }

  /// Returns the gauge of a declared metric, which goes up and down.
  ///
  /// - Parameter values: The values of its labels, in the order of its declaration.
  package func meter(_ metric: MetricDefinition, _ values: String...) -> Meter {
    Meter(label: metric.name, dimensions: Array(zip(metric.labels, values)), factory: self)
  }

  /// Returns the histogram of durations of a declared metric.
  ///
  /// - Parameter values: The values of its labels, in the order of its declaration.
  package func timer(_ metric: MetricDefinition, _ values: String...) -> CoreMetrics.Timer {
    CoreMetrics.Timer(
      label: metric.name, dimensions: Array(zip(metric.labels, values)), factory: self)
  }
}
