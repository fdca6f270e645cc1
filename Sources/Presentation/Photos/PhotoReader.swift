// SPDX-License-Identifier: Apache-2.0

import Media
import Web

/// A mistake in a file that should become a photo.
package enum PhotoMistake: String, Error, Sendable, Hashable, CaseIterable {
  case missing
  case tooLarge = "too-large"
  case notAPhoto = "not-a-photo"
  case broken
  case tooManyPixels = "too-many-pixels"

  package init(_ problem: PhotoProblem) {
    switch problem {
    case .notAPhoto: self = .notAPhoto
    case .broken: self = .broken
    case .tooManyPixels: self = .tooManyPixels
    }
  }
}

/// Reads photos and sounds one after the other, so that many at once take no more memory than one.
package actor PhotoReader {
  /// The largest file of a photo, in bytes.
  package static let maximumFile = 10 * 1024 * 1024

  package init() {}

  package func photo(reading bytes: [UInt8], side: Int = Photo.side) throws -> Photo {
    try Photo(reading: bytes, side: side)
  }

  package func sound(reading bytes: [UInt8]) throws -> Sound {
    try Sound(reading: bytes)
  }
}

extension ServerEnvironment {
  /// Reads the photos and sounds that people send.
  package var photos: PhotoReader { features[PhotoReader.self] }
}
