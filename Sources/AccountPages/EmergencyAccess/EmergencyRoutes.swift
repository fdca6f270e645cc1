// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import SiteMap
import Web

/// Emergency access to a person's data.
///
/// It is for practitioners whom an administrator has confirmed; the person and the administrators
/// see each access.
package enum EmergencyRoutes {
  /// The pages for practitioners, for the person and for administrators.
  package static let all: [Route] = [
    .page(.get, Address.emergencyAccess, EmergencyForm.form),
    .accountForm(Address.emergencyAccess, EmergencyForm.open),
    .page(.get, "\(Address.emergencyAccess)/:emergency", EmergencyPages.show),
    .accountForm("\(Address.emergencyAccess)/:emergency/end", EmergencyPages.end),
    .page(.get, EmergencyPages.toldPath, EmergencyPages.told),
    .page(.get, EmergencyReview.path, EmergencyReview.list),
    .accountForm("\(EmergencyReview.path)/:emergency", EmergencyReview.review),
    .page(.get, PractitionerPages.path, PractitionerPages.list),
    .accountForm(PractitionerPages.path, PractitionerPages.confirm),
    .accountForm("\(PractitionerPages.path)/:account/end", PractitionerPages.end),
  ]
}
