// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// An export of Apple Health, as an archive or only its XML.
package struct AppleExport: Sendable {
  private let file: HealthFile
  /// The archive; nil for XML only.
  private let archive: ZipDirectory?
  private let export: ZipEntry?
  /// The length of the XML in bytes, for showing progress.
  package let size: Int64

  /// Creates an export from a file, whatever its name.
  ///
  /// Throws if the file is not an export.
  package init(_ file: HealthFile) throws(HealthFileError) {
    self.file = file
    guard file.count > 0 else { throw .empty }
    let head = try file.bytes(at: 0, count: Int(min(file.count, 4_096))) ?? []
    guard head.starts(with: [0x50, 0x4B]) else {
      guard ExportReader.isExport(head) else { throw .noExport }
      archive = nil
      export = nil
      size = file.count
      return
    }
    let archive = try ZipDirectory(file)
    guard let export = try Self.find(archive, file) else { throw .noExport }
    self.archive = archive
    self.export = export
    size = export.size
  }

  /// Returns the first file that starts like an export.
  ///
  /// Its base name is translated; the clinical document next to it starts differently.
  private static func find(_ archive: ZipDirectory, _ file: HealthFile) throws(HealthFileError)
    -> ZipEntry?
  {
    let candidates = archive.entries.filter {
      $0.name.lowercased().hasSuffix(".xml") && $0.name.split(separator: "/").count <= 3
        && !$0.name.hasSuffix("export_cda.xml")
    }
    var failure: HealthFileError?
    for entry in candidates.prefix(50) {
      do throws(HealthFileError) {
        if ExportReader.isExport(try head(of: entry, in: file, most: 4_096)) { return entry }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return nil
  }

  private static func head(of entry: ZipEntry, in file: HealthFile, most: Int)
    throws(HealthFileError) -> [UInt8]
  {
    let stream = try ZipStream(entry, in: file)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: most, alignment: 16)
    defer { buffer.deallocate() }
    var count = 0
    while count < most {
      let got = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      if got == 0 { break }
      count += got
    }
    return Array(buffer[..<count])
  }

  /// Reads all items in file order, and unpacks the archive on a separate thread.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970; later values are rejected.
  ///   - progress: called now and then with the bytes of XML read so far.
  ///   - take: called with each item; an error from either ends the reading.
  package func read(
    now: Int64, progress: (Int64) throws -> Void = { _ in },
    take: @escaping (ExportItem) throws -> Void
  ) throws -> ExportReport {
    guard let export, let archive else {
      return try ExportReader(FileStretch(file), now: now, take: take).run(progress: progress)
    }
    let file = file
    let ahead = AheadReader { () throws(HealthFileError) in try ZipStream(export, in: file) }
    var report = try ExportReader(ahead, now: now, take: take).run(progress: progress)
    if !ahead.isWhole { report.note(.damagedArchive) }
    if archive.unsafeNames > 0 { report.note(.unsafeNames, archive.unsafeNames) }
    return report
  }

  /// Returns the file of a clinical record; nil if the archive has none of that name, or it is over
  /// 1 MiB.
  package func clinicalRecord(_ path: String) throws(HealthFileError) -> [UInt8]? {
    let most = 1 << 20
    let wanted = path.drop { $0 == "/" }
    guard let export, let archive, !wanted.isEmpty,
      let folder = export.name.lastIndex(of: "/").map({ export.name[...$0] }),
      let entry = archive.entries.first(where: { $0.name == folder + wanted }),
      entry.size <= Int64(most)
    else { return nil }
    return try Self.head(of: entry, in: file, most: most)
  }
}
