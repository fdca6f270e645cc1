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

  /// Creates the mistake that corresponds to a problem with the file's content.
  package init(_ problem: PhotoProblem) {
    switch problem {
    case .notAPhoto: self = .notAPhoto
    case .broken: self = .broken
    case .tooManyPixels: self = .tooManyPixels
    }
  }
}

/// Decodes photos and sounds one at a time, so that many at once need no more memory than one.
package actor PhotoReader {
  /// The largest accepted photo file, in bytes.
  package static let maximumFile = 10 * 1024 * 1024

  /// Creates a reader; the server has only one.
  package init() {}

  /// Decodes and scales a photo.
  ///
  /// - Parameter side: The longest side of the result, in pixels.
  /// - Throws: ``PhotoProblem`` if the bytes are not a usable photo.
  package func photo(reading bytes: [UInt8], side: Int = Photo.side) throws -> Photo {
    try Photo(reading: bytes, side: side)
  }

  /// Decodes a sound.
  package func sound(reading bytes: [UInt8]) throws -> Sound {
    try Sound(reading: bytes)
  }
}

extension PhotoReader: FeatureValue {
  /// A reader without files to decode.
  package static let absent = PhotoReader()
}

extension ServerEnvironment {
  /// The reader of photos and sounds that people send.
  package var photos: PhotoReader { features[PhotoReader.self] }
}
