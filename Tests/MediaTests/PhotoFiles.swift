// SPDX-License-Identifier: Apache-2.0

@testable import Media

/// Pictures made for tests.
enum PhotoFiles {
  /// Red, green, blue and white, one in each quarter, from the top left.
  static func quarters(width: Int, height: Int) -> [UInt8] {
    var pixels: [UInt8] = []
    for row in 0..<height {
      for column in 0..<width {
        switch (row < height / 2, column < width / 2) {
        case (true, true): pixels += [255, 0, 0]
        case (true, false): pixels += [0, 255, 0]
        case (false, true): pixels += [0, 0, 255]
        case (false, false): pixels += [255, 255, 255]
        }
      }
    }
    return pixels
  }

  static func jpeg(width: Int, height: Int) throws(PhotoProblem) -> [UInt8] {
    guard
      let image = PixelImage(
        width: width, height: height, pixels: quarters(width: width, height: height)),
      let bytes = PhotoCodec.encode(image)
    else { throw .broken }
    return bytes
  }

  /// Returns a JPEG with an EXIF segment: the orientation, and text that must not be kept.
  static func withExif(_ jpeg: [UInt8], orientation: UInt8, isLittle: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
      return isLittle ? bytes : bytes.reversed()
    }
    let entry = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(Int(orientation), 2)
    let tiff =
      (isLittle ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, 2) + number(8, 4) + number(1, 2)
      + entry + [0, 0] + number(0, 4)
    let content = Array("Exif".utf8) + [0, 0] + tiff + Array("59.913 N taken at home".utf8)
    let length = content.count + 2
    return Array(jpeg[..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
      + jpeg[2...]
  }

  /// Returns a PNG of three or four bytes per pixel, whose rows are stored without compression.
  static func png(
    width: Int, height: Int, rows: [UInt8], channels: Int = 3, chunks: [(String, [UInt8])] = []
  ) -> [UInt8] {
    var data: [UInt8] = []
    for row in 0..<(rows.isEmpty ? 0 : height) {
      data.append(0)
      data += rows[(row * width * channels)..<((row + 1) * width * channels)]
    }
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: data.count, by: 65_535) {
      let block = data[start..<min(start + 65_535, data.count)]
      let length = UInt16(block.count)
      stream.append(start + block.count == data.count ? 1 : 0)
      stream += [UInt8(length & 0xFF), UInt8(length >> 8)]
      stream += [UInt8(~length & 0xFF), UInt8(~length >> 8)] + block
    }
    stream += big(adler(data))
    let header = big(UInt32(width)) + big(UInt32(height)) + [8, channels == 4 ? 6 : 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunks.flatMap { chunk($0.0, $0.1) } + chunk("IDAT", stream) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + content
    return big(UInt32(content.count)) + named + big(crc(named))
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
      }
    }
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}
