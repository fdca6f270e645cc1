// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import SiteMap
import Web

/// The pages of a practitioner (patients in order of need, a patient and their plans), and the
/// directory in which patients find a practitioner.
package enum CareTeamRoutes {
  /// The routes of the practitioner's pages and of the directory.
  package static let all: [Route] = [
    .page(.get, Address.careTeam, CarePanelPage.show),
    .page(.get, CareProfilePage.path, CareProfilePage.show),
    .accountForm(CareProfilePage.path, CareProfilePage.save),
    .accountForm("/care/requests/:invitation", CareRequests.answer),
    .page(.get, Address.prescriptionTemplates, TemplatePages.list),
    .accountForm("/care/templates/:template/remove", TemplatePages.remove),
    .page(.get, "/care/:patient", CarePatientPage.show),
    .page(.get, "/care/:patient/plans/:plan/end", PlanEnding.form),
    .accountForm("/care/:patient/plans/:plan/end", PlanEnding.submit),
    .accountForm("/care/:patient/plans/:plan/resume", PlanEnding.resume),
    .accountForm("/care/:patient/proposals/:proposal/withdraw", PlanEnding.withdraw),
    .accountForm("/care/:patient/messages", CareMessages.send),
    .accountForm("/care/:patient/notes", CareNoteForms.add),
    .accountForm("/care/:patient/notes/:note/remove", CareNoteForms.remove),
    .page(.get, "/care/:patient/leave", CareLeaving.form),
    .accountForm("/care/:patient/leave", CareLeaving.submit),
    .page(.get, Address.practitionerDirectory, DirectoryPages.list),
    .accountForm("/doctors/code", DirectoryPages.typed),
    .page(.get, "/doctors/:practitioner", DirectoryPages.show).after(.recent),
    .form("/doctors/:practitioner", DirectoryPages.ask)
      .after(.recent, from: Address.practitionerDirectory),
    .page(.get, "/doctors/with/:code", DirectoryPages.showByCode).after(.recent),
    .form("/doctors/with/:code", DirectoryPages.askByCode)
      .after(.recent, from: Address.practitionerDirectory),
  ]
}
