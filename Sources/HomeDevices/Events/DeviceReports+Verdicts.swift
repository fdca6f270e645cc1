// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import People
import Plans
import Reminders
import Scheduling
import Storage

/// Carries out the verdicts about events.
extension DeviceReports {
  /// The milliseconds after an event in which a person can still be warned.
  private static let warnable: Int64 = 10 * 60_000

  /// Records what follows from a verdict.
  func carryOut(
    _ verdict: DeviceJudge.Verdict, _ event: DeviceEvent, at time: Timestamp, boot: String,
    window: inout DeviceWindow
  ) throws -> (JudgedEvent, warns: Bool) {
    var result = JudgedEvent(
      boot: boot, event: event, received: context.now, judged: time, outcome: .noted,
      reason: verdict.reason, doses: verdict.about)
    let isRecent = time >= context.now.adding(milliseconds: -Self.warnable)
    var warns = verdict.warns && isRecent
    if !verdict.ask.isEmpty {
      (result.outcome, result.doses) = (.asked, verdict.ask)
      if isRecent { try ask(.taken, verdict.ask) }
    } else if !verdict.log.isEmpty {
      let (logged, obstacle) = try log(verdict.log, at: time)
      window.set(.taken, of: logged)
      result.doses = logged.isEmpty ? verdict.log : logged
      switch (logged.isEmpty, obstacle) {
      case (false, _): result.outcome = .logged
      case (true, .confirm?):
        (result.outcome, result.reason) = (.asked, .confirm)
        warns = isRecent
      case (true, .noRight?): (result.outcome, result.reason) = (.aside, .noRight)
      case (true, _): result.reason = obstacle
      }
      // A person has to decide about the rest.
      if obstacle == .confirm { warns = isRecent }
    }
    if warns {
      try ask(result.reason == .tooEarly ? .early : .twice, result.doses)
    }
    return (result, warns)
  }

  /// Records doses as taken, through the same command as every other answer, and returns those that were, with the
  /// reason for the last that was not.
  private func log(
    _ doses: [DoseID], at time: Timestamp
  ) throws -> (logged: [DoseID], obstacle: DeviceReason?) {
    var logged: [DoseID] = []
    var obstacle: DeviceReason?
    for dose in doses {
      do throws(AnswerError) {
        _ = try AnswerCommands.answer(
          dose, patient: device.patient,
          AnswerRequest(action: .taken, at: time),
          context: context, in: writer)
        logged.append(dose)
      } catch {
        obstacle = try Self.reason(for: error)
      }
    }
    return (logged, obstacle)
  }

  /// Returns the reason why an answer was not recorded; a failure of the storage is thrown.
  private static func reason(for error: AnswerError) throws -> DeviceReason {
    switch error {
    case .confirm: return .confirm
    case .answered, .stale: return .alreadyAnswered
    case .cancelled, .invalid: return .nothingDue
    case .notFound, .notAuthorized: return .noRight
    case .records, .storage: throw error
    }
  }

  /// Takes back what the device logged within the minute of a refill, unless a person has changed it since.
  func takeBack(
    around time: Timestamp, _ earlier: inout [JudgedEvent], _ judged: inout [JudgedEvent],
    window: inout DeviceWindow
  ) throws {
    func isPart(_ event: JudgedEvent) -> Bool {
      event.outcome == .logged
        && abs(event.judged.milliseconds - time.milliseconds) <= DeviceJudge.refillWithin
    }
    // The second lid seemed to be a double dose.
    try AlertCommands.cancel(
      source: HomeDeviceQuestion.source(of: device.id), kind: .alarm, patient: device.patient,
      at: context.now, in: writer)
    for index in earlier.indices where isPart(earlier[index]) {
      guard try undo(earlier[index].doses, window: &window) else { continue }
      try HomeDeviceStore.takeBack(earlier[index], of: device, in: writer)
      earlier[index].outcome = .takenBack
    }
    for index in judged.indices where isPart(judged[index]) {
      guard try undo(judged[index].doses, window: &window) else { continue }
      (judged[index].outcome, judged[index].reason) = (.takenBack, .refill)
    }
  }

  private func undo(_ doses: [DoseID], window: inout DeviceWindow) throws -> Bool {
    var undone = false
    for id in doses {
      guard
        let dose = try DoseStore.one(
          id, patient: device.patient, now: context.now, in: writer),
        dose.state == .taken, dose.answer?.by == device.byName
      else { continue }
      do throws(AnswerError) {
        _ = try AnswerCommands.answer(
          id, patient: device.patient,
          AnswerRequest(action: .undo, corrects: dose.version),
          context: context, in: writer)
        window.set(.open, of: [id])
        undone = true
      } catch {
        _ = try Self.reason(for: error)
      }
    }
    return undone
  }

  /// Opens an alert about doses, once for each; it rings like an alarm of the person.
  private func ask(_ question: HomeDeviceQuestion, _ doses: [DoseID]) throws(StorageError) {
    for dose in doses.prefix(3) {
      try AlertCommands.open(
        question.alert(
          about: dose.text, from: device.id, patient: device.patient, at: context.now),
        newIdentifier: context.newIdentifier, at: context.now, in: writer)
    }
  }
}
