// SPDX-License-Identifier: Apache-2.0

import Dosing
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import Storage
import Web

/// The decision to move the doses that follow one taken late, or to leave them.
package enum ReschedulingRoutes {
  /// The route of the decision.
  package static let all: [Route] = [.accountForm("/doses/:dose/shift", decide)]

  private static func decide(_ form: PostedForm) async throws -> Response {
    guard let id = DoseID(text: try form.parameter("dose")) else { throw Failure.notFound }
    let patient = try await DoseSurroundings.read(id, form.call).dose.patient
    let call = form.call(openedFor: patient)
    try ForgeryGuard.check(form.fields, of: call)
    guard let decision = form.text("decision").flatMap(ReschedulingDecision.init(rawValue:)) else {
      throw Failure.badRequest("value", "decision must be moved or left.")
    }
    let expecting = promised(form.fields)
    if decision == .moved, expecting == nil {
      throw Failure.badRequest("value", "shift must be the time of the next dose.")
    }
    let list = call.environment.interactions.list
    do {
      try await form.run { context, writer in
        try DoseRescheduler.decide(
          decision, for: id, patient: patient, expecting: expecting, list: list,
          context: context, in: writer)
      }
    } catch PlanError.notMovable {
      // Someone else was faster, or the next dose is due: the page shows the current state.
      var page = DosePage(try await DoseSurroundings.read(id, call), returnPath: nil)
      page.isShiftStale = true
      return page.response(call)
    }
    return call.redirect(to: LocalPath.checked(form.text("return")) ?? "/doses/\(id.text)")
  }

  /// Returns the time to which a form promised to move the next dose; nil unless it is an instant
  /// of a year with four digits.
  static func promised(_ form: FormBody) -> Timestamp? {
    form.text(TakeAndMove.field).flatMap { Int64($0) }
      .flatMap { (0..<253_402_300_800_000).contains($0) ? Timestamp(milliseconds: $0) : nil }
  }

  /// Moves the doses as the button promised, in the transaction of the answer.
  ///
  /// - Returns: True if they were moved; if they no longer can be, the answer is recorded anyway.
  static func follow(
    _ promised: Timestamp, for dose: DoseID, patient: PatientID, environment: ServerEnvironment,
    context: CommandContext, in writer: any SQLWriter
  ) throws -> Bool {
    do {
      try DoseRescheduler.decide(
        .moved, for: dose, patient: patient, expecting: promised,
        tolerance: TakeAndMove.tolerance, list: environment.interactions.list, context: context,
        in: writer)
      return true
    } catch PlanError.notMovable {
      return false
    }
  }
}
