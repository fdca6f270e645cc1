// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A report that a simulated device sends.
package struct SimulatedReport: Sendable, Hashable {
  /// The start of the device.
  package let boot: String
  /// The milliseconds by which its clock is ahead.
  package let skew: Int64
  /// The events, with times by its clock.
  package let events: [DeviceEvent]
}

/// A device that does what a script says: a pure value.
struct SimulatedDevice: Sendable {
  private var boots = 1
  private var sequence: Int64 = 0
  private var skew: Int64 = 0
  private var isOffline = false
  private var waiting: [DeviceEvent] = []
  private(set) var reports: [SimulatedReport] = []
  private let name: String

  init(name: String) {
    self.name = name
  }

  mutating func perform(_ action: DeviceScript.Action, at time: Timestamp) {
    switch action {
    case .event(let kind, let compartment, let weight, let battery):
      add(kind, compartment, weight, battery, at: time)
    case .refill(let compartments):
      for (index, compartment) in compartments.enumerated() {
        add(.opened, compartment, nil, nil, at: time.adding(milliseconds: Int64(index) * 10_000))
      }
    case .offline: isOffline = true
    case .online:
      isOffline = false
      send()
    case .skew(let milliseconds):
      // A report has one clock.
      send()
      skew = milliseconds
    case .replay: reports += reports.suffix(1)
    case .restart:
      send()
      boots += 1
      sequence = 0
    }
  }

  /// Sends what waits.
  mutating func send() {
    while !waiting.isEmpty {
      let part = Array(waiting.prefix(DeviceReport.mostEvents))
      waiting.removeFirst(part.count)
      reports.append(SimulatedReport(boot: "\(name)-\(boots)", skew: skew, events: part))
    }
  }

  private mutating func add(
    _ kind: DeviceEvent.Kind, _ compartment: String, _ weight: Int64?, _ battery: Int?,
    at time: Timestamp
  ) {
    waiting.append(
      DeviceEvent(
        sequence: sequence, kind: kind, compartment: compartment,
        at: time.adding(milliseconds: skew), weight: weight, battery: battery))
    sequence += 1
    if !isOffline { send() }
  }
}

extension DeviceScript {
  /// Returns the reports of the script in their order, for a seed and the beginning of its first day.
  ///
  /// - Parameters:
  ///   - name: The beginning of the names of the device's starts.
  ///   - end: What would happen later is left out.
  package func reports(
    seed: UInt64, name: String, from start: Timestamp, until end: Timestamp
  ) -> [SimulatedReport] {
    var generator = SeededGenerator(seed: seed)
    var steps: [(time: Timestamp, order: Int, action: Action)] = []
    for day in 1...max(1, days) {
      for (order, line) in lines.enumerated() where line.days.contains(day) {
        let roll = Int.random(in: 0..<100, using: &generator)
        let shift = Int.random(in: -line.spread...line.spread, using: &generator)
        guard roll < line.chance else { continue }
        let seconds = Int64(day - 1) * 86_400 + Int64(line.second + shift)
        steps.append((start.adding(milliseconds: seconds * 1_000), order, line.action))
      }
    }
    var device = SimulatedDevice(name: name)
    for step in steps.sorted(by: { ($0.time, $0.order) < ($1.time, $1.order) })
    where step.time <= end {
      device.perform(step.action, at: step.time)
    }
    device.send()
    return device.reports
  }
}
