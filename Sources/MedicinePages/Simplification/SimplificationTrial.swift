// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Identifiers
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Scheduling
import Storage
import Web

/// The effect of applying a proposal: the moved doses, and those that come too close together in
/// the transition.
///
/// Nothing is saved.
struct SimplificationTrial: Error, Sendable {
  private static let day: Int64 = 24 * 3_600_000

  let moves: DetailsTrial
  let near: [IntakeNearness]

  /// Applies the proposal in a transaction that is then rolled back.
  static func run(
    of patient: PatientID, _ situation: IntakeSituation, context: CommandContext,
    in database: Database, _ change: @escaping @Sendable (any SQLWriter) throws -> Void
  ) async throws -> SimplificationTrial {
    do {
      try await database.write { (writer) throws -> Void in
        let before = try listing(patient, context, writer)
        try change(writer)
        let after = try listing(patient, context, writer)
        let until = context.now.adding(milliseconds: Int64(DetailsTrial.days) * day)
        func ahead(_ doses: [Dose]) -> [Dose] { doses.filter { $0.due >= context.now } }
        let known = Set(situation.nearness(of: before.doses))
        throw SimplificationTrial(
          moves: DetailsTrial(
            before: before.zone, after: after.zone,
            moves: DoseRescheduling.between(ahead(before.doses), ahead(after.doses), until: until)),
          near: situation.nearness(of: after.doses).filter { !known.contains($0) })
      }
    } catch let trial as SimplificationTrial {
      return trial
    }
    throw Failure.notFound
  }

  /// Returns the doses of the past day and of the days ahead, with a margin.
  private static func listing(
    _ patient: PatientID, _ context: CommandContext, _ reader: any SQLReader
  ) throws -> DoseListing {
    try DoseQueries.listing(
      patient: patient, from: context.now.adding(milliseconds: -day),
      until: context.now.adding(milliseconds: Int64(DetailsTrial.days + 2) * day),
      now: context.now, zones: context.zones, in: reader)
  }
}

/// The cards that show the trial.
struct SimplificationTrialPart: PagePart {
  let trial: SimplificationTrial
  let words: SimplificationText

  var markup: Markup {
    let clock = MedicineClock(zone: trial.moves.after, localizer: words.localizer)
    let near = Notice(
      .warning, title: words.text("near"),
      """
      <ul class="stack-small" role="list">\(each: trial.near, { near in
        """
        <li>\(words.markup(near.rule))<br>\(words.text(
          "near-moments",
          ["first": .text(clock.text(near.first)), "second": .text(clock.text(near.second))]))</li>
        """
      })</ul><p>\(words.text("near-ask"))</p>
      """)
    return """
      \(if: !trial.near.isEmpty, near.markup)\
      \(DetailsTrialCard(trial: trial.moves, localizer: words.localizer))
      """
  }
}
