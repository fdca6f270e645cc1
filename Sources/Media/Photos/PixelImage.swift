// SPDX-License-Identifier: Apache-2.0

/// A picture as red, green and blue bytes, row by row from the top.
struct PixelImage: Sendable, Hashable {
  let width: Int
  let height: Int
  /// The pixels, three bytes each.
  let pixels: [UInt8]

  /// Creates a picture; nil if the number of bytes does not match the size.
  init?(width: Int, height: Int, pixels: [UInt8]) {
    guard width > 0, height > 0, pixels.count == width * height * 3 else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Returns the picture reduced so that no side is longer; each pixel is the mean of those that it replaces.
  func fitted(side: Int) -> PixelImage {
    let longest = max(width, height)
    guard longest > side, side > 0 else { return self }
    let newWidth = max(1, width * side / longest)
    let newHeight = max(1, height * side / longest)
    let (width, height) = (width, height)
    let made = [UInt8](unsafeUninitializedCapacity: newWidth * newHeight * 3) { target, count in
      pixels.withUnsafeBufferPointer { source in
        for row in 0..<newHeight {
          let top = row * height / newHeight
          let bottom = max(top + 1, (row + 1) * height / newHeight)
          for column in 0..<newWidth {
            let left = column * width / newWidth
            let right = max(left + 1, (column + 1) * width / newWidth)
            var (red, green, blue) = (0, 0, 0)
            for y in top..<bottom {
              for place in stride(from: (y * width + left) * 3, to: (y * width + right) * 3, by: 3)
              {
                red += Int(source[place])
                green += Int(source[place + 1])
                blue += Int(source[place + 2])
              }
            }
            let area = (bottom - top) * (right - left)
            let place = (row * newWidth + column) * 3
            target[place] = UInt8(clamping: (red + area / 2) / area)
            target[place + 1] = UInt8(clamping: (green + area / 2) / area)
            target[place + 2] = UInt8(clamping: (blue + area / 2) / area)
          }
        }
      }
      count = newWidth * newHeight * 3
    }
    return PixelImage(width: newWidth, height: newHeight, pixels: made) ?? self
  }

  /// Returns the picture turned and mirrored for display.
  func upright(_ orientation: PhotoOrientation) -> PixelImage {
    guard orientation != .upright else { return self }
    let (newWidth, newHeight) = orientation.swapsSides ? (height, width) : (width, height)
    var made = [UInt8](repeating: 0, count: pixels.count)
    for row in 0..<newHeight {
      for column in 0..<newWidth {
        let (fromColumn, fromRow) = orientation.source(
          column: column, row: row, width: width, height: height)
        let source = (fromRow * width + fromColumn) * 3
        let target = (row * newWidth + column) * 3
        made[target] = pixels[source]
        made[target + 1] = pixels[source + 1]
        made[target + 2] = pixels[source + 2]
      }
    }
    return PixelImage(width: newWidth, height: newHeight, pixels: made) ?? self
  }
}
