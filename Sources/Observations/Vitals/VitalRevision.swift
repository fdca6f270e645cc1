// SPDX-License-Identifier: Apache-2.0

/// A value of a day computed by a device; the one computed last is the day's value.
package struct VitalRevision: Sendable, Hashable {
  /// The time at which it was computed, in seconds since 1970.
  package let stamp: Int64
  /// The value in thousandths of the unit; nil if the source withdrew the day's value.
  package let value: Int64?
  /// The time of measurement in seconds since 1970.
  package let at: Int64
  let zoneOffset: Int

  init(stamp: Int64, value: Int64?, at: Int64, zoneOffset: Int) {
    self.stamp = stamp
    self.value = value
    self.at = at
    self.zoneOffset = zoneOffset
  }

  init(_ sample: VitalSample) {
    self.init(
      stamp: sample.stamp, value: sample.thousandths, at: sample.at, zoneOffset: sample.zoneOffset)
  }
}

extension [VitalRevision] {
  /// The maximum number kept for a day: more than any watch computes.
  private static var most: Int { 24 }

  private static var version: UInt8 { 1 }

  /// Reads the stored form; nil for any other bytes.
  package init?(packed bytes: [UInt8]) {
    guard bytes.first == Self.version else { return nil }
    var numbers = PackedNumbers(Array<UInt8>(bytes.dropFirst()))
    self = []
    var stamp: Int64 = 0
    while !numbers.isAtEnd {
      guard let step = numbers.nextSigned(), let value = numbers.next(),
        let away = numbers.nextSigned(), let offset = numbers.nextSigned()
      else { return nil }
      stamp &+= step
      append(
        VitalRevision(
          stamp: stamp, value: value == 0 ? nil : value - 1, at: stamp &- away,
          zoneOffset: Int(clamping: offset)))
    }
  }

  /// The stored form, which begins with a version to distinguish an empty list from an unknown one.
  var packed: [UInt8] {
    var numbers = PackedNumbers([Self.version])
    var stamp: Int64 = 0
    for revision in self {
      numbers.append(signed: revision.stamp &- stamp)
      numbers.append(revision.value.map { Swift.max(0, $0) + 1 } ?? 0)
      numbers.append(signed: revision.stamp &- revision.at)
      numbers.append(signed: Int64(revision.zoneOffset))
      stamp = revision.stamp
    }
    return numbers.bytes
  }

  /// Inserts a revision in order; of two computed at the same moment, the later arrival is kept.
  mutating func keep(_ revision: VitalRevision) {
    let place = firstIndex { $0.stamp >= revision.stamp } ?? endIndex
    if place < endIndex, self[place].stamp == revision.stamp {
      self[place] = revision
    } else {
      insert(revision, at: place)
      if count > Self.most { removeFirst() }
    }
  }
}
