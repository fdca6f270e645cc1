// SPDX-License-Identifier: Apache-2.0

/// Metrics in the Prometheus text format, version 0.0.4.
package struct MetricsText: Sendable {
  /// The media type of the format.
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The text so far.
  package private(set) var text = ""

  /// Creates an empty text.
  package init() {}

  /// Adds a metric; one without samples is left out.
  package mutating func add(_ metric: MetricDefinition, _ samples: [MetricSample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(metric.name) \(Self.escaped(metric.help))\n"
    text += "# TYPE \(metric.name) \(metric.typeName)\n"
    for sample in samples {
      let labels = Array(zip(metric.labels, sample.labels))
      if case .histogram(let bounds) = metric.kind {
        addBuckets(metric.name, labels, bounds, sample)
      } else {
        addLine(metric.name, labels, sample.value)
      }
    }
  }

  /// Adds the cumulative buckets of a histogram, with its sum and its count.
  private mutating func addBuckets(
    _ name: String, _ labels: [(String, String)], _ bounds: [Double], _ sample: MetricSample
  ) {
    var count: UInt64 = 0
    for (bound, inBucket) in zip(bounds + [.infinity], sample.counts) {
      count += inBucket
      addLine("\(name)_bucket", labels + [("le", Self.text(of: bound))], Double(count))
    }
    addLine("\(name)_sum", labels, sample.value)
    addLine("\(name)_count", labels, Double(count))
  }

  private mutating func addLine(_ name: String, _ labels: [(String, String)], _ value: Double) {
    let pairs = labels.map { label, value in
      "\(label)=\"\(Self.escaped(value).replacing("\"", with: "\\\""))\""
    }
    let list = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    text += "\(name)\(list) \(Self.text(of: value))\n"
  }

  private static func text(of value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if let whole = Int64(exactly: value) { return "\(whole)" }
    return "\(value)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }
}
