// SPDX-License-Identifier: Apache-2.0

import Telemetry
import Testing

/// The Prometheus text format.
@Suite struct MetricsTextTests {
  @Test func `texts and labels are escaped`() {
    var metrics = MetricsText()
    metrics.add(MetricDefinition("none", .gauge, help: "Left out."), [])
    metrics.add(
      MetricDefinition("one", .counter, labels: ["first", "second"], help: "A \\ and\na line."),
      [MetricSample(labels: ["a \"b\" \\ c\nd", ""], value: 2)])
    metrics.add(MetricDefinition("two", .gauge, help: "A fraction."), [MetricSample(value: 0.25)])
    let expected = #"""
      # HELP one A \\ and\na line.
      # TYPE one counter
      one{first="a \"b\" \\ c\nd",second=""} 2
      # HELP two A fraction.
      # TYPE two gauge
      two 0.25

      """#
    #expect(metrics.text == expected)
  }

  @Test func `the buckets of a histogram are cumulative`() {
    let metric = MetricDefinition(
      "time_seconds", .histogram(bounds: [0.5, 1]), labels: ["channel"], help: "A time.")
    var metrics = MetricsText()
    metrics.add(metric, [MetricSample(labels: ["push"], value: 7.5, counts: [2, 0, 3])])
    let expected = """
      # HELP time_seconds A time.
      # TYPE time_seconds histogram
      time_seconds_bucket{channel="push",le="0.5"} 2
      time_seconds_bucket{channel="push",le="1"} 2
      time_seconds_bucket{channel="push",le="+Inf"} 5
      time_seconds_sum{channel="push"} 7.5
      time_seconds_count{channel="push"} 5

      """
    #expect(metrics.text == expected)
  }

  @Test(
    arguments: [
      (Double.infinity, "+Inf"), (-Double.infinity, "-Inf"), (Double.nan, "NaN"), (-3, "-3"),
      (1e300, "1e+300"), (9_007_199_254_740_992, "9007199254740992"),
    ] as [(Double, String)])
  func `numbers are written as Prometheus reads them`(value: Double, text: String) {
    var metrics = MetricsText()
    metrics.add(MetricDefinition("value", .gauge, help: "A value."), [MetricSample(value: value)])
    #expect(metrics.text.hasSuffix("\nvalue \(text)\n"))
  }
}
