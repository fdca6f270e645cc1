// SPDX-License-Identifier: Apache-2.0

import Adherence
import Identifiers

/// The addresses at which the photos of medicines are shown.
enum LookPhotoAddress {
  static let path = "/looks"

  /// The address of a photo: new with each one, so that no page shows an old one.
  static func of(_ photo: MedicinePhoto, patient: PatientID, _ size: MedicinePhoto.Size) -> String {
    "\(path)/\(patient)/\(photo.id)\(size == .small ? "?size=small" : "")"
  }
}
