// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers

/// The addresses of medicine photos.
package enum AppearancePhotoAddress {
  /// The path under which photos are served.
  package static let path = "/appearance"

  /// Returns the address of a photo, new for each one, so that no cache shows an old photo.
  package static func of(_ photo: MedicinePhoto, patient: PatientID, _ size: MedicinePhoto.Size)
    -> String
  {
    "\(path)/\(patient)/\(photo.id)\(size == .small ? "?size=small" : "")"
  }
}
