// SPDX-License-Identifier: Apache-2.0

/// Reads the frame of a WAV file (RIFF) and its samples, within bounds.
struct WaveReader {
  private enum Form {
    case whole(bytes: Int)
    case floating(bytes: Int)
  }

  private let bytes: [UInt8]
  private let form: Form
  private let channels: Int
  private let data: Range<Int>
  let rate: Int

  var frameCount: Int { data.count / (channels * width) }

  private var width: Int {
    switch form {
    case .whole(let bytes), .floating(let bytes): bytes
    }
  }

  init(_ bytes: [UInt8]) throws(SoundProblem) {
    self.bytes = bytes
    guard bytes.count >= 12, Self.name(bytes, 0) == "RIFF", Self.name(bytes, 8) == "WAVE" else {
      throw .notASound
    }
    var place = 12
    var format: Range<Int>?
    var data: Range<Int>?
    while place + 8 <= bytes.count, data == nil {
      let name = Self.name(bytes, place)
      let size = Self.number(bytes, place + 4, count: 4)
      let start = place + 8
      // Some programs write the intended length; the actual data counts.
      let end = min(start + size, bytes.count)
      if name == "fmt " { format = start..<end }
      if name == "data" { data = start..<end }
      place = start + size + size % 2
    }
    guard let format, format.count >= 16 else { throw .broken }
    guard let data else { throw .broken }
    var code = Self.number(bytes, format.lowerBound, count: 2)
    channels = Self.number(bytes, format.lowerBound + 2, count: 2)
    rate = Self.number(bytes, format.lowerBound + 4, count: 4)
    let bits = Self.number(bytes, format.lowerBound + 14, count: 2)
    // The extensible form has its format code at another position.
    if code == 0xFFFE {
      guard format.count >= 40 else { throw .broken }
      code = Self.number(bytes, format.lowerBound + 24, count: 2)
    }
    switch (code, bits) {
    case (1, 8), (1, 16), (1, 24), (1, 32): form = .whole(bytes: bits / 8)
    case (3, 32), (3, 64): form = .floating(bytes: bits / 8)
    default: throw .notASound
    }
    guard (1...8).contains(channels), (4_000...192_000).contains(rate) else { throw .notASound }
    self.data = data
  }

  /// Returns all channels mixed into one, from -1 to 1.
  func mixed() -> [Float] {
    let frame = channels * width
    return (0..<frameCount).map { index in
      var sum: Float = 0
      for channel in 0..<channels {
        sum += sample(data.lowerBound + index * frame + channel * width)
      }
      return sum / Float(channels)
    }
  }

  private func sample(_ place: Int) -> Float {
    switch form {
    case .whole(bytes: 1): return (Float(bytes[place]) - 128) / 128
    case .whole(let count):
      var value: Int64 = 0
      for index in 0..<count { value |= Int64(bytes[place + index]) << (8 * index) }
      let limit = Int64(1) << (8 * count - 1)
      if value >= limit { value -= 2 * limit }
      return Float(value) / Float(limit)
    case .floating(bytes: 4):
      let pattern = UInt32(truncatingIfNeeded: Self.number(bytes, place, count: 4))
      return Self.bounded(Double(Float(bitPattern: pattern)))
    case .floating:
      let low = UInt64(truncatingIfNeeded: Self.number(bytes, place, count: 4))
      let high = UInt64(truncatingIfNeeded: Self.number(bytes, place + 4, count: 4))
      return Self.bounded(Double(bitPattern: high << 32 | low))
    }
  }

  private static func bounded(_ value: Double) -> Float {
    value.isFinite ? Float(min(max(value, -1), 1)) : 0
  }

  private static func name(_ bytes: [UInt8], _ place: Int) -> String {
    String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ place: Int, count: Int) -> Int {
    var value = 0
    for index in 0..<count { value |= Int(bytes[place + index]) << (8 * index) }
    return value
  }
}
