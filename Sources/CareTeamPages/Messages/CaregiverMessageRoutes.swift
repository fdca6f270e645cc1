// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Scheduling
import SiteMap
import Storage
import Web

/// What an account was told of others, and reminding them.
package enum CaregiverMessageRoutes {
  package static let all: [Route] =
    [
      .page(.get, Address.caregiverMessages, page),
      .page(.post, Address.caregiverMessages, seeAll),
      .page(.post, "\(Address.caregiverMessages)/:notice", act),
      .page(.post, "/nudges", nudge),
    ] + MessageRuleRoutes.all

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let environment = call.environment
    let (account, rights, now) = (signedIn.account.id, signedIn.actor.rights, call.now)
    let inbox = try await environment.database.read { reader -> CaregiverMessageInbox in
      let shown = try CaregiverMessageQueries.inbox(of: account, rights: rights, in: reader)
      let offers = try MessageCommands.offers(to: account, rights: rights, in: reader)
      var inbox = CaregiverMessageInbox(offers: offers)
      let patients = shown.map(\.notice.patient) + offers.filter(\.isAgreed).map(\.patient)
      for patient in patients where inbox.people[patient] == nil {
        guard inbox.people.count < CaregiverMessageInbox.mostPeople,
          let details = try PeopleQueries.details(patient, in: reader)?.details
        else { continue }
        inbox.order.append(patient)
        inbox.people[patient] = .init(
          name: details.displayName, phone: details.phone,
          zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
          mayNudge: offers.contains { $0.patient == patient && $0.isAgreed && $0.mayNudge }
            && (rights[patient]?.shares(.adherence) ?? false),
          notices: shown.filter { $0.notice.patient == patient })
      }
      return inbox
    }
    for patient in inbox.order {
      let authorization = try call.authorize(.read, "Patient", of: patient)
      try await environment.audit(
        authorization, count: inbox.people[patient]?.notices.count ?? 0, at: now)
    }
    return CaregiverMessagePage(inbox: inbox, now: now).response(call)
  }

  /// Notes that all was read.
  private static func seeAll(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    let (account, now) = (signedIn.account.id, call.now)
    try await call.environment.database.write { writer in
      try CaregiverMessageCommands.seeAll(of: account, at: now, in: writer)
    }
    return call.redirect(to: Address.caregiverMessages)
  }

  /// "I take care of it".
  private static func act(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    let id = try call.parameter("notice")
    let (account, rights, now) = (signedIn.account.id, signedIn.actor.rights, call.now)
    let notice = try await call.environment.database.write { writer in
      try CaregiverMessageCommands.acknowledge(id, account: account, rights: rights, at: now, in: writer)
    }
    guard let notice else { throw Failure.notFound }
    call.environment.live.changed(notice.patient)
    return call.redirect(to: "\(Address.caregiverMessages)?done=taken")
  }

  /// Reminds a person of an open dose.
  private static func nudge(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    guard let patient = form.text("patient").map(PatientID.init),
      signedIn.actor.rights[patient] != nil
    else {
      throw Failure.notFound
    }
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    do {
      try await call.environment.database.write { writer in
        try Nudges.send(to: patient, context, in: writer)
      }
      call.environment.live.changed(patient)
      return call.redirect(to: "\(Address.caregiverMessages)?done=nudged")
    } catch NudgeError.nothingOpen {
      return call.redirect(to: "\(Address.caregiverMessages)?done=nothing-open")
    } catch NudgeError.tooMany {
      return call.redirect(to: "\(Address.caregiverMessages)?done=enough")
    }
  }
}
