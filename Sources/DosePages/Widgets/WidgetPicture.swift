// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The picture of a widget: a ring that shows the doses taken, with the number of waiting doses
/// inside.
///
/// It is transparent around the ring and readable on light and dark backgrounds. The format is PNG,
/// since many widgets and watches support nothing else.
struct WidgetPicture: Sendable {
  /// The number of doses that wait for an answer; the picture shows at most 99.
  let open: Int
  let taken: Int
  let planned: Int

  /// Width and height in pixels.
  static let size = 96

  /// The colours of the palette, each in four strengths.
  private enum Colour: Int {
    case ground, ring, digits
  }

  private static let strengths = 4
  private static let colours: [(UInt8, UInt8, UInt8)] = [
    (0x9A, 0x9A, 0x9A), (0x1F, 0x8A, 0x70), (0xC2, 0x41, 0x0C),
  ]

  /// The picture as a response that is never cached.
  var response: Response {
    Response(
      status: .ok,
      headers: [
        .contentType: "image/png", .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'",
      ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// The file.
  var bytes: [UInt8] {
    var alphas: [UInt8] = [0]
    var palette: [(UInt8, UInt8, UInt8)] = [(0, 0, 0)]
    for colour in Self.colours {
      for strength in 1...Self.strengths {
        palette.append(colour)
        alphas.append(UInt8(255 * strength / Self.strengths))
      }
    }
    return PalettePNG(width: Self.size, height: Self.size, palette: palette, alphas: alphas)
      .bytes(pixels)
  }

  /// The pixels as palette indexes, row by row.
  private var pixels: [UInt8] {
    (0..<Self.size).flatMap { y in (0..<Self.size).map { x in pixel(x, y) } }
  }

  /// Returns the colour that covers most of a pixel, as strong as the part it covers.
  private func pixel(_ x: Int, _ y: Int) -> UInt8 {
    var counts = [0, 0, 0]
    // Four samples along each side of a pixel, in eighths of it.
    for row in 0..<4 {
      for column in 0..<4 {
        let (dx, dy) = (8 * x + 2 * column + 1, 8 * y + 2 * row + 1)
        if let colour = colour(dx, dy) { counts[colour.rawValue] += 1 }
      }
    }
    guard let most = counts.max(), most > 0, let index = counts.firstIndex(of: most) else {
      return 0
    }
    let strength = (counts.reduce(0, +) * Self.strengths + 15) / 16
    return UInt8(1 + index * Self.strengths + max(1, min(Self.strengths, strength)) - 1)
  }

  /// Returns the colour at a position in eighths of a pixel; nil for none.
  private func colour(_ x: Int, _ y: Int) -> Colour? {
    let middle = 4 * Self.size
    let (dx, dy) = (x - middle, y - middle)
    let square = dx * dx + dy * dy
    if square <= 370 * 370, square >= 290 * 290 {
      return angle(dx, dy) < share ? .ring : .ground
    }
    guard square < 290 * 290, isInText(dx, dy) else { return nil }
    return open > 0 ? .digits : .ring
  }

  /// The taken share of the day, as an angle of ``angle(_:_:)``.
  private var share: Int {
    guard planned > 0 else { return 0 }
    return max(0, min(planned, taken)) * 4096 / planned
  }

  /// Returns the angle of a point, clockwise from the top, in 4096 steps of slightly different
  /// widths.
  private func angle(_ dx: Int, _ dy: Int) -> Int {
    let (across, along) = (abs(dx), abs(dy))
    let sum = across + along
    guard sum > 0 else { return 0 }
    switch (dx >= 0, dy < 0) {
    case (true, true): return across * 1024 / sum
    case (true, false): return 1024 + along * 1024 / sum
    case (false, false): return 2048 + across * 1024 / sum
    case (false, true): return 3072 + along * 1024 / sum
    }
  }

  /// Returns true for a position, relative to the centre, that a digit covers.
  private func isInText(_ dx: Int, _ dy: Int) -> Bool {
    let digits = String(max(0, min(99, open))).utf8.map { Int($0) - 48 }
    // A cell of a digit is 40 eighths wide; a digit has 5 by 7 cells and a gap of one.
    let cell = digits.count > 1 ? 36 : 48
    let width = (digits.count * 6 - 1) * cell
    let (left, top) = (dx + width / 2, dy + 7 * cell / 2)
    guard left >= 0, left < width, top >= 0, top < 7 * cell else { return false }
    let (column, row) = (left / cell, top / cell)
    guard column % 6 < 5 else { return false }
    let shape = Self.shapes[digits[column / 6]][row]
    return shape & (1 << (4 - column % 6)) != 0
  }

  /// The digits from 0 to 9, each with seven rows of five cells.
  private static let shapes: [[Int]] = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111],
    [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
  ]
}
