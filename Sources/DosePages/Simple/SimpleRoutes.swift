// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The simple view in place of Today: one question, two buttons, and the last answer in large type.
package enum SimpleRoutes {
  /// The value of `view` with which Today shows everything.
  static let everything = "everything"

  /// The routes of the simple view.
  package static let all: [Route] = [
    .page(.get, Address.simpleView, page),
    .form(Address.simpleView, choose),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "Dose", of: patient)
    let (zones, account) = (call.environment.zones, signedIn.account.id)
    let page = try await call.environment.database.read { reader in
      let snapshot = PatientSnapshot(of: patient, now: call.now, zones: zones, in: reader)
      guard let features = try snapshot.features(seenBy: account) else {
        throw PlanError.notFound
      }
      return try read(call, snapshot, features)
    }
    return try await show(page, call, authorization)
  }

  /// Returns true if Today should be the simple page: for the person's own account, if it was
  /// chosen.
  static func isFirst(_ call: Call, _ signedIn: SignedIn, _ features: FeaturesInUse) -> Bool {
    features.simpleView && call.patient(of: signedIn) == signedIn.account.patient
      && call.queryValue("view") != everything
  }

  /// The maximum number of extra doses that the page lists, which are the latest.
  private static let mostExtras = 100

  /// Reads the page in the snapshot in which it was chosen.
  static func read(
    _ call: Call, _ patient: PatientSnapshot, _ features: FeaturesInUse
  ) throws -> SimplePage {
    let (now, name, reader) = (call.now, patient.patient, patient.reader)
    let listing = try DoseQueries.listing(
      of: patient, from: now.adding(milliseconds: -TodayModel.reach),
      until: now.adding(milliseconds: TodayModel.reach))
    var today = TodayModel(
      doses: listing.doses, unplanned: listing.unplanned,
      intakes: try IntakeQueries.extras(
        of: patient, from: now.adding(milliseconds: -TodayModel.reach),
        until: now.adding(milliseconds: 1), most: mostExtras
      ).intakes,
      withinGap: try IntakeQueries.latestWithinGap(of: patient), zone: listing.zone, now: now)
    let proposals =
      features.proposals ? try ProposalReading(of: patient) : ProposalReading()
    today.reviewFirst(at: proposals.plansForReview)
    let model = SimpleModel(
      today, asksOne: (DoneNote(call)?.left ?? 0) > 0, hasProposals: !proposals.isEmpty)
    return SimplePage(
      model: model, words: DoseFormatter(localizer: call.localizer, zone: listing.zone, now: now),
      laterMinutes: try laterMinutes(model.question, patient), isChosen: features.simpleView,
      mayChoose: (try? call.authorize(.update, "Patient", of: name)) != nil,
      looks: features.looks ? try MedicineAppearances(of: name, in: reader) : MedicineAppearances(),
      shifts: try DoseRescheduler.open(of: patient, list: call.environment.interactions.list))
  }

  static func show(
    _ page: SimplePage, _ call: Call, _ authorization: Authorization
  ) async throws -> Response {
    try await call.environment.audit(
      authorization, count: page.model.told.count, at: call.now)
    return page.response(call)
  }

  /// Returns the minutes by which "not now" postpones all doses in question; nil if it can't, or if
  /// a reason is required.
  private static func laterMinutes(
    _ question: SimpleModel.Question?, _ patient: PatientSnapshot
  ) throws -> Int? {
    guard case .take(let rows) = question else { return nil }
    if try LaterChoices.asksWhy(anyOf: rows.map(\.dose), of: patient) { return nil }
    var common: Set<Int>?
    for row in rows {
      let gap = try AnswerQueries.minimumGap(of: row.dose.plan, patient: patient)
      let choices = Set(LaterChoices.minutes(for: row.dose, minimumGap: gap, now: patient.now))
      common = common.map { $0.intersection(choices) } ?? choices
    }
    return common?.min()
  }

  private static func choose(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, "Patient")
    let isChosen = form.text("choice") == "on"
    let (patient, account, now) = (form.patient, form.signedIn.account.id, form.call.now)
    try await form.run { _, writer in
      try SimpleView.choose(isChosen, for: patient, by: account, at: now, in: writer)
    }
    return form.redirect(to: isChosen ? Address.simpleView : "/")
  }
}
