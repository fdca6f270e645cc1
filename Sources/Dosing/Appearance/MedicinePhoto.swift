// SPDX-License-Identifier: Apache-2.0

/// A photo of a medicine, without its picture.
package struct MedicinePhoto: Sendable, Hashable {
  /// The most that a medicine has.
  package static let most = 3
  /// The most bytes of pictures that are kept for a person.
  package static let mostBytes = 8 * 1024 * 1024

  /// The two sizes in which it is kept.
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

  /// Names this photo, for caches and addresses.
  package let id: String
  /// 1 to ``most``.
  package let place: Int
  /// Of the large one.
  package let width: Int
  package let height: Int

  package init(id: String, place: Int, width: Int, height: Int) {
    self.id = id
    self.place = place
    self.width = width
    self.height = height
  }
}

/// The pictures of a photo that was re-encoded.
package struct MedicinePictures: Sendable, Hashable {
  package let large: [UInt8]
  package let small: [UInt8]
  /// Of the large one.
  package let width: Int
  package let height: Int

  package init(large: [UInt8], small: [UInt8], width: Int, height: Int) {
    self.large = large
    self.small = small
    self.width = width
    self.height = height
  }

  var byteCount: Int { large.count + small.count }
}

/// All that is known of how a medicine looks.
package struct KnownAppearance: Sendable, Hashable {
  package var look: MedicineAppearance?
  /// By their places.
  package var photos: [MedicinePhoto]

  package init(look: MedicineAppearance? = nil, photos: [MedicinePhoto] = []) {
    self.look = look
    self.photos = photos
  }

  package var isEmpty: Bool { look == nil && photos.isEmpty }
}
