// SPDX-License-Identifier: Apache-2.0

/// The value of a metric with one combination of labels, at the moment at which it was asked for.
package struct MetricSample: Sendable, Hashable {
  /// The values of the metric's labels, in the order of its declaration.
  package let labels: [String]
  /// The value, or the sum of the observations of a histogram.
  package let value: Double
  /// The number of observations in each bucket of a histogram, the last above all bounds; empty for other kinds.
  package let counts: [UInt64]

  /// Creates a sample.
  package init(labels: [String] = [], value: Double, counts: [UInt64] = []) {
    self.labels = labels
    self.value = value
    self.counts = counts
  }
}
