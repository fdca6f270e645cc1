// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import HTML
import Identifiers
import Localization
import Scheduling
import Storage

/// Which doses a change of details would move: another zone, or other times of waking, meals and sleep.
///
/// Nothing of it is kept.
struct DetailsTrial: Error, Sendable {
  /// The days looked at, today included.
  static let days = 3

  let before: Zone
  let after: Zone
  let moves: [DoseMove]
  /// Whether it is shown though somebody wanted to save, since a move of theirs would be given up.
  var isAsked = false

  /// The field by which a form says for which zone this was seen.
  static let seenField = "seen"

  /// The same as a question, where a dose that a person moved would lose its new time.
  var asked: DetailsTrial? {
    guard moves.contains(where: \.losesMove) else { return nil }
    var asked = self
    asked.isAsked = true
    return asked
  }

  /// Goes with what is saved next.
  var seen: Markup {
    "<input type=\"hidden\" name=\"\(Self.seenField)\" value=\"\(after.identifier)\">"
  }

  /// Changes the details within a transaction that is then given up, so that the doses shown are those that
  /// saving gives.
  static func run(
    _ details: PatientDetails, _ call: Call, _ signedIn: SignedIn
  ) async throws -> DetailsTrial {
    let patient = call.patient(of: signedIn)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    return try await run(call, signedIn) { writer in
      // A version that is out of date is told when saving; here nothing is replaced.
      try PeopleCommands.change(details, patient: patient, context: context, in: writer)
    }
  }

  /// The same for any change.
  static func run(
    _ call: Call, _ signedIn: SignedIn, _ change: @escaping @Sendable (any SQLWriter) throws -> Void
  ) async throws -> DetailsTrial {
    let environment = call.environment
    let patient = call.patient(of: signedIn)
    let context = environment.commandContext(for: signedIn, now: call.now)
    do {
      try await environment.database.write { (writer) throws -> Void in
        let before = try listing(patient, context, writer)
        let moved = try DoseMoves.moved(by: patient, dueAfter: context.now, in: writer)
        try change(writer)
        let after = try listing(patient, context, writer)
        let until = context.now.adding(milliseconds: Int64(days) * day)
        throw DetailsTrial(
          before: before.zone, after: after.zone,
          moves: DoseMoves.between(before.doses, after.doses, moved: moved, until: until))
      }
    } catch let trial as DetailsTrial {
      return trial
    }
    throw Failure.notFound
  }

  private static let day: Int64 = 24 * 3_600_000

  /// The doses of the days looked at and some more: a journey moves them by up to a day.
  private static func listing(
    _ patient: PatientID, _ context: CommandContext, _ reader: any SQLReader
  ) throws -> DoseListing {
    try DoseQueries.listing(
      patient: patient, from: context.now,
      until: context.now.adding(milliseconds: Int64(days + 2) * day), now: context.now,
      zones: context.zones, in: reader)
  }
}

/// The card that shows them.
struct DetailsTrialCard: PagePart {
  let trial: DetailsTrial
  let localizer: Localizer

  var markup: Markup {
    """
    <section aria-labelledby="preview-title" class="card"><h2 class="card-title" \
    id="preview-title" tabindex="-1">\(localizer.text("medicines.moves.title"))</h2>\
    \(if: trial.isAsked, "<p><strong>\(localizer.text("medicines.moves.gives-up"))</strong></p>")\
    \(DoseMovesPart(
      moves: trial.moves, before: MedicineClock(zone: trial.before, localizer: localizer),
      after: MedicineClock(zone: trial.after, localizer: localizer)))\
    <p class="muted">\(localizer.text("medicines.preview.not-saved"))</p></section>
    """
  }
}
