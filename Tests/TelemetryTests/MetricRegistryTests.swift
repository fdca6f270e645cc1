// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Telemetry
import Testing

/// The registry behind swift-metrics.
@Suite struct MetricRegistryTests {
  private static let doses = MetricDefinition(
    "doses_total", .counter, labels: ["channel", "outcome"], limit: 3, help: "Doses.")
  private static let level = MetricDefinition("level", .gauge, help: "A level.")
  private static let time = MetricDefinition(
    "time_seconds", .histogram(bounds: [0.5, 1, 2]), help: "A time.")

  private let registry = MetricRegistry([Self.doses, Self.level, Self.time])

  @Test func `handles with the same labels share one series`() {
    registry.counter(Self.doses, "push", "sent").increment()
    registry.counter(Self.doses, "push", "sent").increment(by: 2)
    registry.counter(Self.doses, "mail", "sent").increment()
    #expect(
      registry.samples(of: Self.doses) == [
        MetricSample(labels: ["mail", "sent"], value: 1),
        MetricSample(labels: ["push", "sent"], value: 3),
      ])
    #expect(registry.refused == 0)
  }

  @Test func `the order of the labels does not matter`() {
    let one = [("outcome", "sent"), ("channel", "push")]
    Counter(label: "doses_total", dimensions: one, factory: registry).increment()
    registry.counter(Self.doses, "push", "sent").increment()
    #expect(
      registry.samples(of: Self.doses) == [MetricSample(labels: ["push", "sent"], value: 2)])
  }

  @Test func `series beyond the limit are counted together`() {
    for number in 0..<10 { registry.counter(Self.doses, "\(number)", "sent").increment() }
    let samples = registry.samples(of: Self.doses)
    #expect(samples.count == 4)
    #expect(samples.last == MetricSample(labels: ["other", "other"], value: 7))
    registry.counter(Self.doses, "0", "sent").increment()
    #expect(registry.samples(of: Self.doses).first?.value == 2)
  }

  @Test func `a counter never decreases`() {
    let counter = registry.counter(Self.doses, "push", "sent")
    counter.increment(by: 5)
    counter.increment(by: -3)
    FloatingPointCounter(
      label: "doses_total", dimensions: [("channel", "push"), ("outcome", "sent")],
      factory: registry
    ).increment(by: 0.5)
    #expect(registry.samples(of: Self.doses).map(\.value) == [5.5])
  }

  @Test func `a gauge goes up and down`() {
    let meter = registry.meter(Self.level)
    meter.increment(by: 4.0)
    meter.decrement()
    #expect(registry.samples(of: Self.level) == [MetricSample(value: 3)])
    meter.set(-2)
    #expect(registry.samples(of: Self.level) == [MetricSample(value: -2)])
    Gauge(label: "level", factory: registry).record(7)
    meter.set(Double.nan)
    #expect(registry.samples(of: Self.level) == [MetricSample(value: 7)])
  }

  @Test(
    arguments: [
      (0, [1, 0, 0, 0]), (500_000_000, [1, 0, 0, 0]), (500_000_001, [0, 1, 0, 0]),
      (2_000_000_000, [0, 0, 1, 0]), (9_000_000_000, [0, 0, 0, 1]),
    ] as [(Int, [UInt64])])
  func `a bucket includes its bound`(nanoseconds: Int, counts: [UInt64]) {
    registry.timer(Self.time).recordNanoseconds(nanoseconds)
    let samples = registry.samples(of: Self.time)
    #expect(samples.map(\.counts) == [counts])
    #expect(samples.map(\.value) == [Double(nanoseconds) / 1e9])
  }

  @Test func `a histogram is also a recorder that aggregates`() {
    Recorder(label: "time_seconds", factory: registry).record(1.5)
    #expect(registry.samples(of: Self.time) == [MetricSample(value: 1.5, counts: [0, 0, 1, 0])])
  }

  @Test func `an undeclared metric is not kept`() {
    Counter(label: "other_total", factory: registry).increment()
    // Another kind, a missing label, another label, and one too many.
    Counter(label: "level", factory: registry).increment()
    Counter(label: "doses_total", dimensions: [("channel", "push")], factory: registry)
      .increment()
    Counter(
      label: "doses_total", dimensions: [("channel", "push"), ("patient", "1")], factory: registry
    ).increment()
    Meter(label: "level", dimensions: [("patient", "1")], factory: registry).increment()
    Recorder(label: "time_seconds", aggregate: false, factory: registry).record(1)
    #expect(registry.refused == 6)
    for metric in registry.definitions { #expect(registry.samples(of: metric).isEmpty) }
  }

  @Test func `nothing is lost when many tasks count at once`() async {
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask { [registry] in
          for round in 0..<500 {
            registry.counter(Self.doses, "push", round % 2 == 0 ? "sent" : "failed").increment()
            registry.timer(Self.time).recordMilliseconds(task * 300)
          }
        }
      }
    }
    #expect(registry.samples(of: Self.doses).map(\.value) == [2000, 2000])
    let time = registry.samples(of: Self.time)
    #expect(time.map { $0.counts.reduce(0, +) } == [4000])
    #expect(time.map(\.counts) == [[1000, 1000, 1500, 500]])
  }
}
