// SPDX-License-Identifier: Apache-2.0

/// A reason why a file cannot be kept as a photo.
package enum PhotoProblem: String, Error, Sendable, Hashable, CaseIterable {
  /// The file is neither JPEG nor PNG.
  case notAPhoto = "not-a-photo"
  /// The file claims to be a photo but cannot be read.
  case broken
  case tooManyPixels = "too-many-pixels"
}

/// A photo that was decoded and encoded again: small, upright and only pixels, so that neither its location
/// nor anything hidden in the file is kept.
package struct Photo: Sendable, Hashable {
  /// The photo as a JPEG file.
  package let bytes: [UInt8]
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int

  /// The media type of ``bytes``.
  package static let mediaType = "image/jpeg"
  /// The longest side, in pixels.
  package static let side = 512
  /// The maximum number of pixels of a picture that is decoded row by row.
  package static let mostPixels = 60_000_000
  /// The maximum number of pixels of a picture that must be in memory as a whole.
  package static let mostPixelsHeld = 16_000_000

  /// Creates a photo from a JPEG or PNG file; the size in its header is checked before memory is allocated
  /// for pixels.
  ///
  /// - Parameters:
  ///   - bytes: the file, whose length the caller has bounded.
  ///   - side: the maximum length of a side.
  package init(reading bytes: [UInt8], side: Int = Self.side) throws(PhotoProblem) {
    let decoded: PixelImage?
    let orientation: PhotoOrientation
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      let size = try Self.checked(PhotoCodec.sizeOfJPEG(bytes))
      decoded = PhotoCodec.jpeg(bytes, size, denominator: Self.denominator(size, side))
      orientation = .ofJPEG(bytes)
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      decoded = PhotoCodec.png(bytes, try Self.checked(PhotoCodec.sizeOfPNG(bytes)))
      orientation = .ofPNG(bytes)
    } else {
      throw .notAPhoto
    }
    guard let image = decoded?.fitted(side: side).upright(orientation),
      let written = PhotoCodec.encode(image)
    else { throw .broken }
    self.bytes = written
    width = image.width
    height = image.height
  }

  private static func checked(_ size: PhotoCodec.Size?) throws(PhotoProblem) -> PhotoCodec.Size {
    guard let size, size.width > 0, size.height > 0 else { throw .broken }
    let most = size.isHeldWhole ? mostPixelsHeld : mostPixels
    guard size.width <= most / size.height else { throw .tooManyPixels }
    return size
  }

  /// Returns the largest reduction by libjpeg with which the picture is still at least as large as wanted.
  private static func denominator(_ size: PhotoCodec.Size, _ side: Int) -> Int {
    [8, 4, 2].first { max(size.width, size.height) / $0 >= side } ?? 1
  }
}
