// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The rules by which events of a device become answers, questions or notes: a pure value.
///
/// It sees the events one after another, with those of the last minutes, and never changes an answer of a person.
struct DeviceJudge: Sendable {
  /// The milliseconds within which events of a compartment are one intake.
  static let oneIntake: Int64 = 2 * 60_000
  /// The milliseconds within which openings of several compartments are a refill.
  static let refillWithin: Int64 = 60_000
  /// The compartments that are opened in a refill, at least.
  static let refillCompartments = 3
  /// The smallest loss of weight that is a sign of an intake, in milligrams.
  static let smallestLoss: Int64 = 50
  /// The milliseconds for which earlier events matter.
  static let memory: Int64 = 10 * 60_000

  /// The verdict about an event.
  struct Verdict: Sendable, Hashable {
    /// The doses to record as taken.
    var log: [DoseID] = []
    /// The doses to ask about.
    var ask: [DoseID] = []
    /// The reason for anything but logging and asking as planned.
    var reason: DeviceReason?
    /// The doses that it is about, if neither logged nor asked about.
    var about: [DoseID] = []
    /// True if a person may be about to take a dose twice or too early.
    var warns = false
    /// True if several compartments are being filled: what the device logged in that minute is taken back.
    var isRefill = false
  }

  /// The meanings of the compartments.
  let compartments: [String: HomeDeviceCompartment]
  /// The doses around the events.
  var window: DeviceWindow
  /// The signs of intakes so far: earlier events of the last minutes, and those judged since.
  private var signs: [Sign]
  /// The openings of all known events, in any order.
  private let openings: [Sign]
  /// The last weight in each compartment.
  private var weights: [String: (time: Timestamp, weight: Int64)]

  private struct Sign: Sendable {
    let time: Timestamp
    let compartment: String
  }

  /// Creates the rules.
  ///
  /// - Parameters:
  ///   - earlier: The device's judged events of the last minutes.
  ///   - coming: The events to judge, with their times, so that a refill in one report is seen at once.
  init(
    compartments: [HomeDeviceCompartment], window: DeviceWindow, earlier: [JudgedEvent],
    coming: [(event: DeviceEvent, time: Timestamp)]
  ) {
    self.compartments = Dictionary(compartments.map { ($0.name, $0) }) { first, _ in first }
    self.window = window
    signs = earlier.filter(\.isIntake).map {
      Sign(time: $0.judged, compartment: $0.event.compartment)
    }
    let opened = earlier.filter { $0.event.opensCompartment && $0.outcome != .aside }
    let opening = coming.filter { $0.event.opensCompartment }
    openings =
      opened.map { Sign(time: $0.judged, compartment: $0.event.compartment) }
      + opening.map { Sign(time: $0.time, compartment: $0.event.compartment) }
    weights = [:]
    for event in earlier {
      if let weight = event.event.weight { note(weight, event.event.compartment, event.judged) }
    }
  }

  /// Returns the verdict about the next event.
  mutating func judge(_ event: DeviceEvent, at time: Timestamp) -> Verdict {
    guard isSign(event, at: time) else { return Verdict(reason: .noSign) }
    let compartment = event.compartment
    guard let known = compartments[compartment] else {
      return Verdict(reason: .unknownCompartment)
    }
    if isRefill(at: time) { return Verdict(reason: .refill, isRefill: true) }
    let isSame = signs.contains {
      $0.compartment == compartment
        && abs($0.time.milliseconds - time.milliseconds) <= Self.oneIntake
    }
    if isSame { return Verdict(reason: .sameIntake) }
    signs.append(Sign(time: time, compartment: compartment))
    guard known.meaning != .note else { return Verdict(reason: .onlyNote) }
    switch window.choice(at: time, plan: known.plan) {
    case .open(let doses):
      return known.meaning == .log ? Verdict(log: doses) : Verdict(ask: doses)
    case .taken(let doses): return Verdict(reason: .alreadyTaken, about: doses, warns: true)
    case .answered(let doses): return Verdict(reason: .alreadyAnswered, about: doses)
    case .early(let doses): return Verdict(reason: .tooEarly, about: doses, warns: true)
    case .over(let doses): return Verdict(ask: doses, reason: .windowOver)
    case .nothing: return Verdict(reason: .nothingDue)
    }
  }

  /// Returns true if an event can begin an intake.
  private mutating func isSign(_ event: DeviceEvent, at time: Timestamp) -> Bool {
    switch event.kind {
    case .opened, .removed, .pressed: return true
    case .closed, .heartbeat, .battery: return false
    case .weight:
      guard let weight = event.weight else { return false }
      let before = weights[event.compartment]
      note(weight, event.compartment, time)
      guard let before, before.time <= time else { return false }
      return before.weight.subtractingClamped(weight) >= Self.smallestLoss
    }
  }

  private mutating func note(_ weight: Int64, _ compartment: String, _ time: Timestamp) {
    if let known = weights[compartment], known.time > time { return }
    weights[compartment] = (time, weight)
  }

  /// Returns true if enough compartments were opened within a minute that includes a time.
  private func isRefill(at time: Timestamp) -> Bool {
    let near = openings.filter {
      abs($0.time.milliseconds - time.milliseconds) <= Self.refillWithin
    }
    return near.contains { start in
      let end = start.time.adding(milliseconds: Self.refillWithin)
      guard start.time <= time, time <= end else { return false }
      let opened = near.filter { start.time <= $0.time && $0.time <= end }.map(\.compartment)
      return Set(opened).count >= Self.refillCompartments
    }
  }
}

extension DeviceEvent {
  /// True if a compartment was opened or emptied, as when a box is filled.
  var opensCompartment: Bool { kind == .opened || kind == .removed }
}

extension JudgedEvent {
  /// True if the event began an intake, as far as the device can tell.
  var isIntake: Bool {
    switch outcome {
    case .logged, .asked, .takenBack: return true
    case .aside: return false
    case .noted:
      switch reason {
      case .alreadyTaken, .alreadyAnswered, .tooEarly, .nothingDue, .onlyNote, .confirm,
        .windowOver:
        return true
      case .noSign, .sameIntake, .refill, .unknownCompartment, .clock, .tooOld, .noRight, nil:
        return false
      }
    }
  }
}
