// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Converts records to readings, each at the end of its element.
struct ExportRecords {
  private let now: Int64
  private var names = SourceNames()
  private var pending: VitalReading?
  /// The number of readings by kind, in the order of its cases; added to the report at the end.
  private var counts = [Int](repeating: 0, count: VitalKind.allCases.count)

  init(now: Int64) { self.now = now }

  /// Starts a record.
  mutating func open(_ tag: TagReader, _ report: inout ExportReport) {
    guard let kind = Self.kind(bytes(tag, .type)) else {
      report.otherKinds += 1
      return
    }
    switch reading(kind, tag) {
    case .success(let reading): pending = reading
    case .failure(let fault): report.note(fault)
    }
  }

  /// Ends the open record.
  mutating func close(_ report: inout ExportReport, _ take: ExportReader.Take) throws {
    guard let reading = pending else { return }
    pending = nil
    counts[reading.kind.place] += 1
    try take(.reading(reading))
  }

  /// Ends the last record and adds the counts to the report.
  mutating func finish(_ report: inout ExportReport, _ take: ExportReader.Take) throws {
    try close(&report, take)
    for kind in VitalKind.allCases where counts[kind.place] > 0 {
      report.values[kind, default: 0] += counts[kind.place]
    }
  }

  /// Reads a metadata entry of the open record.
  mutating func metadata(_ tag: TagReader) {
    guard pending?.kind == .heartRate,
      Self.equals(bytes(tag, .key), "HKMetadataKeyHeartRateMotionContext")
    else { return }
    let value = bytes(tag, .value)
    guard value.count == 1 else { return }
    pending?.motion = MotionContext(rawValue: value[0] &- 0x30) ?? .unknown
  }

  /// Reads the file name of a clinical record.
  func clinical(
    _ tag: TagReader, _ report: inout ExportReport, _ take: ExportReader.Take
  ) throws {
    report.clinicalRecords += 1
    let path = SourceNames.clean(bytes(tag, .resourceFilePath), most: 1_000)
    guard !path.isEmpty else { return report.note(.missing) }
    try take(.clinicalRecord(path: path))
  }

  private enum Outcome {
    case success(VitalReading)
    case failure(ExportFault)
  }

  private mutating func reading(_ kind: VitalKind, _ tag: TagReader) -> Outcome {
    let value = bytes(tag, .value)
    let startText = bytes(tag, .startDate)
    guard value.count > 0, startText.count > 0 else { return .failure(.missing) }
    guard let factor = Self.factor(kind, bytes(tag, .unit)) else { return .failure(.unit) }
    guard let thousandths = Self.thousandths(value, factor),
      kind.plausible.contains(thousandths)
    else { return .failure(.value) }
    guard let start = Self.moment(startText) else { return .failure(.date) }
    let end = Self.moment(bytes(tag, .endDate)) ?? start
    let reading = VitalReading(
      kind: kind, start: start, end: end, created: Self.moment(bytes(tag, .creationDate)) ?? end,
      thousandths: thousandths, source: names.name(bytes(tag, .sourceName)))
    switch reading.problem(now: now) {
    case nil: return .success(reading)
    case .future: return .failure(.future)
    case .source: return .failure(.source)
    case .value: return .failure(.value)
    case .date, .structure, .kind, .unit: return .failure(.date)
    }
  }

  private func bytes(_ tag: TagReader, _ name: AttributeName) -> UnsafeBufferPointer<UInt8> {
    let place = tag.places[name]
    return UnsafeBufferPointer(start: tag.base + place.start, count: max(0, place.count))
  }

  // MARK: Values

  private static func kind(_ type: UnsafeBufferPointer<UInt8>) -> VitalKind? {
    let prefix = 24
    func ends(_ word: StaticString) -> Bool {
      guard let start = type.baseAddress else { return false }
      return memcmp(start + prefix, word.utf8Start, word.utf8CodeUnitCount) == 0
    }
    guard type.count > prefix, let start = type.baseAddress,
      memcmp(start, "HKQuantityTypeIdentifier", prefix) == 0
    else { return nil }
    switch type.count - prefix {
    case 8: return ends("BodyMass") ? .weight : nil
    case 9: return ends("HeartRate") ? .heartRate : ends("StepCount") ? .steps : nil
    case 16: return ends("RestingHeartRate") ? .restingHeartRate : nil
    case 23: return ends("WalkingHeartRateAverage") ? .walkingHeartRate : nil
    default: return nil
    }
  }

  static func equals(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return bytes.count == word.utf8CodeUnitCount
      && memcmp(start, word.utf8Start, bytes.count) == 0
  }

  private static func factor(_ kind: VitalKind, _ unit: UnsafeBufferPointer<UInt8>) -> Double? {
    if equals(unit, "count/min") || equals(unit, "count") {
      return (unit.count == 5) == (kind == .steps) && kind != .weight ? 1_000 : nil
    }
    return kind.factor(of: SourceNames.clean(unit))
  }

  /// Returns a number in thousandths, rounded; characters that XML does not allow are skipped.
  private static func thousandths(_ text: UnsafeBufferPointer<UInt8>, _ factor: Double) -> Int64? {
    var whole: Int64 = 0
    var digits = 0
    for byte in text {
      guard byte >= 0x30, byte <= 0x39, digits < 12 else {
        return Double(SourceNames.clean(text)).flatMap {
          $0.isFinite && abs($0 * factor) < 1e15 ? Int64(($0 * factor).rounded()) : nil
        }
      }
      whole = whole * 10 + Int64(byte - 0x30)
      digits += 1
    }
    return factor == 1_000 ? whole * 1_000 : Int64((Double(whole) * factor).rounded())
  }

  private static func moment(_ text: UnsafeBufferPointer<UInt8>) -> Moment? {
    if let moment = MomentText.exported(text) { return moment }
    return text.count == 0 ? nil : MomentText.read(SourceNames.clean(text), offsetWhereNone: nil)
  }
}
