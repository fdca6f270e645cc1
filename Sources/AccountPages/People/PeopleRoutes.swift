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

/// The people of an account, and those with whom each is shared.
package enum PeopleRoutes {
  /// The routes; changes to someone's access require a recent proof of identity.
  package static let all: [Route] = [
    .page(.get, Address.people, page),
    .page(.get, PersonListPage.address, PersonListPage.show),
    .page(.get, AccessListPage.address, AccessListPage.show),
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
    let model = try await call.environment.database.read { reader in
      try PeopleModel.read(call, signedIn, mayManage: mayManage, in: reader)
    }
    return PeoplePage(model: model, signedIn: signedIn).response(call)
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
