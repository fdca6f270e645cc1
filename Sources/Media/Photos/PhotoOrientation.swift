// SPDX-License-Identifier: Apache-2.0

/// The orientation of a camera by its EXIF number (TIFF tag 0x0112): the position of row and column 0.
enum PhotoOrientation: Int, Sendable, CaseIterable {
  case upright = 1
  case mirrored = 2
  case upsideDown = 3
  case mirroredUpsideDown = 4
  case mirroredOnLeft = 5
  case onRight = 6
  case mirroredOnRight = 7
  case onLeft = 8

  /// True if width and height are swapped.
  var swapsSides: Bool { rawValue >= 5 }

  /// Returns the stored pixel that appears at a position; the size is that of the stored picture.
  func source(column: Int, row: Int, width: Int, height: Int) -> (column: Int, row: Int) {
    switch self {
    case .upright: (column, row)
    case .mirrored: (width - 1 - column, row)
    case .upsideDown: (width - 1 - column, height - 1 - row)
    case .mirroredUpsideDown: (column, height - 1 - row)
    case .mirroredOnLeft: (row, column)
    case .onRight: (row, height - 1 - column)
    case .mirroredOnRight: (width - 1 - row, height - 1 - column)
    case .onLeft: (width - 1 - row, column)
    }
  }
}

extension PhotoOrientation {
  /// Finds the orientation in the segments of a JPEG; upright if there is none.
  static func ofJPEG(_ bytes: [UInt8]) -> PhotoOrientation {
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      // There are no more segments from the first scan on.
      guard marker != 0xDA, marker != 0xD9 else { break }
      if marker == 0xFF {
        place += 1
        continue
      }
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      guard length >= 2, place + 2 + length <= bytes.count else { break }
      let content = bytes[(place + 4)..<(place + 2 + length)]
      if marker == 0xE1, content.starts(with: exifSign),
        let found = ofTIFF(content.dropFirst(exifSign.count))
      {
        return found
      }
      place += 2 + length
    }
    return .upright
  }

  /// Finds the orientation in the chunks of a PNG.
  static func ofPNG(_ bytes: [UInt8]) -> PhotoOrientation {
    var place = 8
    while place + 12 <= bytes.count {
      let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
      guard place + 12 + length <= bytes.count else { break }
      if bytes[(place + 4)..<(place + 8)].elementsEqual("eXIf".utf8) {
        return ofTIFF(bytes[(place + 8)..<(place + 8 + length)]) ?? .upright
      }
      place += 12 + length
    }
    return .upright
  }

  private static let exifSign: [UInt8] = Array("Exif".utf8) + [0, 0]

  /// Reads the first directory of a TIFF header; nil if it has no orientation.
  private static func ofTIFF(_ bytes: ArraySlice<UInt8>) -> PhotoOrientation? {
    let tiff = Array(bytes)
    let isLittle: Bool
    switch tiff.prefix(2) {
    case [0x49, 0x49]: isLittle = true
    case [0x4D, 0x4D]: isLittle = false
    default: return nil
    }
    func number(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place + count <= tiff.count else { return nil }
      let digits = tiff[place..<(place + count)]
      return (isLittle ? Array(digits.reversed()) : Array(digits)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(2, 2) == 42, let start = number(4, 4), let entries = number(start, 2) else {
      return nil
    }
    for entry in 0..<entries {
      let place = start + 2 + entry * 12
      guard let tag = number(place, 2) else { return nil }
      guard tag == 0x0112 else { continue }
      return number(place + 8, 2).flatMap(PhotoOrientation.init(rawValue:))
    }
    return nil
  }
}
