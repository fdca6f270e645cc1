// SPDX-License-Identifier: Apache-2.0

/// A reason why a file cannot become a sound.
package enum SoundProblem: String, Error, Sendable, Hashable, CaseIterable {
  /// The file is not a WAV file, or has an unsupported form.
  case notASound = "not-a-sound"
  /// The file is truncated or inconsistent.
  case broken
  case tooLong = "too-long"
  case tooShort = "too-short"
  /// The sound is silent.
  case silent
}

/// A short sound, converted from an uploaded file: one channel, 16 bits, 22,050 samples per second, and
/// nothing else from the file.
package struct Sound: Sendable, Hashable {
  /// The sample rate in samples per second.
  package static let rate = 22_050
  /// The longest accepted sound, in milliseconds.
  package static let longestMilliseconds = 30_000
  /// The shortest accepted sound, in milliseconds.
  package static let shortestMilliseconds = 100
  /// The media type of ``wave``.
  package static let mediaType = "audio/wav"

  /// The samples, each from -32,768 to 32,767.
  package let samples: [Int16]

  /// The length in milliseconds, rounded down.
  package var milliseconds: Int { samples.count * 1_000 / Self.rate }

  /// Creates a sound from a WAV file: PCM of 8, 16, 24 or 32 bits or floating point, one to eight
  /// channels.
  ///
  /// The loudest sample is raised or lowered to 95 % of full scale.
  package init(reading bytes: [UInt8]) throws(SoundProblem) {
    let wave = try WaveReader(bytes)
    let frames = wave.frameCount
    guard frames / wave.rate <= Self.longestMilliseconds / 1_000,
      frames * 1_000 / wave.rate <= Self.longestMilliseconds
    else { throw .tooLong }
    guard frames * 1_000 / wave.rate >= Self.shortestMilliseconds else { throw .tooShort }
    let mixed = wave.mixed()
    let peak = mixed.reduce(Float(0)) { max($0, abs($1)) }
    guard peak >= 0.005 else { throw .silent }
    // At full volume, because a quiet file must wake people too.
    let gain = 0.95 / peak
    samples = Self.resampled(mixed, from: wave.rate).map { value in
      Int16(clamping: Int((value * gain * 32_767).rounded()))
    }
  }

  /// Returns resampled sound: the mean of the old samples for each new one, interpolated if there are fewer.
  private static func resampled(_ samples: [Float], from rate: Int) -> [Float] {
    guard rate != Self.rate else { return samples }
    let count = samples.count * Self.rate / rate
    return (0..<count).map { index in
      let start = Double(index) * Double(rate) / Double(Self.rate)
      let end = Double(index + 1) * Double(rate) / Double(Self.rate)
      let first = Int(start)
      let last = min(Int(end), samples.count)
      if last - first >= 2 {
        return samples[first..<last].reduce(0, +) / Float(last - first)
      }
      let next = min(first + 1, samples.count - 1)
      let part = Float(start - Double(first))
      return samples[first] * (1 - part) + samples[next] * part
    }
  }

  /// The sound as a WAV file.
  package var wave: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(44 + samples.count * 2)
    func append(_ text: String) { bytes += Array(text.utf8) }
    func append(_ number: Int, count: Int) {
      for shift in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }
    append("RIFF")
    append(36 + samples.count * 2, count: 4)
    append("WAVEfmt ")
    append(16, count: 4)
    append(1, count: 2)
    append(1, count: 2)
    append(Self.rate, count: 4)
    append(Self.rate * 2, count: 4)
    append(2, count: 2)
    append(16, count: 2)
    append("data")
    append(samples.count * 2, count: 4)
    for sample in samples { append(Int(sample), count: 2) }
    return bytes
  }
}
