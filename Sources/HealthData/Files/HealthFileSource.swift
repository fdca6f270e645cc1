// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The format of a file of measurements, recognised by its content rather than its name.
package enum HealthFileFormat: String, Sendable, Hashable, CaseIterable {
  case appleHealth = "apple-health"
  case gadgetbridge
  case table = "csv"
  /// The body of an app's post, saved as a file.
  case posted = "json"

  /// Returns the format of a file by its first bytes; nil if it is unknown.
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

/// A file of measurements in one of the known formats.
package enum HealthFileSource: Sendable {
  case appleHealth(AppleExport)
  case gadgetbridge(GadgetbridgeFile)
  case table(TableFile)
  case posted(PostedFile)

  /// Creates a source from a file of any known format.
  ///
  /// - Throws: ``HealthFileError/empty``, ``HealthFileError/noExport`` for an unknown format, or
  ///   the errors of the format that was recognised.
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

  /// The format that was recognised.
  package var format: HealthFileFormat {
    switch self {
    case .appleHealth: .appleHealth
    case .gadgetbridge: .gadgetbridge
    case .table: .table
    case .posted: .posted
    }
  }

  /// The length in bytes, of the XML for Apple Health, for showing progress.
  package var size: Int64 {
    switch self {
    case .appleHealth(let export): export.size
    case .gadgetbridge(let file): file.size
    case .table(let file): file.size
    case .posted(let file): file.size
    }
  }

  /// The conditions under which a file is read.
  package struct Conditions: Sendable {
    /// The current time in seconds since 1970; later values are rejected.
    package let now: Int64
    /// The offset of the person's zone from UTC in seconds, at seconds since 1970.
    package let zone: @Sendable (Int64) -> Int32
    /// Returns the offset for a zone by its name; nil if there is no such zone.
    package let zoneNamed: @Sendable (String) -> (@Sendable (Int64) -> Int32)?
    /// The meaning of a table's columns; nil to infer it from their names.
    package let mapping: TableMapping?

    /// Creates the conditions; by default no zone is known by name, and columns are identified by their
    /// names.
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

  /// Reads all items in file order and returns the counts.
  ///
  /// - Parameters:
  ///   - progress: called now and then with the bytes read so far.
  ///   - take: called with each item; an error from either ends the reading.
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

/// The body of an app's post saved as a file: Health Auto Export and the other forms of posts.
package struct PostedFile: Sendable {
  /// The maximum size of a file: 32 MiB, because it is read whole.
  ///
  /// People with more can export fewer days at once.
  package static let maximumBytes: Int64 = 32 << 20

  private let file: HealthFile
  /// The length of the file in bytes.
  package var size: Int64 { file.count }

  init(_ file: HealthFile) throws(HealthFileError) {
    guard file.count <= Self.maximumBytes else { throw .tooLarge }
    self.file = file
  }

  /// Returns true if a JSON body contains measurements in a form of an app, and not FHIR resources.
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
