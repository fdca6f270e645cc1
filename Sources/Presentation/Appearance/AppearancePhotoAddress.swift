// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers

/// The addresses at which the photos of medicines are shown.
package enum AppearancePhotoAddress {
  package static let path = "/appearance"

  /// The address of a photo: new with each one, so that no page shows an old one.
  package static func of(_ photo: MedicinePhoto, patient: PatientID, _ size: MedicinePhoto.Size)
    -> String
  {
    "\(path)/\(patient)/\(photo.id)\(size == .small ? "?size=small" : "")"
  }
}
