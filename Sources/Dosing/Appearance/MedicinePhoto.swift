// SPDX-License-Identifier: Apache-2.0

/// A photo of a medicine, without its pictures.
package struct MedicinePhoto: Sendable, Hashable {
  /// The maximum number of photos of one medicine.
  package static let most = 3
  /// The maximum number of bytes of all pictures of one patient.
  package static let mostBytes = 8 * 1024 * 1024

  /// The two sizes in which a photo is stored.
  package enum Size: String, Sendable, Hashable, CaseIterable {
    case large, small

    /// The longest side, in pixels.
    package var side: Int {
      switch self {
      case .large: 480
      case .small: 96
      }
    }
  }

  /// The identifier of this photo, for caches and addresses; a new picture gets a new one.
  package let id: String
  /// The position among the medicine's photos, 1 to ``most``.
  package let place: Int
  /// The width of the large picture, in pixels.
  package let width: Int
  /// The height of the large picture, in pixels.
  package let height: Int

  /// Creates a photo from its stored values.
  package init(id: String, place: Int, width: Int, height: Int) {
    self.id = id
    self.place = place
    self.width = width
    self.height = height
  }
}

/// The pictures of a photo that was re-encoded.
package struct MedicinePictures: Sendable, Hashable {
  /// The encoded large picture.
  package let large: [UInt8]
  /// The encoded small picture.
  package let small: [UInt8]
  /// The width of the large picture, in pixels.
  package let width: Int
  /// The height of the large picture, in pixels.
  package let height: Int

  /// Creates the pictures of one photo, both already re-encoded.
  package init(large: [UInt8], small: [UInt8], width: Int, height: Int) {
    self.large = large
    self.small = small
    self.width = width
    self.height = height
  }

  var byteCount: Int { large.count + small.count }
}

/// Everything known about the appearance of a medicine.
package struct KnownAppearance: Sendable, Hashable {
  /// The described appearance; nil if no one has described it.
  package var look: MedicineAppearance?
  /// The photos in the order of their places.
  package var photos: [MedicinePhoto]

  /// Creates the known appearance of a medicine.
  package init(look: MedicineAppearance? = nil, photos: [MedicinePhoto] = []) {
    self.look = look
    self.photos = photos
  }

  /// True if there is neither a description nor a photo.
  package var isEmpty: Bool { look == nil && photos.isEmpty }
}
