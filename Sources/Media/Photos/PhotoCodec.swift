// SPDX-License-Identifier: Apache-2.0

import CJPEG
import CPNG
import Foundation

/// The only place that calls the two picture libraries.
enum PhotoCodec {
  /// The memory that libjpeg may use in addition to the picture itself, in bytes.
  private static let jpegMemory = 192 * 1024 * 1024
  private static let quality: Int32 = 85

  /// The properties of a picture that are known before memory is allocated for it.
  struct Size: Sendable, Hashable {
    let width: Int
    let height: Int
    /// True if the whole picture must be in memory to decode it, however small the result.
    let isHeldWhole: Bool
  }

  static func sizeOfJPEG(_ bytes: [UInt8]) -> Size? {
    var (width, height): (UInt32, UInt32) = (0, 0)
    var several: Int32 = 0
    guard regimen_jpeg_size(bytes, bytes.count, &width, &height, &several) == 0 else { return nil }
    return Size(width: Int(width), height: Int(height), isHeldWhole: several != 0)
  }

  static func sizeOfPNG(_ bytes: [UInt8]) -> Size? {
    var (width, height): (UInt32, UInt32) = (0, 0)
    guard regimen_png_size(bytes, bytes.count, &width, &height) == 0 else { return nil }
    return Size(width: Int(width), height: Int(height), isHeldWhole: true)
  }

  /// Decodes a JPEG at 1/denominator of its size, which libjpeg does while decoding.
  static func jpeg(_ bytes: [UInt8], _ size: Size, denominator: Int) -> PixelImage? {
    let width = (size.width + denominator - 1) / denominator
    let height = (size.height + denominator - 1) / denominator
    return image(width, height) { pixels in
      regimen_jpeg_decode(
        bytes, bytes.count, UInt32(denominator), jpegMemory, pixels.baseAddress, pixels.count)
    }
  }

  static func png(_ bytes: [UInt8], _ size: Size) -> PixelImage? {
    image(size.width, size.height) { pixels in
      regimen_png_decode(bytes, bytes.count, pixels.baseAddress, pixels.count)
    }
  }

  /// Encodes as a JPEG that contains only pixels.
  static func encode(_ image: PixelImage) -> [UInt8]? {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let outcome = regimen_jpeg_encode(
      image.pixels, UInt32(image.width), UInt32(image.height), quality, &bytes, &count)
    guard outcome == 0, let bytes else { return nil }
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  private static func image(
    _ width: Int, _ height: Int, _ decode: (UnsafeMutableBufferPointer<UInt8>) -> Int32
  ) -> PixelImage? {
    var outcome: Int32 = 1
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { buffer, count in
      let target = UnsafeMutableBufferPointer(rebasing: buffer[..<(width * height * 3)])
      target.initialize(repeating: 255)
      outcome = decode(target)
      count = target.count
    }
    return outcome == 0 ? PixelImage(width: width, height: height, pixels: pixels) : nil
  }
}
