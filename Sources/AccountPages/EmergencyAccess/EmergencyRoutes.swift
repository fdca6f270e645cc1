// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import SiteMap
import Web

/// Looks at a person's data in an emergency: for practitioners whom an administrator has confirmed, in sight
/// of the person and of whoever runs the server.
package enum EmergencyRoutes {
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
