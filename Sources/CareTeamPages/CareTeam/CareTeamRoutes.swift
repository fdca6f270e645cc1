// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import SiteMap
import Web

/// The practitioner's side: patients in order of need, a patient's page and its plans; and the directory in which
/// patients find a practitioner.
package enum CareTeamRoutes {
  package static let all: [Route] = [
    .page(.get, Address.careTeam, CarePanelPage.show),
    .page(.get, CareProfilePage.path, CareProfilePage.show),
    .page(.post, CareProfilePage.path, CareProfilePage.save),
    .page(.post, "/care/requests/:invitation", CareRequests.answer),
    .page(.get, Address.prescriptionTemplates, TemplatePages.list),
    .page(.post, "/care/templates/:template/remove", TemplatePages.remove),
    .page(.get, "/care/:patient", CarePatientPage.show),
    .page(.get, "/care/:patient/plans/:plan/end", PlanEnding.form),
    .page(.post, "/care/:patient/plans/:plan/end", PlanEnding.submit),
    .page(.post, "/care/:patient/plans/:plan/resume", PlanEnding.resume),
    .page(.post, "/care/:patient/proposals/:proposal/withdraw", PlanEnding.withdraw),
    .page(.post, "/care/:patient/notes", CareNoteForms.add),
    .page(.post, "/care/:patient/notes/:note/remove", CareNoteForms.remove),
    .page(.get, "/care/:patient/leave", CareLeaving.form),
    .page(.post, "/care/:patient/leave", CareLeaving.submit),
    .page(.get, Address.practitionerDirectory, DirectoryPages.list),
    .page(.post, "/doctors/code", DirectoryPages.typed),
    .page(.get, "/doctors/:practitioner", DirectoryPages.show).after(.recent),
    .page(.post, "/doctors/:practitioner", DirectoryPages.ask)
      .after(.recent, from: Address.practitionerDirectory),
    .page(.get, "/doctors/with/:code", DirectoryPages.showByCode).after(.recent),
    .page(.post, "/doctors/with/:code", DirectoryPages.askByCode)
      .after(.recent, from: Address.practitionerDirectory),
  ]

}
