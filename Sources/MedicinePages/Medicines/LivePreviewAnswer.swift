// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization
import NIOCore
import Plans
import Presentation
import Web

/// The next doses of an unfinished form, for kinds of plans that the engine in the browser does not
/// support.
///
/// The script posts the form with `preview=live`, which runs the same trial as the button, with a
/// shorter answer. For supported kinds it posts `preview=check` and gets only the reasons for a
/// refusal.
struct LivePreviewAnswer: Sendable {
  static let asked = "live"
  static let checked = "check"

  let trial: MedicineTrial
  let clock: MedicineClock

  /// An empty answer for an incomplete or contradictory form, which is better than a wrong one.
  static var nothing: Response {
    Response(status: .noContent, headers: [.cacheControl: "no-store"])
  }

  var response: Response {
    guard trial.plan.unplanned == nil, let first = trial.doses.first?.due ?? trial.firstDue else {
      return Self.nothing
    }
    let said = clock.localizer.text(
      "medicines.live.first", ["when": .text(clock.text(first))])
    let doses: Markup =
      trial.doses.isEmpty
      ? """
      <p>\(clock.localizer.text(
        "medicines.preview.none-yet", ["when": .text(clock.text(first))]))</p>
      """ : DosesByDay(doses: trial.doses, clock: clock, areStored: false).markup
    return Self.answer(
      said, "\(trial.passedText(clock))\(doses)\(trial.calendar?.markup(clock))")
  }

  /// Returns the reasons why saving would refuse the form, instead of doses.
  ///
  /// A reason already on the page is not repeated, only its remedy.
  static func refusal(_ contraindications: SafetyQuestionFields) -> Response {
    let new = contraindications.lines.filter { !contraindications.shown.contains($0.key) }
    let known = contraindications.fieldErrors(
      of: contraindications.lines.filter { contraindications.shown.contains($0.key) }
    )
    .map(\.message)
    return answer(
      (new.map(\.text) + known).joined(separator: " "),
      """
      \(each: new, { $0.notice(contraindications.localizer) })\
      \(each: known, { Notice(.error, title: $0).markup })
      """)
  }

  private static func answer(_ said: String, _ content: Markup) -> Response {
    let markup: Markup = """
      <!DOCTYPE html><title></title><div data-answer="\(said)">\(content)</div>
      """
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: markup.bytes)))
  }
}
