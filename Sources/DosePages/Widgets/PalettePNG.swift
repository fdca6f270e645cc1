// SPDX-License-Identifier: Apache-2.0

/// A small PNG file of at most 16 colours (W3C PNG, third edition), written without compression.
struct PalettePNG: Sendable {
  let width: Int
  let height: Int
  /// The colours; a pixel is an index into them.
  let palette: [(UInt8, UInt8, UInt8)]
  /// The opacity of each colour.
  let alphas: [UInt8]

  /// Returns a file with the given pixels, row by row.
  func bytes(_ pixels: [UInt8]) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      // Each row begins with its filter type: none.
      rows.append(0)
      for x in stride(from: 0, to: width, by: 2) {
        let right = x + 1 < width ? pixels[y * width + x + 1] : 0
        rows.append(pixels[y * width + x] << 4 | right & 0x0F)
      }
    }
    // Four bits per pixel, indexed colours.
    let header = Self.number(UInt32(width)) + Self.number(UInt32(height)) + [4, 3, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + Self.chunk("IHDR", header)
      + Self.chunk("PLTE", palette.flatMap { [$0.0, $0.1, $0.2] })
      + Self.chunk("tRNS", alphas)
      + Self.chunk("IDAT", Self.stored(rows))
      + Self.chunk("IEND", [])
  }

  /// Returns a zlib stream (RFC 1950) of stored blocks.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let length = UInt16(end - start)
      stream.append(end == bytes.count ? 1 : 0)
      stream += [UInt8(length & 0xFF), UInt8(length >> 8)]
      stream += [UInt8(~length & 0xFF), UInt8(~length >> 8)]
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return stream + number(high << 16 | low)
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + content
    return number(UInt32(content.count)) + named + number(checksum(named))
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
  }

  /// The CRC-32 of ISO 3309.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
