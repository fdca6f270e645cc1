// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Presentation
import Scheduling
import Storage
import Web

/// Invites someone to see a person's data, or to act for the person.
package enum Sharing {
  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, "Grant", of: patient)
    return SharePage(input: ShareInput(), mayHandOver: mayHandOver(patient, signedIn))
      .response(call)
  }

  @Sendable static func invite(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    let patient = form.patient
    _ = try form.authorize(.create, "Grant")
    let environment = call.environment
    let zone = try await environment.database.read { reader in
      try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
    }
    let input = ShareInput(form: form.fields)
    func again(_ mistake: GrantError?) -> Response {
      SharePage(
        input: input, mayHandOver: mayHandOver(patient, signedIn),
        mistakes: input.mistakes(mistake)
      ).response(call)
    }
    guard let offer = input.offer(zone: zone) else { return again(nil) }
    let id = InvitationID(environment.newIdentifier())
    let code = InvitationCode(random: environment.random)
    let accounts = environment.accounts
    do {
      _ = try await form.run { context, writer in
        try accounts.invite(
          offer, of: patient, id: id, code: code, by: context.actor, at: context.now, in: writer)
      }
      return form.redirect(to: "/people/invitations/\(id)")
    } catch let error as GrantError where error != .notFound {
      return again(error)
    }
  }

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.read, "Grant", of: patient)
    return try await page(
      call, patient, refused: nil,
      mailed: call.queryValue("done") == InvitationMailing.Outcome.sent.rawValue ? .sent : nil)
  }

  @Sendable static func decide(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let patient = form.patient
    _ = try form.authorize(.update, "Grant")
    let id = InvitationID(try form.parameter("invitation"))
    let environment = call.environment
    let accounts = environment.accounts
    let action = form.text("action")
    if action == "mail" { return try await mail(id, form) }
    do {
      let note: PeopleNote = try await form.run { context, writer in
        let (actor, now) = (context.actor, context.now)
        guard try accounts.invitation(id, of: patient, at: now, in: writer) != nil else {
          throw GrantError.notFound
        }
        switch action {
        case "confirm":
          let done = try accounts.confirm(
            invitation: id, of: patient, by: actor, at: now, in: writer)
          return done.handsOver ? .handedOver : .confirmed
        case "withdraw":
          try accounts.withdraw(invitation: id, of: patient, by: actor, at: now, in: writer)
          return .withdrawn
        default:
          throw Failure.unprocessable("value", "The form must name a known action.")
        }
      }
      environment.sessions.forget()
      environment.live.wakeStreams(of: [patient])
      return form.redirect(to: note.address)
    } catch let error as GrantError where error != .notFound {
      return try await page(call, patient, refused: error)
    }
  }

  /// Sends the invitation to a typed address.
  private static func mail(_ id: InvitationID, _ form: PostedForm) async throws -> Response {
    let typed = form.text(InvitationMailing.field) ?? ""
    let outcome = try await InvitationMailing.send(
      id, of: form.patient, to: typed, form.call, form.signedIn)
    guard outcome == .sent else {
      return try await page(form.call, form.patient, refused: nil, typed: typed, mailed: outcome)
    }
    return form.redirect(to: "/people/invitations/\(id)?done=\(outcome.rawValue)")
  }

  private static func page(
    _ call: Call, _ patient: PatientID, refused: GrantError?, typed: String = "",
    mailed: InvitationMailing.Outcome? = nil
  ) async throws -> Response {
    let id = InvitationID(try call.parameter("invitation"))
    let environment = call.environment
    let made = try await environment.database.read { reader -> InvitationOfferPage? in
      let accounts = environment.accounts
      guard let found = try accounts.invitation(id, of: patient, at: call.now, in: reader)
      else { return nil }
      let isProved = try found.acceptedBy.map {
        try accounts.addressProved(of: $0, in: reader) != nil
      }
      return InvitationOfferPage(
        invitation: found,
        accepted: try found.acceptedBy.flatMap { try accounts.account($0, in: reader) },
        zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
        refused: refused, isAddressProved: isProved ?? false, typedAddress: typed, mailed: mailed,
        asked: try found.asked.flatMap { try accounts.account($0, in: reader) })
    }
    guard let page = made else { throw Failure.notFound }
    return page.response(call)
  }

  /// The patient's own account can't be handed over.
  private static func mayHandOver(_ patient: PatientID, _ signedIn: SignedIn) -> Bool {
    signedIn.actor.rights[patient]?.relationship == .guardian
  }
}

/// The form of an invitation, exactly as typed.
struct ShareInput: Sendable, Hashable {
  var relationship = ""
  var categories: Set<DataCategory> = [.medicines, .adherence]
  var until = ""
  var handsOver = false

  init() {}

  init(form: FormBody) {
    relationship = form.text("relationship") ?? ""
    categories = PeopleText.categories(form)
    until = form.text("until") ?? ""
    handsOver = form.isChecked("hand-over")
  }

  /// Returns the offer; nil if something is missing.
  func offer(zone: Zone) -> GrantInvitation.Offer? {
    guard let chosen = Relationship(rawValue: relationship), chosen != .self_ else { return nil }
    // Guardians get everything without an end date, so ticked categories are ignored.
    guard chosen != .guardian else {
      return GrantInvitation.Offer(
        .guardian, categories: Set(DataCategory.allCases), handsOver: handsOver)
    }
    var ends: Timestamp?
    if !until.isEmpty {
      guard let last = CivilDate(text: until) else { return nil }
      ends = Timestamp(milliseconds: zone.startOfDay(last.adding(days: 1)).milliseconds)
    }
    return GrantInvitation.Offer(chosen, categories: categories, ends: ends)
  }

  /// Returns the mistakes, by field.
  func mistakes(_ error: GrantError?) -> [ShareMistake] {
    var mistakes: [ShareMistake] = []
    let chosen = Relationship(rawValue: relationship)
    if chosen == nil || chosen == .self_ { mistakes.append(.relationship) }
    if chosen != .guardian, !until.isEmpty, CivilDate(text: until) == nil {
      mistakes.append(.until)
    }
    if let error { mistakes.append(.refused(error)) }
    return mistakes
  }
}

/// A mistake in the form of an invitation.
enum ShareMistake: Sendable, Hashable {
  case relationship, until
  case refused(GrantError)

  var field: String {
    switch self {
    case .relationship: "relationship"
    case .until, .refused(.endsInThePast): "until"
    case .refused(.nothingShared): "category"
    case .refused: "relationship"
    }
  }
}
