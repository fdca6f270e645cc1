// SPDX-License-Identifier: Apache-2.0

import Accounts
import Dosing
import HTML
import Identifiers
import Localization
import People
import Scheduling
import Storage
import Web

/// A preview of the doses that a change of details would move: another zone, or other times of
/// waking, meals and sleep.
///
/// Nothing is saved.
package struct DetailsTrial: Error, Sendable {
  /// The number of days in the preview, including today.
  package static let days = 3

  /// The time zone before the change.
  package let before: Zone
  /// The time zone after the change.
  package let after: Zone
  /// The doses that the change would move, in order of time.
  package let moves: [DoseMove]
  /// True if it is shown instead of saving, because a dose that a person moved would be moved back.
  var isAsked = false

  /// Creates a preview.
  ///
  /// - Parameter isAsked: True if it is shown because saving would discard a person's own move.
  package init(before: Zone, after: Zone, moves: [DoseMove], isAsked: Bool = false) {
    self.before = before
    self.after = after
    self.moves = moves
    self.isAsked = isAsked
  }

  /// The form field with the zone for which the preview was seen.
  package static let seenField = "seen"

  /// The preview as a question; nil unless a dose that a person moved would lose its new time.
  package var asked: DetailsTrial? {
    guard moves.contains(where: \.losesMove) else { return nil }
    var asked = self
    asked.isAsked = true
    return asked
  }

  /// The hidden field that records that this preview was seen.
  package var seen: Markup {
    "<input type=\"hidden\" name=\"\(Self.seenField)\" value=\"\(after.identifier)\">"
  }

  /// Previews changed details in a transaction that is rolled back, so that the doses shown are
  /// those that saving would give.
  package static func run(
    _ details: PatientDetails, _ call: Call, _ signedIn: SignedIn
  ) async throws -> DetailsTrial {
    let patient = call.patient(of: signedIn)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    return try await run(call, signedIn) { writer in
      // An outdated version is reported on saving; here nothing is overwritten.
      try PeopleCommands.change(details, patient: patient, context: context, in: writer)
    }
  }

  /// Previews any change in a transaction that is rolled back.
  package static func run(
    _ call: Call, _ signedIn: SignedIn, _ change: @escaping @Sendable (any SQLWriter) throws -> Void
  ) async throws -> DetailsTrial {
    let environment = call.environment
    let patient = call.patient(of: signedIn)
    let context = environment.commandContext(for: signedIn, now: call.now)
    do {
      try await environment.database.write { (writer) throws -> Void in
        let before = try listing(patient, context, writer)
        let moved = try DoseRescheduling.moved(by: patient, dueAfter: context.now, in: writer)
        try change(writer)
        let after = try listing(patient, context, writer)
        let until = context.now.adding(milliseconds: Int64(days) * day)
        throw DetailsTrial(
          before: before.zone, after: after.zone,
          moves: DoseRescheduling.between(before.doses, after.doses, moved: moved, until: until))
      }
    } catch let trial as DetailsTrial {
      return trial
    }
    throw Failure.notFound
  }

  private static let day: Int64 = 24 * 3_600_000

  /// Returns the doses of the previewed days with a margin: travel moves them by up to a day.
  private static func listing(
    _ patient: PatientID, _ context: CommandContext, _ reader: any SQLReader
  ) throws -> DoseListing {
    try DoseQueries.listing(
      patient: patient, from: context.now,
      until: context.now.adding(milliseconds: Int64(days + 2) * day), now: context.now,
      zones: context.zones, in: reader)
  }
}

/// The card that shows a preview of changed details.
package struct DetailsTrialCard: PagePart {
  /// The preview to show.
  package let trial: DetailsTrial
  /// The language of the card.
  package let localizer: Localizer

  /// Creates the card of a preview.
  package init(trial: DetailsTrial, localizer: Localizer) {
    self.trial = trial
    self.localizer = localizer
  }

  /// The card with the moved doses and the note that nothing is saved yet.
  package var markup: Markup {
    """
    <section aria-labelledby="preview-title" class="card"><h2 class="card-title" \
    id="preview-title" tabindex="-1">\(localizer.text("medicines.moves.title"))</h2>\
    \(if: trial.isAsked, "<p><strong>\(localizer.text("medicines.moves.gives-up"))</strong></p>")\
    \(DoseReschedulingPart(
      moves: trial.moves, before: MedicineClock(zone: trial.before, localizer: localizer),
      after: MedicineClock(zone: trial.after, localizer: localizer)))\
    <p class="muted">\(localizer.text("medicines.preview.not-saved"))</p></section>
    """
  }
}
