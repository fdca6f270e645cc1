// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import Identifiers
import People
import Plans
import Reminders
import Scheduling
import Storage

/// Takes the reports of devices: every event is kept once and judged, in one transaction for each report.
package struct DeviceReports {
  /// The most events of a device in a minute.
  package static let mostPerMinute = 600
  /// The milliseconds before and after the events in which doses are read: the longest windows, and the next day.
  private static let dosesBehind: Int64 = 25 * 3_600_000
  private static let dosesAhead: Int64 = 25 * 3_600_000

  /// The result of one event of a report.
  package struct Result: Sendable, Hashable {
    /// The event's number.
    package let sequence: Int64
    /// The result; nil for a heartbeat, which is only counted.
    package let outcome: DeviceOutcome?
    /// The reason for the result.
    package let reason: DeviceReason?
    /// True if the event had been received before.
    package let isRepeated: Bool
    /// True if the person is warned, so that the device can blink or beep.
    package let warns: Bool
  }

  private let caller: DeviceCaller
  let context: CommandContext
  let writer: any SQLWriter
  var device: HomeDevice { caller.device }

  /// Creates the work on a report of a device.
  ///
  /// - Parameter context: The context of ``DeviceCaller/context(at:newIdentifier:zones:consequences:)``.
  package init(of caller: DeviceCaller, context: CommandContext, in writer: any SQLWriter) {
    self.caller = caller
    self.context = context
    self.writer = writer
  }

  /// Takes a report and returns the result of each event, in the order in which it names them.
  ///
  /// - Throws: ``HomeDeviceError/flood(seconds:)`` if the device sends too much; nothing of the report is kept then.
  package func take(_ report: DeviceReport) throws -> [Result] {
    let minute = context.now.milliseconds / 60_000
    let count = (device.minute == minute ? device.minuteEvents : 0) + report.events.count
    guard count <= Self.mostPerMinute else {
      let rest = 60_000 - context.now.milliseconds % 60_000
      throw HomeDeviceError.flood(seconds: Int(rest / 1_000) + 1)
    }
    let clock = DeviceClock(report, known: device.clock, received: context.now)
    var results = try known(report)
    let fresh = fresh(report, besides: results)
    let judged = try judge(fresh, of: report, clock, &results)
    for event in judged {
      try HomeDeviceStore.insert(
        NewDeviceEventRow(patient: device.patient, device: device.id, judged: event), in: writer)
    }
    let battery = report.events.last { $0.battery != nil }?.battery
    try HomeDeviceStore.note(
      HomeDeviceStore.Reported(
        at: context.now, battery: battery ?? device.battery,
        clock: clock.comparison ?? device.clock, minute: minute, minuteEvents: count),
      of: device, in: writer)
    if !judged.isEmpty { audit(judged.count) }
    return report.events.map { event in
      results[event.sequence]
        ?? Result(
          sequence: event.sequence, outcome: nil, reason: nil, isRepeated: false, warns: false)
    }
  }

  /// Returns the results of events that were received before.
  private func known(_ report: DeviceReport) throws(StorageError) -> [Int64: Result] {
    let sequences = report.events.filter { $0.kind != .heartbeat }.map(\.sequence)
    guard !sequences.isEmpty else { return [:] }
    var results: [Int64: Result] = [:]
    for event in try HomeDeviceQueries.known(
      sequences, boot: report.boot, of: device, in: writer)
    {
      results[event.event.sequence] = Result(
        sequence: event.event.sequence, outcome: event.outcome, reason: event.reason,
        isRepeated: true, warns: false)
    }
    return results
  }

  /// Returns the events to judge, each once, in the order of the device.
  private func fresh(_ report: DeviceReport, besides known: [Int64: Result]) -> [DeviceEvent] {
    var seen = Set(known.keys)
    return report.events.filter { $0.kind != .heartbeat && seen.insert($0.sequence).inserted }
      .sorted { $0.sequence < $1.sequence }
  }

  /// Judges events and carries the verdicts out.
  private func judge(
    _ events: [DeviceEvent], of report: DeviceReport, _ clock: DeviceClock,
    _ results: inout [Int64: Result]
  ) throws -> [JudgedEvent] {
    var judged: [JudgedEvent] = []
    var timed: [(event: DeviceEvent, time: Timestamp)] = []
    for event in events {
      switch clock.judge(event) {
      case .at(let time): timed.append((event, time))
      case .unknown(let reason):
        judged.append(
          JudgedEvent(
            boot: report.boot, event: event, received: context.now, judged: context.now,
            outcome: .aside, reason: reason))
      }
    }
    var warned: Set<Int64> = []
    if !timed.isEmpty {
      var (rules, earlier) = try rulesNow(for: timed)
      for (event, time) in timed {
        let verdict = rules.judge(event, at: time)
        if verdict.isRefill {
          try takeBack(around: time, &earlier, &judged, window: &rules.window)
        }
        let (result, warns) = try carryOut(
          verdict, event, at: time, boot: report.boot, window: &rules.window)
        judged.append(result)
        if warns { warned.insert(event.sequence) }
      }
    }
    for event in judged {
      let sequence = event.event.sequence
      results[sequence] = Result(
        sequence: sequence, outcome: event.outcome, reason: event.reason, isRepeated: false,
        warns: warned.contains(sequence))
    }
    return judged
  }

  /// Reads what the rules need for events, and the device's earlier events around them.
  private func rulesNow(
    for timed: [(event: DeviceEvent, time: Timestamp)]
  ) throws(StorageError) -> (DeviceJudge, [JudgedEvent]) {
    let times = timed.map { $0.time }
    let first = times.min() ?? context.now
    let last = times.max() ?? context.now
    // A battery's charge or a lid that was closed needs no more.
    let mayBegin = timed.contains { $0.event.kind != .battery && $0.event.kind != .closed }
    guard mayBegin else {
      return (
        DeviceJudge(
          compartments: [], window: DeviceWindow(candidates: []), earlier: [], coming: timed), []
      )
    }
    let compartments = try HomeDeviceQueries.compartments(
      of: device.id, patient: device.patient, in: writer)
    let earlier = try HomeDeviceQueries.between(
      first.adding(milliseconds: -DeviceJudge.memory),
      last.adding(milliseconds: DeviceJudge.memory), of: device, in: writer)
    var weights: [JudgedEvent] = []
    if timed.contains(where: { $0.event.kind == .weight }) {
      weights = try HomeDeviceQueries.weights(
        before: first.adding(milliseconds: -DeviceJudge.memory - 1), of: device, in: writer)
    }
    var candidates: [DeviceWindow.Candidate] = []
    if compartments.contains(where: { $0.meaning != .note }) {
      candidates = try DoseStore.between(
        first.adding(milliseconds: -Self.dosesBehind),
        last.adding(milliseconds: Self.dosesAhead), patient: device.patient,
        most: DoseStore.most, now: context.now, in: writer
      ).map { DeviceWindow.Candidate($0) }
    }
    return (
      DeviceJudge(
        compartments: compartments, window: DeviceWindow(candidates: candidates),
        earlier: earlier + weights, coming: timed), earlier
    )
  }

  private func audit(_ count: Int) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: device.account, kind: .create, patient: device.patient,
        resource: DeviceCaller.resource, resourceID: device.id.text,
        purpose: Purpose.care.rawValue, count: count))
  }
}
