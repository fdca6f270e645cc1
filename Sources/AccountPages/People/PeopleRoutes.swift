// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import People
import SiteMap
import Storage
import Web

/// The persons of an account, and the people with whom each is shared.
package enum PeopleRoutes {
  /// The routes; what changes someone's access requires a recent proof of identity.
  package static let all: [Route] = [
    .page(.get, Address.people, page),
    .accountForm(PersonChoice.path, choose),
    .page(.get, "/people/new", NewPerson.form),
    .accountForm("/people/new", NewPerson.add),
    .page(.get, "/people/share", Sharing.form).after(.recent),
    .form("/people/share", Sharing.invite).after(.recent, from: "/people/share"),
    .page(.get, "/people/invitations/:invitation", Sharing.show),
    .form("/people/invitations/:invitation", Sharing.decide).after(.recent, from: Address.people),
    .page(.get, "/people/access/:account", GrantPages.show).after(.recent),
    .form("/people/access/:account", GrantPages.change).after(.recent, from: Address.people),
    .page(.get, "/join", Joining.form),
    .accountForm("/join", Joining.typed),
    .page(.get, "/join/:code", Joining.show),
    .accountForm("/join/:code", Joining.decide),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let right = signedIn.actor.rights[patient]
    let mayManage = right?.relationship.actsForPatient ?? false
    if mayManage { _ = try call.authorize(.read, "Grant", of: patient) }
    let environment = call.environment
    let model = try await environment.database.read { reader in
      let accounts = environment.accounts
      let waiting = try accounts.acceptedInvitations(
        by: signedIn.account.id, at: call.now, in: reader)
      return PeopleModel(
        grants: mayManage ? try accounts.grants(of: patient, at: call.now, in: reader) : [],
        invitations: mayManage
          ? try accounts.invitations(of: patient, at: call.now, in: reader) : [],
        waiting: try waiting.map { invitation in
          try PeopleQueries.name(invitation.patient, in: reader) ?? ""
        },
        isPractitioner: try accounts.isPractitioner(signedIn.account.id, in: reader),
        zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader))
    }
    return PeoplePage(model: model, patient: patient, signedIn: signedIn).response(call)
  }

  /// Chooses whose pages this device shows.
  private static func choose(_ form: PostedForm) async throws -> Response {
    guard let patient = form.text(PersonChoice.field),
      form.signedIn.actor.rights[PatientID(patient)] != nil
    else {
      throw Failure.notFound
    }
    let target = LocalPath.checked(form.text("return")) ?? "/"
    return form.redirect(to: target, cookies: [form.call.choiceCookie(PatientID(patient))])
  }
}
