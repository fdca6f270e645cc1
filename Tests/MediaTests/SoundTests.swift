// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Media

/// Sounds are read within bounds, and written again with nothing but samples.
@Suite struct SoundTests {
  /// Returns a WAV file of a tone, with an unnecessary chunk before the samples.
  static func wave(
    rate: Int = 44_100, channels: Int = 2, bits: Int = 16, isFloat: Bool = false,
    milliseconds: Int = 500, loudness: Double = 0.5, isExtensible: Bool = false
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ text: String) { bytes += Array(text.utf8) }
    func append(_ number: Int, _ count: Int) {
      for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }
    let frames = rate * milliseconds / 1_000
    let width = bits / 8
    append("RIFF")
    append(100 + frames * width * channels, 4)
    append("WAVE")
    append("LIST")
    append(5, 4)
    append("Annie")
    append(0, 1)
    append("fmt ")
    append(isExtensible ? 40 : 16, 4)
    append(isExtensible ? 0xFFFE : isFloat ? 3 : 1, 2)
    append(channels, 2)
    append(rate, 4)
    append(rate * channels * width, 4)
    append(channels * width, 2)
    append(bits, 2)
    if isExtensible {
      append(22, 2)
      append(bits, 2)
      append(3, 4)
      append(isFloat ? 3 : 1, 2)
      append(0, 14)
    }
    append("data")
    append(frames * width * channels, 4)
    for frame in 0..<frames {
      // A square wave of 441 Hz: exact in every form.
      let value = frame * 882 / rate % 2 == 0 ? loudness : -loudness
      for _ in 0..<channels {
        switch (isFloat, width) {
        case (true, 4): append(Int(Float(value).bitPattern), 4)
        case (true, _): append(Int(truncatingIfNeeded: value.bitPattern), 8)
        case (false, 1): append(Int(value * 127) + 128, 1)
        default: append(Int(value * Double(Int64(1) << (bits - 1))), width)
        }
      }
    }
    return bytes
  }

  @Test(arguments: [
    (8, false, 1, 8_000), (16, false, 1, 22_050), (16, false, 2, 44_100), (24, false, 2, 48_000),
    (32, false, 6, 96_000), (32, true, 1, 11_025), (64, true, 2, 44_100), (16, false, 8, 192_000),
  ])
  func `every format becomes the same sound`(bits: Int, isFloat: Bool, channels: Int, rate: Int)
    throws
  {
    for isExtensible in [false, true] {
      let sound = try Sound(
        reading: Self.wave(
          rate: rate, channels: channels, bits: bits, isFloat: isFloat,
          isExtensible: isExtensible))
      #expect((495...500).contains(sound.milliseconds), "\(sound.milliseconds)")
      // At full volume, whatever it was before.
      #expect(sound.samples.max().map { (31_000...31_200).contains($0) } == true)
      let crossings = zip(sound.samples, sound.samples.dropFirst())
        .count { ($0 < 0) != ($1 < 0) }
      #expect((435...446).contains(crossings), "\(crossings)")
    }
  }

  @Test func `the output has only samples and reads back unchanged`() throws {
    let sound = try Sound(reading: Self.wave())
    let written = sound.wave
    #expect(written.count == 44 + sound.samples.count * 2)
    #expect(!String(decoding: written, as: UTF8.self).contains("Annie"))
    let again = try Sound(reading: written)
    #expect(again.samples.count == sound.samples.count)
    #expect(zip(again.samples, sound.samples).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  /// Returns files by name, so that failure messages stay short.
  private static func unfit(_ name: String) -> [UInt8] {
    switch name {
    case "empty": []
    case "frame alone": Array("RIFF0000WAVE".utf8)
    case "of another kind": Array("ID3 is the beginning of an MP3".utf8)
    case "long": wave(rate: 8_000, channels: 1, bits: 8, milliseconds: 30_500)
    case "short": wave(milliseconds: 50)
    case "faint": wave(loudness: 0.001)
    case "floating of 16 bits": wave(bits: 16, isFloat: true)
    case "nine channels": wave(channels: 9)
    default: wave(rate: 2_000)
    }
  }

  @Test(arguments: [
    ("empty", SoundProblem.notASound), ("frame alone", .broken), ("of another kind", .notASound),
    ("long", .tooLong), ("short", .tooShort), ("faint", .silent),
    ("floating of 16 bits", .notASound), ("nine channels", .notASound), ("slow", .notASound),
  ])
  func `invalid sounds are refused with a reason`(name: String, problem: SoundProblem) {
    #expect(throws: problem) { try Sound(reading: Self.unfit(name)) }
  }

  /// Any bytes are read or rejected without a trap, and the result stays within the bounds.
  @Test func `mutated files are read or refused`() {
    var state: UInt64 = 7
    func random(_ below: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(below))
    }
    let seeds = [
      Self.wave(rate: 8_000, channels: 1, bits: 8, milliseconds: 120),
      Self.wave(rate: 8_000, channels: 2, bits: 16, milliseconds: 120, isExtensible: true),
      Self.wave(rate: 8_000, channels: 1, bits: 64, isFloat: true, milliseconds: 120),
    ]
    var read = 0
    for round in 0..<6_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0...random(6) {
        switch random(4) {
        case 0: bytes[random(min(bytes.count, 90))] = UInt8(random(256))
        case 1: bytes.removeLast(random(bytes.count - 1))
        case 2:
          let place = random(min(bytes.count, 90))
          bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0x7F].prefix(1 + random(4)), at: place)
        default: bytes[random(bytes.count)] = 0xFF
        }
        if bytes.count < 2 { break }
      }
      if let sound = try? Sound(reading: bytes) {
        read += 1
        #expect(sound.milliseconds <= Sound.longestMilliseconds)
      }
    }
    #expect(read > 500)
  }
}
