// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import Hummingbird
import Identifiers
import Scheduling
import Storage

/// The first page for whom Today is too much: one question, two buttons, the last answer in large type.
package enum SimpleRoutes {
  static let path = "/simple"
  /// The value of `view` with which Today shows everything all the same.
  static let everything = "everything"

  package static let all: [Route] = [
    .page(.get, path, page),
    .page(.post, path, choose),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await show(call, signedIn)
  }

  /// Whether Today is to be the simple page: for the person's own account, where it was chosen.
  static func isFirst(_ call: Call, _ signedIn: SignedIn) async throws -> Bool {
    let patient = call.patient(of: signedIn)
    guard patient == signedIn.account.patient, call.queryValue("view") != everything else {
      return false
    }
    return try await call.environment.database.read { reader in
      try SimpleView.isChosen(by: patient, in: reader)
    }
  }

  /// The maximum number of extra doses that the page lists, which are the latest.
  private static let mostExtras = 100

  static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "Dose", of: patient)
    let mayChoose = (try? call.authorize(.update, "Patient", of: patient)) != nil
    let (zones, now) = (call.environment.zones, call.now)
    let page = try await call.environment.database.read { reader in
      let listing = try DoseQueries.listing(
        patient: patient, from: now.adding(milliseconds: -TodayModel.reach),
        until: now.adding(milliseconds: TodayModel.reach), now: now, zones: zones, in: reader)
      let today = TodayModel(
        doses: listing.doses, unplanned: listing.unplanned,
        intakes: try IntakeQueries.extras(
          patient: patient, from: now.adding(milliseconds: -TodayModel.reach),
          until: now.adding(milliseconds: 1), most: Self.mostExtras, in: reader
        ).intakes,
        withinGap: try IntakeQueries.latestWithinGap(before: now, patient: patient, in: reader),
        proposals: try ProposalReading(patient: patient, in: reader), zone: listing.zone, now: now)
      let model = SimpleModel(today, asksOne: (DoneNote(call)?.left ?? 0) > 0)
      return SimplePage(
        model: model, words: DoseWords(localizer: call.localizer, zone: listing.zone, now: now),
        laterMinutes: try laterMinutes(model.question, patient, now, reader),
        isChosen: try SimpleView.isChosen(by: patient, in: reader), mayChoose: mayChoose,
        looks: try MedicineLooks(of: patient, in: reader),
        shifts: try ShiftCards.open(of: patient, call, in: reader))
    }
    try await call.environment.audit(authorization, count: page.model.told.count, at: now)
    return page.response(call)
  }

  /// How long "not now" puts off all that is asked about; nil where it cannot, or where a reason would be asked.
  private static func laterMinutes(
    _ question: SimpleModel.Question?, _ patient: PatientID, _ now: Timestamp,
    _ reader: any SQLReader
  ) throws -> Int? {
    guard case .take(let rows) = question else { return nil }
    var common: Set<Int>?
    for row in rows {
      if try LaterChoices.asksWhy(row.dose.id, patient: patient, in: reader) { return nil }
      let gap = try AnswerQueries.minimumGap(of: row.dose.plan, patient: patient, in: reader)
      let choices = Set(LaterChoices.minutes(for: row.dose, minimumGap: gap, now: now))
      common = common.map { $0.intersection(choices) } ?? choices
    }
    return common?.min()
  }

  private static func choose(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.update, "Patient", of: patient)
    let isChosen = form.text("choice") == "on"
    let (account, now) = (signedIn.account.id, call.now)
    try await call.environment.database.write { writer in
      try SimpleView.choose(isChosen, for: patient, by: account, at: now, in: writer)
    }
    return call.redirect(to: isChosen ? path : "/")
  }
}
