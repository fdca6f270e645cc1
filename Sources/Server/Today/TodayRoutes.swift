// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import HTML
import Hummingbird
import Identifiers
import Localization
import Scheduling
import Storage
import TimeZones

/// The first page, which answers what to do now.
package enum TodayRoutes {
  package static let all: [Route] = [.page(.get, "/", today)]

  private static func today(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization: Authorization
    do {
      authorization = try call.authorize(.read, "Dose", of: patient)
    } catch DenialReason.notShared {
      return try await SharedTodayPage.response(call, patient: patient)
    }
    if try await SimpleRoutes.isFirst(call, signedIn) {
      return try await SimpleRoutes.show(call, signedIn)
    }
    let environment = call.environment
    let now = call.now
    let account = signedIn.account.id
    let actsForPatient = call.formToken.mayAct
    let limits = TodayLimits(full: call.queryValue("show").flatMap(TodayPart.init(rawValue:)))
    let note = DoneNote(call)
    let (listing, noted, model, canRing, asides) = try await environment.database.read {
      reader in
      let listing = try DoseQueries.today(
        patient: patient, limits: limits, now: now, zones: environment.zones, in: reader)
      let (from, until) = (MissedPage.today(listing.zone, now), now.adding(milliseconds: 1))
      let extras = try IntakeQueries.extras(
        patient: patient, from: from, until: until, most: limits.limit(.done), in: reader)
      let unread = listing.unread.merging(
        [.done: extras.count - extras.intakes.count], uniquingKeysWith: +)
      // Without an open dose nothing can be asked about.
      let withinGap =
        listing.doses.contains { $0.due <= now && !$0.state.isAnswered }
        ? try IntakeQueries.latestWithinGap(before: now, patient: patient, in: reader) : [:]
      var model = TodayModel(
        doses: listing.doses, unplanned: listing.unplanned, intakes: extras.intakes,
        reasons: try ExtraRecords.reasons(from, until, patient: patient, in: reader),
        withinGap: withinGap,
        proposals: try ProposalReading(
          patient: patient,
          checker: call.medicineChecker(
            patient: patient, actor: signedIn.actor, zone: listing.zone), in: reader),
        limits: limits, unread: unread, zone: listing.zone, now: now)
      let forgotten = model.forgotten
      let rules = try AfterMissQueries.rules(
        of: Set((forgotten + model.due).map(\.plan)), patient: patient, in: reader)
      model.advise(
        rules: rules,
        replannings: try replannings(
          forgotten.filter { rules[$0.plan] != nil }, environment, now, in: reader),
        now: now)
      let mornings = try Mornings.of([patient], zones: environment.zones, in: reader)[patient]
      let holdsUntil = listing.doses.filter { $0.state == .due }
        .compactMap { mornings?.rings($0) }.filter { $0 > now }.max()
      let noted = try note?.read(patient, now: now, in: reader) ?? []
      return (
        listing, noted, model,
        try ReminderQueries.hasConfirmedDevice(account, now: now, in: reader),
        TodayAsides(
          silent: try PushSubscriptions.list(account, now: now, in: reader).filter(\.isBroken),
          warning: actsForPatient
            ? try WatchQueries.open(
              of: patient, on: listing.zone.date(at: Instant(milliseconds: now.milliseconds)),
              in: reader) : nil,
          holdsUntil: holdsUntil,
          unanswered: try MissedDoses.summary(
            of: patient, dueBefore: MissedPage.today(listing.zone, now), now: now, in: reader),
          asNeeded: listing.unplanned.contains { $0.reason == .asNeeded }
            ? try AsNeededQueries.all(
              patient: patient, now: now, zones: environment.zones, in: reader) : [],
          turns: try CycleRows.turns(
            patient: patient,
            after: listing.zone.date(at: Instant(milliseconds: now.milliseconds)), in: reader),
          clockMoves: try clockMoves(
            patient, zone: listing.zone, now: now, environment.zones, in: reader),
          shifts: try DoseShifting.open(
            patient: patient, list: environment.interactions.list, now: now,
            zones: environment.zones, in: reader),
          journeyPutOff: try JourneyQuestion.putOff(patient, account: account, at: now, in: reader),
          low: try StockReading(call: call, signedIn: signedIn).low(of: patient, in: reader),
          // Whose first page it is sees all of Today by asking for it alone.
          isSimple: try patient == signedIn.account.patient && call.queryValue("view") != nil
            && SimpleView.isChosen(by: patient, in: reader),
          looks: try MedicineLooks(of: patient, in: reader),
          accepted: actsForPatient
            ? try environment.accounts.invitations(of: patient, at: now, in: reader)
              .filter { $0.state == .accepted } : [],
          passed: try PassedDoses.today(
            of: patient, now: now, zones: environment.zones, in: reader),
          messages: actsForPatient
            ? try TodayMessages.read(patient, now: now, in: reader) : TodayMessages())
      )
    }
    try await environment.audit(authorization, count: listing.doses.count, at: now)
    var frame = call.frame()
    let words = DoseWords(localizer: frame.localizer, zone: listing.zone, now: now)
    frame.title = frame.localizer.text("today.title")
    frame.lead = words.date(words.today, .long)
    frame.place = .today
    frame.secondsFresh = 60
    frame.isLive = true
    frame.flash = note?.flash(
      noted, words: words, now: now, token: call.formToken, returnPath: "/",
      newIdentifier: environment.newIdentifier)
    let view = TodayView(
      model: model, canRing: canRing, asides: asides, words: words,
      list: environment.interactions.list,
      reader: signedIn.account.displayName, token: call.formToken,
      newIdentifier: environment.newIdentifier, now: now)
    return call.page(frame, view.markup)
  }

  private static func replannings(
    _ doses: [Dose], _ environment: ServerEnvironment, _ now: Timestamp, in reader: any SQLReader
  ) throws -> [DoseID: Replanning] {
    var found: [DoseID: Replanning] = [:]
    for dose in doses {
      found[dose.id] = try ReplanReading.replanning(
        of: dose, list: environment.interactions.list, now: now, zones: environment.zones,
        in: reader)
    }
    return found
  }

  /// The doses that the clock moves until tomorrow ends, told from six in the evening on.
  private static func clockMoves(
    _ patient: PatientID, zone: Zone, now: Timestamp, _ zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> [ClockMove] {
    let local = zone.local(at: Instant(milliseconds: now.milliseconds))
    let days = local.time.hour >= 18 ? 2 : 1
    let until = Timestamp(
      milliseconds: zone.startOfDay(local.date.adding(days: days)).milliseconds)
    guard
      try DoseQueries.isClockSet(
        of: patient, own: zone, from: now, until: until, zones: zones, in: reader)
    else { return [] }
    return try DoseQueries.movedByClock(
      patient: patient, from: now, until: until, zones: zones, in: reader)
  }
}
