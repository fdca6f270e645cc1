// SPDX-License-Identifier: Apache-2.0

/// A metric as the feature that counts it declares it.
///
/// Labels must never contain identifiers, names or health data. Their values come from the code, such as the cases
/// of an enumeration or the routes, so that there are few of them.
package struct MetricDefinition: Sendable, Hashable {
  /// The kind of a metric, as Prometheus distinguishes them.
  package enum Kind: Sendable, Hashable {
    /// A number that only increases while the program runs.
    case counter
    /// A number that can go up and down.
    case gauge
    /// The number of observations up to each of the bounds, which are in ascending order.
    case histogram(bounds: [Double])
  }

  /// The bounds, in seconds, for the duration of work that someone waits for.
  package static let seconds: [Double] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  /// The name, in the form that Prometheus recommends: with the unit, and with `_total` for counters.
  package let name: String
  /// The kind of the metric.
  package let kind: Kind
  /// The names of the labels, in the order in which their values are given.
  package let labels: [String]
  /// The most combinations of label values; further ones are counted together as `other`.
  package let limit: Int
  /// A sentence for the operator.
  package let help: String

  /// Creates the declaration of a metric.
  ///
  /// - Parameters:
  ///   - labels: The names of the labels, in the order in which their values are given.
  ///   - limit: The most combinations of label values.
  package init(
    _ name: String, _ kind: Kind, labels: [String] = [], limit: Int = 100, help: String
  ) {
    self.name = name
    self.kind = kind
    self.labels = labels
    self.limit = limit
    self.help = help
  }

  /// The kind in the text format.
  package var typeName: String {
    switch kind {
    case .counter: "counter"
    case .gauge: "gauge"
    case .histogram: "histogram"
    }
  }

  /// Returns the values of the labels in their order; nil if other labels are given.
  func values(of dimensions: [(String, String)]) -> [String]? {
    guard dimensions.count == labels.count else { return nil }
    let values = labels.compactMap { label in dimensions.first { $0.0 == label }?.1 }
    return values.count == labels.count ? values : nil
  }
}
