// SPDX-License-Identifier: Apache-2.0

import Accounts
import Dosing
import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// The data for Today, read in one snapshot.
struct TodayReading: Sendable {
  let model: TodayModel
  let zone: Zone
  /// The number of doses that were read.
  let doseCount: Int
  /// The doses in the note about the last action.
  let noted: [Dose]
  /// True if a person who chose the simple view sees all of Today.
  let isSimple: Bool
  /// The progress of the day.
  let progress: TodayProgress
  /// Advice such as "Take with food." for doses that are still to be taken, by plan.
  let advice: [PlanID: [String]]
  /// The minimum gap between two intakes in milliseconds, by plan.
  let gaps: [PlanID: Int64]
  private let additions: [TodayAddition]

  init(
    model: TodayModel, zone: Zone, doseCount: Int = 0, noted: [Dose] = [], isSimple: Bool = false,
    progress: TodayProgress = TodayProgress(), advice: [PlanID: [String]] = [:],
    gaps: [PlanID: Int64] = [:], additions: [TodayAddition] = []
  ) {
    self.model = model
    self.zone = zone
    self.doseCount = doseCount
    self.noted = noted
    self.isSimple = isSimple
    self.progress = progress
    self.advice = advice
    self.gaps = gaps
    self.additions = additions
  }

  /// Reads the doses first, then the contribution of each feature.
  static func read(
    _ patient: PatientSnapshot, _ features: FeaturesInUse, _ contributions: [any TodayContribution],
    note: DoneNote?, _ call: Call, _ signedIn: SignedIn
  ) throws -> TodayReading {
    let now = patient.now
    let limits = TodayLimits(full: call.queryValue("show").flatMap(TodayPart.init(rawValue:)))
    let listing = try DoseQueries.today(of: patient, limits: limits)
    let date = listing.zone.date(at: Instant(milliseconds: now.milliseconds))
    let extras = try IntakeQueries.extras(
      of: patient,
      from: Timestamp(milliseconds: listing.zone.startOfDay(date).milliseconds),
      until: now.adding(milliseconds: 1), most: limits.limit(.done))
    // Without an open dose, there can be no question.
    let withinGap =
      listing.doses.contains { $0.due <= now && !$0.state.isAnswered }
      ? try IntakeQueries.latestWithinGap(of: patient) : [:]
    var model = TodayModel(
      doses: listing.doses, unplanned: listing.unplanned, intakes: extras.intakes,
      reasons: extras.reasons, withinGap: withinGap, limits: limits,
      unread: listing.unread.merging(
        [.done: extras.count - extras.intakes.count], uniquingKeysWith: +),
      zone: listing.zone, now: now)
    // With the simple page as first page, all of Today must be requested explicitly.
    let isSimple =
      features.simpleView && patient.patient == signedIn.account.patient
      && call.queryValue("view") != nil
    let context = TodayContext(
      call: call, signedIn: signedIn, patient: patient, features: features, zone: listing.zone,
      model: model, doses: listing.doses, isSimple: isSimple)
    let additions = try contributions.map { try $0.read(context) }
    model.reviewFirst(at: additions.reduce(into: []) { $0.formUnion($1.plansForReview) })
    let open = Set((model.now.flatMap(\.rows) + model.later).map(\.dose.plan))
    return TodayReading(
      model: model, zone: listing.zone, doseCount: listing.doses.count,
      noted: try note?.read(patient.patient, listed: listing.doses, now: now, in: patient.reader)
        ?? [],
      isSimple: isSimple, progress: listing.progress,
      advice: try DosageAdvice.read(of: open, in: patient, language: call.localizer.language),
      gaps: try patient.plans().reduce(into: [:]) { $0[$1.plan] = $1.minimumGap },
      additions: additions)
  }

  /// True if there is nothing at all to show.
  var isEmpty: Bool {
    model.isEmpty && !additions.contains { $0.cards.contains(where: \.fillsPage) }
  }

  /// The accesses to the data of other people that the cards contain.
  var accesses: [TodayAddition.DataAccess] { additions.flatMap(\.accesses) }

  /// Returns the sentences of features for the end of a day on which every dose was taken.
  func dayDone(_ rendering: TodayRendering) -> [String] {
    additions.compactMap { $0.dayDone?(rendering) }
  }

  /// The cards of a place, in their order.
  func cards(at place: TodayPlace) -> [TodayCard] {
    additions.flatMap(\.cards).filter { $0.place == place }
  }

  /// Returns the notes of all features for the row of a dose.
  func row(_ dose: Dose, _ rendering: TodayRendering) -> TodayRowAddition {
    var row = TodayRowAddition()
    for addition in additions {
      if let said = addition.row?(dose, rendering) { row.add(said) }
    }
    return row
  }
}
