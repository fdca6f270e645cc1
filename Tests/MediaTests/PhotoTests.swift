// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Media

/// Photos are read within bounds, turned upright, and written again with nothing but pixels.
@Suite struct PhotoTests {
  /// Returns the colour in the middle of a quarter, as one letter.
  private func colour(_ image: PixelImage, right: Bool, below: Bool) -> Character {
    let column = image.width * (right ? 3 : 1) / 4
    let row = image.height * (below ? 3 : 1) / 4
    let place = (row * image.width + column) * 3
    switch image.pixels[place..<(place + 3)].map({ $0 > 128 }) {
    case [true, false, false]: return "r"
    case [false, true, false]: return "g"
    case [false, false, true]: return "b"
    case [true, true, true]: return "w"
    default: return "?"
    }
  }

  /// Returns the four quarters from the top left.
  private func quarters(of photo: Photo) throws -> String {
    let size = try #require(PhotoCodec.sizeOfJPEG(photo.bytes))
    let image = try #require(PhotoCodec.jpeg(photo.bytes, size, denominator: 1))
    return String(
      [(false, false), (true, false), (false, true), (true, true)].map {
        colour(image, right: $0.0, below: $0.1)
      })
  }

  @Test func `a large photo is reduced and keeps its aspect ratio`() throws {
    let photo = try Photo(reading: PhotoFiles.jpeg(width: 1_600, height: 800))
    #expect((photo.width, photo.height) == (512, 256))
    #expect(try quarters(of: photo) == "rgbw")
    #expect(photo.bytes.count < 40_000)
    let small = try Photo(reading: PhotoFiles.jpeg(width: 40, height: 20))
    #expect((small.width, small.height) == (40, 20))
    let line = try Photo(reading: PhotoFiles.jpeg(width: 3_000, height: 2))
    #expect((line.width, line.height) == (512, 1))
  }

  @Test(arguments: [
    (1, "rgbw"), (2, "grwb"), (3, "wbgr"), (4, "bwrg"), (5, "rbgw"), (6, "brwg"), (7, "wgbr"),
    (8, "gwrb"),
  ])
  func `camera orientation is corrected`(orientation: Int, expected: String) throws {
    let jpeg = try PhotoFiles.jpeg(width: 160, height: 80)
    for isLittle in [true, false] {
      let photo = try Photo(
        reading: PhotoFiles.withExif(
          jpeg, orientation: UInt8(orientation), isLittle: isLittle))
      #expect(try quarters(of: photo) == expected)
      #expect((photo.width, photo.height) == (orientation < 5 ? (160, 80) : (80, 160)))
    }
  }

  @Test func `the location of a photo is removed`() throws {
    let jpeg = PhotoFiles.withExif(
      try PhotoFiles.jpeg(width: 80, height: 80), orientation: 1, isLittle: true)
    #expect(String(decoding: jpeg, as: UTF8.self).contains("taken at home"))
    let rows = PhotoFiles.quarters(width: 8, height: 8)
    let png = PhotoFiles.png(
      width: 8, height: 8, rows: rows,
      chunks: [("tEXt", Array("Comment".utf8) + [0] + Array("taken at home".utf8))])
    for file in [jpeg, png] {
      let photo = try Photo(reading: file)
      let text = String(decoding: photo.bytes, as: UTF8.self)
      #expect(!text.contains("taken at home") && !text.contains("Exif"))
      #expect(try Photo(reading: photo.bytes).width == photo.width)
    }
  }

  @Test func `a PNG is read, with transparency on white`() throws {
    let rows = PhotoFiles.quarters(width: 16, height: 16)
    let photo = try Photo(reading: PhotoFiles.png(width: 16, height: 16, rows: rows))
    #expect(try quarters(of: photo) == "rgbw")
    let clear = [UInt8](repeating: 0, count: 16 * 16 * 4)
    let white = try Photo(
      reading: PhotoFiles.png(width: 16, height: 16, rows: clear, channels: 4))
    #expect(try quarters(of: white) == "wwww")
  }

  @Test func `a size that would take too much memory is refused before any is taken`() throws {
    let bomb = PhotoFiles.png(width: 60_000, height: 60_000, rows: [])
    #expect(throws: PhotoProblem.tooManyPixels) { try Photo(reading: bomb) }
    // The size follows the marker of the frame: height, then width.
    var jpeg = try PhotoFiles.jpeg(width: 16, height: 16)
    let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) })
    for place in (frame + 5)..<(frame + 9) { jpeg[place] = 0xFE }
    #expect(throws: PhotoProblem.tooManyPixels) { try Photo(reading: jpeg) }
  }

  @Test func `invalid photos are refused with one of three reasons`() throws {
    let jpeg = try PhotoFiles.jpeg(width: 64, height: 64)
    let png = PhotoFiles.png(
      width: 16, height: 16, rows: PhotoFiles.quarters(width: 16, height: 16))
    #expect(throws: PhotoProblem.notAPhoto) { try Photo(reading: []) }
    #expect(throws: PhotoProblem.notAPhoto) { try Photo(reading: Array("GIF89a".utf8)) }
    #expect(throws: PhotoProblem.broken) { try Photo(reading: Array(png.prefix(30))) }
    #expect(throws: PhotoProblem.broken) { try Photo(reading: Array(jpeg.prefix(20))) }
    #expect(throws: PhotoProblem.broken) { try Photo(reading: Array(png.prefix(8))) }
    // Neither truncation nor a changed byte may end the program or read beyond the file.
    var state: UInt64 = 88_172_645_463_325_252
    for file in [jpeg, png] {
      for _ in 0..<300 {
        var bytes = file
        for _ in 0..<4 {
          state ^= state << 13
          state ^= state >> 7
          state ^= state << 17
          bytes[Int(state % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: state >> 32)
        }
        let cut = Array(bytes.prefix(Int(state % UInt64(bytes.count))))
        for input in [bytes, cut] {
          if let photo = try? Photo(reading: input) { #expect(photo.width <= Photo.side) }
        }
      }
    }
  }
}
