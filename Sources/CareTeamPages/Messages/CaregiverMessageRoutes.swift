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

/// An account's messages about the people it helps care for, and the form that nudges one of them.
package enum CaregiverMessageRoutes {
  /// The routes of the inbox, of nudges, and of the rules for messages.
  package static let all: [Route] =
    [
      .page(.get, Address.caregiverMessages, page),
      .accountForm(Address.caregiverMessages, seeAll),
      .accountForm("\(Address.caregiverMessages)/:notice", act),
      .accountForm("/nudges", nudge),
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

  /// Marks all messages as read.
  private static func seeAll(_ form: PostedForm) async throws -> Response {
    try await form.run { context, writer in
      try CaregiverMessageCommands.seeAll(
        of: context.actor.accountID, at: context.now, in: writer)
    }
    return form.redirect(to: Address.caregiverMessages)
  }

  /// Records that the account takes care of a message's subject.
  private static func act(_ form: PostedForm) async throws -> Response {
    let id = try form.parameter("notice")
    let notice = try await form.run { context, writer in
      try CaregiverMessageCommands.acknowledge(
        id, account: context.actor.accountID, rights: context.actor.rights, at: context.now,
        in: writer)
    }
    guard let notice else { throw Failure.notFound }
    form.call.environment.live.changed(notice.patient)
    return form.redirect(to: "\(Address.caregiverMessages)?done=taken")
  }

  /// Nudges a person about an open dose.
  private static func nudge(_ form: PostedForm) async throws -> Response {
    guard let patient = form.text("patient").map(PatientID.init),
      form.signedIn.actor.rights[patient] != nil
    else {
      throw Failure.notFound
    }
    do {
      try await form.run { context, writer in
        try Nudges.send(to: patient, context, in: writer)
      }
      form.call.environment.live.changed(patient)
      return form.redirect(to: "\(Address.caregiverMessages)?done=nudged")
    } catch NudgeError.nothingOpen {
      return form.redirect(to: "\(Address.caregiverMessages)?done=nothing-open")
    } catch NudgeError.tooMany {
      return form.redirect(to: "\(Address.caregiverMessages)?done=enough")
    }
  }
}
