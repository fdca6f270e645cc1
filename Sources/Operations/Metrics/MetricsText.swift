// SPDX-License-Identifier: Apache-2.0

/// Metrics in the Prometheus text format, version 0.0.4.
package struct MetricsText: Sendable {
  enum Kind: String, Sendable {
    case counter, gauge
  }

  /// A value of a metric, with the labels that distinguish it from the metric's other values.
  struct Sample: Sendable {
    var labels: KeyValuePairs<String, String> = [:]
    let value: Double
  }

  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Adds a metric; one without values is left out.
  mutating func add(_ name: String, _ kind: Kind, help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      text += "\(name)\(Self.text(of: sample.labels)) \(Self.text(of: sample.value))\n"
    }
  }

  private static func text(of labels: KeyValuePairs<String, String>) -> String {
    guard !labels.isEmpty else { return "" }
    let pairs = labels.map { label in
      let value = escaped(label.value).replacing("\"", with: "\\\"")
      return "\(label.key)=\"\(value)\""
    }
    return "{\(pairs.joined(separator: ","))}"
  }

  private static func text(of value: Double) -> String {
    if let whole = Int64(exactly: value) { return "\(whole)" }
    return "\(value)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }
}
