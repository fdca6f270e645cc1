// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// The routes of Today, the start page, which says what to do now.
package enum TodayRoutes {
  /// Returns the route of Today.
  ///
  /// - Parameter contributions: The features that add cards, in the order of their cards.
  package static func all(showing contributions: [any TodayContribution]) -> [Route] {
    [.page(.get, "/") { try await today($0, $1, contributions) }]
  }

  private enum Page: Sendable {
    case today(TodayReading)
    case simple(SimplePage)
  }

  private static func today(
    _ call: Call, _ signedIn: SignedIn, _ contributions: [any TodayContribution]
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization: Authorization
    do {
      authorization = try call.authorize(.read, "Dose", of: patient)
    } catch DenialReason.notShared {
      return try await SharedTodayPage.response(call, patient: patient)
    }
    let environment = call.environment
    let note = DoneNote(call)
    let page = try await environment.database.readBriefly { reader -> Page in
      let snapshot = PatientSnapshot(
        of: patient, now: call.now, zones: environment.zones, in: reader)
      guard let features = try snapshot.features(seenBy: signedIn.account.id) else {
        throw PlanError.notFound
      }
      if SimpleRoutes.isFirst(call, signedIn, features) {
        return .simple(try SimpleRoutes.read(call, snapshot, features))
      }
      return .today(
        try TodayReading.read(
          snapshot, features, contributions, note: note, call, signedIn))
    }
    switch page {
    case .simple(let page):
      return try await SimpleRoutes.show(page, call, authorization)
    case .today(let reading):
      try await environment.audit(authorization, count: reading.doseCount, at: call.now)
      for access in reading.accesses {
        try await environment.audit(access.authorization, count: access.count, at: call.now)
      }
      return response(call, signedIn, reading, note)
    }
  }

  private static func response(
    _ call: Call, _ signedIn: SignedIn, _ reading: TodayReading, _ note: DoneNote?
  ) -> Response {
    let newIdentifier = call.environment.newIdentifier
    var frame = call.frame()
    let words = DoseFormatter(localizer: frame.localizer, zone: reading.zone, now: call.now)
    frame.title = frame.localizer.text("today.title")
    frame.lead = words.date(words.today, .long)
    if let person = call.person, person.isOwn {
      let greeting = TodayHead.greeting(
        person.calledName, hour: words.local(call.now).time.hour, frame.localizer)
      frame.lead = "\(greeting) · \(words.date(words.today, .long))"
    }
    frame.place = .today
    frame.secondsFresh = 60
    frame.isLive = true
    frame.flash = note?.flash(
      reading.noted, words: words, now: call.now, token: call.formToken, returnPath: "/",
      newIdentifier: newIdentifier)
    let view = TodayView(
      reading: reading, reader: signedIn.account.displayName,
      rendering: TodayRendering(
        words: words, token: call.formToken, newIdentifier: newIdentifier))
    return call.page(frame, view.markup)
  }
}
