// SPDX-License-Identifier: Apache-2.0

import FHIR

/// What kind of file it is, known by its content and not by its name.
package enum HealthFileFormat: String, Sendable, Hashable, CaseIterable {
  case appleHealth = "apple-health"
  case gadgetbridge
  case table = "csv"
  /// What an app sends, kept in a file.
  case posted = "json"

  /// By how a file begins; nil for what none of these begins like.
  package static func of(head: [UInt8]) -> HealthFileFormat? {
    if head.starts(with: GadgetbridgeFile.head) { return .gadgetbridge }
    if head.starts(with: [0x50, 0x4B]) { return .appleHealth }
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    switch text.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "<")?: return .appleHealth
    case UInt8(ascii: "{")?, UInt8(ascii: "[")?: return .posted
    case nil: return nil
    default: return text.contains(0) ? nil : .table
    }
  }
}

/// A file of measurements, of whatever kind.
package enum HealthFileSource: Sendable {
  case appleHealth(AppleExport)
  case gadgetbridge(GadgetbridgeFile)
  case table(TableFile)
  case posted(PostedFile)

  /// Looks what a file is.
  package init(_ file: HealthFile) throws(HealthFileError) {
    guard file.count > 0 else { throw .empty }
    let head = try file.head(4_096)
    switch HealthFileFormat.of(head: head) {
    case .appleHealth?: self = .appleHealth(try AppleExport(file))
    case .gadgetbridge?: self = .gadgetbridge(try GadgetbridgeFile(file))
    case .table?: self = .table(try TableFile(file))
    case .posted?: self = .posted(try PostedFile(file))
    case nil: throw .noExport
    }
  }

  package var format: HealthFileFormat {
    switch self {
    case .appleHealth: .appleHealth
    case .gadgetbridge: .gadgetbridge
    case .table: .table
    case .posted: .posted
    }
  }

  /// How long it is, for telling how far the reading is.
  package var size: Int64 {
    switch self {
    case .appleHealth(let export): export.size
    case .gadgetbridge(let file): file.size
    case .table(let file): file.size
    case .posted(let file): file.size
    }
  }

  /// What a reading needs to know besides the file.
  package struct Conditions: Sendable {
    /// Seconds since 1970; later values are not taken.
    package let now: Int64
    /// The offset of the person's zone at seconds since 1970.
    package let zone: @Sendable (Int64) -> Int32
    /// The same of a zone by its name; nil where there is none.
    package let zoneNamed: @Sendable (String) -> (@Sendable (Int64) -> Int32)?
    /// What the columns of a table mean; nil to go by their names.
    package let mapping: TableMapping?

    package init(
      now: Int64, zone: @escaping @Sendable (Int64) -> Int32,
      zoneNamed: @escaping @Sendable (String) -> (@Sendable (Int64) -> Int32)? = { _ in nil },
      mapping: TableMapping? = nil
    ) {
      self.now = now
      self.zone = zone
      self.zoneNamed = zoneNamed
      self.mapping = mapping
    }
  }

  /// Reads all of it, in the order of the file.
  ///
  /// - Parameters:
  ///   - progress: called now and then with the bytes read so far.
  ///   - take: called with each item; what either throws ends the reading.
  package func read(
    _ conditions: Conditions, progress: (Int64) throws -> Void = { _ in },
    take: @escaping (ExportItem) throws -> Void
  ) throws -> ExportReport {
    switch self {
    case .appleHealth(let export):
      try export.read(now: conditions.now, progress: progress, take: take)
    case .gadgetbridge(let file):
      try file.read(now: conditions.now, zone: conditions.zone, progress: progress, take: take)
    case .table(let file):
      try file.read(
        conditions.mapping ?? TableMapping(guessedFrom: file.header), now: conditions.now,
        zone: conditions.zone, zoneNamed: conditions.zoneNamed, progress: progress, take: take)
    case .posted(let file):
      try file.read(now: conditions.now, zone: conditions.zone, take: take)
    }
  }
}

/// What an app would send, kept in a file: Health Auto Export and the other forms of posts.
package struct PostedFile: Sendable {
  /// It is read whole, as what is posted is; who has more exports fewer days at once.
  package static let maximumBytes: Int64 = 32 << 20

  private let file: HealthFile
  package var size: Int64 { file.count }

  init(_ file: HealthFile) throws(HealthFileError) {
    guard file.count <= Self.maximumBytes else { throw .tooLarge }
    self.file = file
  }

  /// Whether a body is one of measurements rather than of prescriptions.
  package static func isMeasurements(_ body: JSONValue) -> Bool {
    guard let form = VitalPost.form(of: body) else { return false }
    return form != .fhir
  }

  func read(
    now: Int64, zone: @escaping @Sendable (Int64) -> Int32, take: (ExportItem) throws -> Void
  ) throws -> ExportReport {
    guard let bytes = try file.bytes(at: 0, count: Int(file.count)) else {
      throw HealthFileError.unreadable
    }
    guard
      let body = try? JSONValue(
        parsing: bytes, limits: JSONLimits(maximumBytes: Int(Self.maximumBytes))),
      let post = VitalPost.read(body, now: now, zone: zone)
    else { throw HealthFileError.noExport }
    var report = ExportReport()
    report.bytes = file.count
    for item in post.items {
      report.records += 1
      switch item.result {
      case .success(let reading):
        report.values[reading.kind, default: 0] += 1
        try take(item.isRemoval ? .removal(reading) : .reading(reading))
      case .failure(.kind): report.otherKinds += 1
      case .failure(let problem): report.leaveOut(ExportFault(problem), place: item.place)
      }
    }
    for medication in post.medications { try take(.medication(medication)) }
    return report
  }
}
